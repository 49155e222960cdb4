"""Layers as nodes of their own: Linear by einsum, LayerNorm by sums, and a list beside the attributes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import tinyllm.autograd.functional as F
from tinyllm.autograd.tensor import Tensor, from_op
from tinyllm.nn.init import normal_init
from tinyllm.nn.module import Module
from tinyllm.num.rng import PCG32

Array = NDArray[Any]


def _weight(rows: int, columns: int, std: float, rng: Any) -> Tensor:
    if rows < 1 or columns < 1:
        raise ValueError(f"no weight has the shape [{rows}, {columns}]")
    if rng is None:
        rng = PCG32(0).substream("init")
    return Tensor(normal_init((rows, columns), std, rng), requires_grad=True)


class Linear(Module):
    def __init__(self, d_in: int, d_out: int, bias: bool = True, rng: Any = None) -> None:
        self.weight = _weight(d_out, d_in, 1.0 / math.sqrt(max(d_in, 1)), rng)
        self.bias = Tensor(np.zeros(d_out), requires_grad=True) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        weight, bias = self.weight, self.bias
        if x.ndim == 0 or x.shape[-1] != weight.shape[-1]:
            raise ValueError("x does not end in d_in")
        a, w = x.data, weight.data

        def vjp(g: Array) -> list[Array]:
            parts = [np.einsum("...o,oi->...i", g, w)]
            parts.append(np.einsum("no,ni->oi", g.reshape(-1, w.shape[0]), a.reshape(-1, w.shape[1])))
            if bias is not None:
                parts.append(g.reshape(-1, w.shape[0]).sum(axis=0))
            return parts

        y = np.einsum("...i,oi->...o", a, w)
        if bias is None:
            return from_op(y, [x, weight], vjp, "linear")
        return from_op(y + bias.data, [x, weight, bias], vjp, "linear")


class Embedding(Module):
    def __init__(self, n: int, d: int, rng: Any = None) -> None:
        self.weight = _weight(n, d, 1.0, rng)

    def forward(self, ids: ArrayLike) -> Tensor:
        return F.embedding(self.weight, ids)


class LayerNorm(Module):
    def __init__(self, d: int, eps: float = 1e-5) -> None:
        if d < 1:
            raise ValueError("LayerNorm of nothing")
        self.weight = Tensor(np.full(d, 1.0), requires_grad=True)
        self.bias = Tensor(np.full(d, 0.0), requires_grad=True)
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        weight, bias = self.weight, self.bias
        d = weight.shape[0]
        if x.ndim == 0 or x.shape[-1] != d:
            raise ValueError("x does not end in d")
        centre = x.data - x.data.sum(axis=-1, keepdims=True) / d
        root = np.sqrt((centre**2).sum(axis=-1, keepdims=True) / d + self.eps)
        z = centre / root

        def vjp(g: Array) -> tuple[Array, Array, Array]:
            rows = g.reshape(-1, d)
            inner = g * weight.data
            down = d * inner - inner.sum(axis=-1, keepdims=True) - z * (inner * z).sum(axis=-1, keepdims=True)
            return down / (d * root), (rows * z.reshape(-1, d)).sum(axis=0), rows.sum(axis=0)

        return from_op(z * weight.data + bias.data, (x, weight, bias), vjp, "norm")


class Dropout(Module):
    def __init__(self, p: float = 0.5, rng: Any = None) -> None:
        if not 0.0 <= p < 1.0:
            raise ValueError(f"p = {p}")
        self.p, self.rng = p, rng
        if rng is None:
            self.rng = PCG32(0).substream("dropout")

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.p, training=self.training, rng=self.rng)


class ReLU(Module):
    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x)


class Tanh(Module):
    def forward(self, x: Tensor) -> Tensor:
        return F.tanh(x)


class GELU(Module):
    def __init__(self, approximate: str = "none") -> None:
        self.approximate = approximate

    def forward(self, x: Tensor) -> Tensor:
        return F.gelu(x, self.approximate)


class ModuleList(Module):
    def __init__(self, modules: Iterable[Module] = ()) -> None:
        self._items: list[Module] = []
        for module in modules:
            self.append(module)

    def append(self, module: Module) -> None:
        self.__dict__[str(len(self._items))] = module
        self._items.append(module)

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: int) -> Module:
        return self._items[index]

    def __iter__(self) -> Iterator[Module]:
        return iter(self._items)


class Sequential(ModuleList):
    def __init__(self, *modules: Module) -> None:
        ModuleList.__init__(self, modules)

    def forward(self, x: Any) -> Any:
        for module in self._items:
            x = module(x)
        return x
