"""Layers made of the ops of F and of Tensor's operators alone, and a list that is a dictionary."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import tinyllm.autograd.functional as F
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.init import normal_init
from tinyllm.nn.module import Module
from tinyllm.num.rng import PCG32


def _must_end_in(x: Tensor, size: int) -> None:
    if not x.shape or x.shape[-1] != size:
        raise ValueError(f"the last axis must be {size}: {x.shape}")


class Linear(Module):
    def __init__(self, d_in: int, d_out: int, bias: bool = True, rng: Any = None) -> None:
        super().__init__()
        if d_in <= 0 or d_out <= 0:
            raise ValueError("a Linear needs inputs and outputs")
        generator = PCG32(0).substream("init") if rng is None else rng
        self.weight = Tensor(normal_init((d_out, d_in), d_in**-0.5, generator), requires_grad=True)
        self.bias = None
        if bias:
            self.bias = Tensor([0.0] * d_out, requires_grad=True)

    def forward(self, x: Tensor) -> Tensor:
        _must_end_in(x, self.weight.shape[1])
        product = F.matmul(x, F.transpose(self.weight))
        return product if self.bias is None else product + self.bias


class Embedding(Module):
    def __init__(self, n: int, d: int, rng: Any = None) -> None:
        super().__init__()
        if n <= 0 or d <= 0:
            raise ValueError("an Embedding needs rows and columns")
        generator = PCG32(0).substream("init") if rng is None else rng
        self.weight = Tensor(normal_init((n, d), 1.0, generator), requires_grad=True)

    def forward(self, ids: ArrayLike) -> Tensor:
        return F.embedding(self.weight, np.asarray(ids))


class LayerNorm(Module):
    def __init__(self, d: int, eps: float = 1e-5) -> None:
        super().__init__()
        if d <= 0:
            raise ValueError("a LayerNorm needs values")
        self.eps = eps
        self.weight = Tensor([1.0] * d, requires_grad=True)
        self.bias = Tensor([0.0] * d, requires_grad=True)

    def forward(self, x: Tensor) -> Tensor:
        _must_end_in(x, self.weight.shape[0])
        mean = F.mean(x, axis=-1, keepdims=True)
        variance = F.var(x, axis=-1, keepdims=True, correction=0)
        return (x - mean) * (variance + self.eps) ** -0.5 * self.weight + self.bias


class Dropout(Module):
    def __init__(self, p: float = 0.5, rng: Any = None) -> None:
        super().__init__()
        if not (p >= 0 and p < 1):
            raise ValueError("p is a probability below 1")
        self.p = p
        self.rng = PCG32(0).substream("dropout") if rng is None else rng

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.p, True, self.rng) if self.training else x


class ReLU(Module):
    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x)


class Tanh(Module):
    def forward(self, x: Tensor) -> Tensor:
        return F.tanh(x)


class GELU(Module):
    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, x: Tensor) -> Tensor:
        return F.gelu(x, approximate=self.approximate)


class ModuleList(Module):
    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__()
        self._size = 0
        for module in modules:
            self.append(module)

    def append(self, module: Module) -> None:
        setattr(self, f"{self._size}", module)
        self._size += 1

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> Module:
        place = index + self._size if index < 0 else index
        if not 0 <= place < self._size:
            raise IndexError(f"no module number {index}")
        module: Module = getattr(self, f"{place}")
        return module

    def __iter__(self) -> Iterator[Module]:
        for place in range(self._size):
            yield self[place]


class Sequential(ModuleList):
    def __init__(self, *modules: Module) -> None:
        super().__init__(modules)

    def forward(self, x: Any) -> Any:
        return functools.reduce(lambda value, module: module(value), self, x)
