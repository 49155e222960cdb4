"""M10.2 with nothing in place but the last line: every b is a new array, kept by the parameter's number."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Param(Protocol):
    data: NDArray[Any]
    grad: NDArray[Any] | None


class Optimizer(Protocol):
    lr: float

    def zero_grad(self) -> None: ...

    def step(self) -> None: ...

    def state_dict(self) -> dict[str, Any]: ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None: ...


class SGD:
    def __init__(
        self,
        params: Iterable[Param],
        lr: float,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float = 0.0,
    ) -> None:
        self.params = [*params]
        if len(self.params) == 0:
            raise ValueError("nothing to optimize")
        for position, p in enumerate(self.params):
            if any(p is earlier for earlier in self.params[:position]):
                raise ValueError("the same parameter twice")
        for value in (lr, momentum, weight_decay):
            if math.isnan(value) or value < 0:
                raise ValueError(f"{value} is no rate, momentum or decay")
        if nesterov and momentum == 0:
            raise ValueError("nesterov wants momentum")
        self.lr, self.momentum, self.nesterov, self.weight_decay = lr, momentum, nesterov, weight_decay
        self._velocity: dict[int, NDArray[Any]] = {}

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None

    def step(self) -> None:
        if any(p.grad is not None and p.grad.shape != p.data.shape for p in self.params):
            raise ValueError("a gradient does not have its parameter's shape")
        rate, mu, decay = float(self.lr), float(self.momentum), float(self.weight_decay)
        for number, p in enumerate(self.params):
            if p.grad is None:
                continue
            g = p.grad
            if decay > 0:
                g = g + decay * p.data
            if mu > 0:
                old = self._velocity.get(number)
                new = np.array(g if old is None else mu * old + g, dtype=p.data.dtype)
                self._velocity[number] = new
                g = g + mu * new if self.nesterov else new
            p.data[...] = p.data - rate * g

    def state_dict(self) -> dict[str, Any]:
        state: dict[str, Any] = {"buffers": []}
        for number in range(len(self.params)):
            velocity = self._velocity.get(number)
            state["buffers"].append(None if velocity is None else np.array(velocity))
        for name in ("lr", "momentum", "nesterov", "weight_decay"):
            state[name] = getattr(self, name)
        return state

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        lr, momentum, nesterov = state["lr"], state["momentum"], state["nesterov"]
        weight_decay, buffers = state["weight_decay"], list(state["buffers"])
        if len(buffers) != len(self.params):
            raise ValueError("the state is of another number of parameters")
        for p, b in zip(self.params, buffers, strict=True):
            if b is not None and np.shape(b) != p.data.shape:
                raise ValueError("a buffer does not have its parameter's shape")
        self.lr, self.momentum, self.nesterov, self.weight_decay = lr, momentum, nesterov, weight_decay
        self._velocity = {i: np.array(b) for i, b in enumerate(buffers) if b is not None}
