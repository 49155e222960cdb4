"""M10.2 with a memory beside each parameter and one scratch array for each, so that a step makes no array."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
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


@dataclass
class _Memory:
    """One parameter, its b once there is one, and room to work in."""

    param: Param
    b: NDArray[Any] | None = None
    room: NDArray[Any] = field(default_factory=lambda: np.empty(0))

    def work(self) -> NDArray[Any]:
        like = self.param.data
        if self.room.shape != like.shape or self.room.dtype != like.dtype:
            self.room = np.empty_like(like)
        return self.room


class SGD:
    def __init__(
        self,
        params: Iterable[Param],
        lr: float,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float = 0.0,
    ) -> None:
        self.params = list(params)
        if not self.params or len(set(map(id, self.params))) < len(self.params):
            raise ValueError("parameters must be some, and each of them once")
        if not (lr >= 0 and momentum >= 0 and weight_decay >= 0):
            raise ValueError("lr, momentum and weight_decay may not be negative")
        if nesterov and not momentum:
            raise ValueError("nesterov without momentum")
        self.lr = lr
        self.momentum = momentum
        self.nesterov = nesterov
        self.weight_decay = weight_decay
        self._memories = [_Memory(p) for p in self.params]

    def zero_grad(self) -> None:
        for memory in self._memories:
            memory.param.grad = None

    def step(self) -> None:
        moving = [memory for memory in self._memories if memory.param.grad is not None]
        for memory in moving:
            if getattr(memory.param.grad, "shape", None) != memory.param.data.shape:
                raise ValueError("gradient and parameter differ in shape")
        for memory in moving:
            self._move(memory)

    def _move(self, memory: _Memory) -> None:
        data, grad, room = memory.param.data, memory.param.grad, memory.work()
        assert grad is not None
        np.multiply(data, float(self.weight_decay), out=room)
        np.add(grad, room, out=room)
        if self.momentum:
            if memory.b is None:
                memory.b = room.copy()
            else:
                np.multiply(memory.b, float(self.momentum), out=memory.b)
                np.add(memory.b, room, out=memory.b)
            if self.nesterov:
                room += float(self.momentum) * memory.b
            else:
                room[...] = memory.b
        room *= float(self.lr)
        np.subtract(data, room, out=data)

    def state_dict(self) -> dict[str, Any]:
        buffers = [memory.b if memory.b is None else memory.b.copy() for memory in self._memories]
        settings = {"lr": self.lr, "momentum": self.momentum, "nesterov": self.nesterov}
        return {**settings, "weight_decay": self.weight_decay, "buffers": buffers}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        settings = {name: state[name] for name in ("lr", "momentum", "nesterov", "weight_decay")}
        buffers = [b if b is None else np.array(b) for b in state["buffers"]]
        if len(buffers) != len(self._memories):
            raise ValueError(f"{len(buffers)} buffers do not fit {len(self._memories)} parameters")
        for b, memory in zip(buffers, self._memories, strict=True):
            if b is not None and b.shape != memory.param.data.shape:
                raise ValueError("a buffer has another shape than its parameter")
        vars(self).update(settings)
        for b, memory in zip(buffers, self._memories, strict=True):
            memory.b = b
