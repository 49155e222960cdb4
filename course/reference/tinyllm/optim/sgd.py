"""Stochastic gradient descent with torch's semantics, and what any optimizer and its parameters look like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Param(Protocol):
    """What an optimizer updates: `data`, and `grad` of the same shape (or None)."""

    data: NDArray[Any]
    grad: NDArray[Any] | None


class Optimizer(Protocol):
    """What a training loop drives."""

    lr: float

    def zero_grad(self) -> None:
        """Forget every gradient."""
        ...

    def step(self) -> None:
        """Update every parameter that has a gradient."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """All that a resumed run needs."""
        ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from where `state` was taken."""
        ...


class SGD:
    """p ← p - lr d, where d is g = grad + weight_decay p, or with momentum the buffer b ← momentum b + g.

    Nesterov's form goes along g + momentum b. The first b is g.
    """

    def __init__(
        self,
        params: Iterable[Param],
        lr: float,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float = 0.0,
    ) -> None:
        self.params = list(params)
        self.lr = lr
        self.momentum = momentum
        self.nesterov = nesterov
        self.weight_decay = weight_decay
        self._buffers: list[NDArray[Any] | None] = [None] * len(self.params)
        self._check()

    def zero_grad(self) -> None:
        """Set every grad to None."""
        for p in self.params:
            p.grad = None

    def step(self) -> None:
        """Update in place every parameter whose grad is not None."""
        live = [(i, p.data, p.grad) for i, p in enumerate(self.params) if p.grad is not None]
        for i, data, grad in live:
            if grad.shape != data.shape:
                raise ValueError(f"parameter {i} has shape {data.shape} and its gradient {grad.shape}")
        lr = float(self.lr)  # a float64 scalar would upcast
        for i, data, grad in live:
            data -= lr * self._direction(i, data, grad)

    def _direction(self, i: int, data: NDArray[Any], grad: NDArray[Any]) -> NDArray[Any]:
        """What to go against, from the gradient of parameter i, which stays as it is."""
        d = grad + float(self.weight_decay) * data if self.weight_decay else grad
        if not self.momentum:
            return d
        buffer = self._buffers[i]
        if buffer is None:
            buffer = self._buffers[i] = np.array(d, dtype=data.dtype)  # a copy: grad is the caller's
        else:
            buffer *= float(self.momentum)
            buffer += d
        return d + float(self.momentum) * buffer if self.nesterov else buffer

    def state_dict(self) -> dict[str, Any]:
        """lr, momentum, nesterov, weight_decay and a copy of each momentum buffer."""
        return {
            "lr": self.lr,
            "momentum": self.momentum,
            "nesterov": self.nesterov,
            "weight_decay": self.weight_decay,
            "buffers": [None if b is None else b.copy() for b in self._buffers],
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on from where `state` was taken, on parameters of the same shapes."""
        buffers = [None if b is None else np.array(b) for b in state["buffers"]]
        if len(buffers) != len(self.params):
            raise ValueError(f"the state has {len(buffers)} buffers for {len(self.params)} parameters")
        for i, (b, p) in enumerate(zip(buffers, self.params, strict=True)):
            if b is not None and b.shape != p.data.shape:
                raise ValueError(f"buffer {i} has shape {b.shape}, its parameter {p.data.shape}")
        settings = [state[name] for name in ("lr", "momentum", "nesterov", "weight_decay")]
        self.lr, self.momentum, self.nesterov, self.weight_decay = settings
        self._buffers = buffers

    def _check(self) -> None:
        if not self.params:
            raise ValueError("an optimizer needs at least one parameter")
        if len({id(p) for p in self.params}) != len(self.params):
            raise ValueError("a parameter was given twice: it would be updated twice a step")
        for name in ("lr", "momentum", "weight_decay"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name} must be at least 0, got {getattr(self, name)}")
        if self.nesterov and not self.momentum > 0:
            raise ValueError("Nesterov's form needs a momentum above 0")
