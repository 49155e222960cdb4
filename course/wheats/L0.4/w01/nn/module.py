"""Module with a register of its own, written at each assignment and walked without recursion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor


class Module:
    training: bool = True

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__.setdefault("_register", {})[name] = None
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        del self.__dict__["_register"][name]

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("a subclass has to define forward")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    def _everything(self) -> list[tuple[str, Any]]:
        """(path, tensor or module), each object once, by a stack whose top is next."""
        found: list[tuple[str, Any]] = []
        known: list[Any] = []
        stack: list[tuple[str, Any]] = [("", self)]
        while stack:
            path, thing = stack.pop()
            if any(thing is other for other in known):
                continue
            known.append(thing)
            found.append((path, thing))
            if isinstance(thing, Module):
                names = [*thing.__dict__.get("_register", {})]
                below = [(path + "." + name if path else name, getattr(thing, name)) for name in names]
                stack += [each for each in reversed(below) if isinstance(each[1], (Tensor, Module))]
        return found

    def named_parameters(self) -> list[tuple[str, Tensor]]:
        return [(path, thing) for path, thing in self._everything() if not isinstance(thing, Module)]

    def parameters(self) -> list[Tensor]:
        return [thing for _, thing in self._everything() if isinstance(thing, Tensor)]

    def state_dict(self) -> dict[str, NDArray[Any]]:
        state = {}
        for path, tensor in self.named_parameters():
            state[path] = np.array(tensor.data)
        return state

    def load_state_dict(self, state: Mapping[str, ArrayLike], strict: bool = True) -> None:
        mine = dict(self.named_parameters())
        if strict:
            differing = sorted(set(mine) ^ set(state))
            if differing:
                raise KeyError("only one side has " + ", ".join(differing))
        arrays = {path: np.array(state[path]) for path in set(mine) & set(state)}
        for path, array in arrays.items():
            if array.shape != mine[path].data.shape:
                raise ValueError(f"{path} is {mine[path].data.shape}, the state has {array.shape}")
        for path, array in arrays.items():
            np.copyto(mine[path].data, array, casting="unsafe")

    def train(self, mode: bool = True) -> Module:
        for _, thing in self._everything():
            if isinstance(thing, Module):
                thing.__dict__["training"] = mode
        return self

    def eval(self) -> Module:
        return self.train(mode=False)

    def zero_grad(self) -> None:
        for _, tensor in self.named_parameters():
            tensor.grad = None
