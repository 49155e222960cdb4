"""Layers: modules with the initial values and the parameter names that every model of the course shares."""

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


class Linear(Module):
    """x W^T + b as one node."""

    def __init__(self, d_in: int, d_out: int, bias: bool = True, rng: Any = None) -> None:
        _check_sizes("Linear", d_in, d_out)
        values = normal_init((d_out, d_in), 1 / math.sqrt(d_in), _default(rng, "init"))
        self.weight = Tensor(values, requires_grad=True)
        self.bias = Tensor(np.zeros(d_out), requires_grad=True) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        weight, bias = self.weight, self.bias
        if x.ndim < 1 or x.shape[-1] != weight.shape[1]:
            raise ValueError(f"Linear takes [..., {weight.shape[1]}], not {x.shape}")
        w, rows = weight.data, x.data.reshape(-1, weight.shape[1])
        out = rows @ w.T
        if bias is not None:
            out = np.add(out, bias.data, out=out if out.dtype == bias.dtype else None)

        def vjp(g: Array) -> tuple[Array | None, ...]:
            g = g.reshape(-1, w.shape[0])
            to_x = (g @ w).reshape(x.shape) if x.requires_grad else None
            to_weight = g.T @ rows if weight.requires_grad else None
            return (to_x, to_weight) if bias is None else (to_x, to_weight, np.add.reduce(g, axis=0))

        parents = (x, weight) if bias is None else (x, weight, bias)
        return from_op(out.reshape(*x.shape[:-1], w.shape[0]), parents, vjp, "linear")


class Embedding(Module):
    """Row ids[i] of the table for each id."""

    def __init__(self, n: int, d: int, rng: Any = None) -> None:
        _check_sizes("Embedding", n, d)
        self.weight = Tensor(normal_init((n, d), 1.0, _default(rng, "init")), requires_grad=True)

    def forward(self, ids: ArrayLike) -> Tensor:
        return F.embedding(self.weight, ids)


class LayerNorm(Module):
    """Each last-axis vector to mean 0 and variance 1, then weight and bias, as one node."""

    def __init__(self, d: int, eps: float = 1e-5) -> None:
        _check_sizes("LayerNorm", d)
        self.weight = Tensor(np.ones(d), requires_grad=True)
        self.bias = Tensor(np.zeros(d), requires_grad=True)
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        weight, bias = self.weight, self.bias
        if x.ndim < 1 or x.shape[-1] != weight.shape[0]:
            raise ValueError(f"LayerNorm takes [..., {weight.shape[0]}], not {x.shape}")
        w, centred = weight.data, x.data - x.data.mean(axis=-1, keepdims=True)
        scale = 1 / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + self.eps)
        unit = centred * scale

        def vjp(g: Array) -> tuple[Array, Array, Array]:
            across = tuple(range(g.ndim - 1))
            h = g * w
            along = h.mean(axis=-1, keepdims=True) + unit * (h * unit).mean(axis=-1, keepdims=True)
            return (h - along) * scale, (g * unit).sum(axis=across), g.sum(axis=across)

        return from_op(unit * w + bias.data, (x, weight, bias), vjp, "layer_norm")


class Dropout(Module):
    """While training, zero each value with probability p and scale the others by 1 / (1 - p)."""

    def __init__(self, p: float = 0.5, rng: Any = None) -> None:
        if not 0 <= p < 1:
            raise ValueError(f"Dropout needs 0 <= p < 1, not {p}")
        self.p = p
        self.rng = _default(rng, "dropout")

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.p, self.training, self.rng)


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
    """A list whose items are parts named 0, 1, …"""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        for module in modules:
            self.append(module)

    def append(self, module: Module) -> None:
        setattr(self, str(len(self)), module)

    def __len__(self) -> int:
        return sum(key.isdigit() for key in vars(self))

    def __getitem__(self, index: int) -> Module:
        return list(self)[index]

    def __iter__(self) -> Iterator[Module]:
        return (part for key, part in vars(self).items() if key.isdigit())


class Sequential(ModuleList):
    """The parts one after another."""

    def __init__(self, *modules: Module) -> None:
        super().__init__(modules)

    def forward(self, x: Any) -> Any:
        for module in self:
            x = module(x)
        return x


def _default(rng: Any, purpose: str) -> Any:
    return PCG32(0).substream(purpose) if rng is None else rng


def _check_sizes(layer: str, *sizes: int) -> None:
    if min(sizes) < 1:
        raise ValueError(f"{layer} needs sizes of at least 1, not {sizes}")
