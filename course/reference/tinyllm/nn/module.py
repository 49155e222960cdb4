"""A model as a tree of parts: what is assigned to an attribute belongs to it, in that order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor

Array = NDArray[Any]


class Module:
    """Tensor attributes are parameters, Module attributes are parts, everything else is left alone."""

    training: bool = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} defines no forward")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)

    def named_parameters(self) -> list[tuple[str, Tensor]]:
        return [(name, part) for name, part in self._walk("", set()) if isinstance(part, Tensor)]

    def parameters(self) -> list[Tensor]:
        return [tensor for _, tensor in self.named_parameters()]

    def state_dict(self) -> dict[str, Array]:
        return {name: tensor.data.copy() for name, tensor in self.named_parameters()}

    def load_state_dict(self, state: Mapping[str, ArrayLike], strict: bool = True) -> None:
        own = dict(self.named_parameters())
        missing, unexpected = [k for k in own if k not in state], [k for k in state if k not in own]
        if strict and (missing or unexpected):
            raise KeyError(f"the state does not fit: missing {missing}, unexpected {unexpected}")
        new = {name: np.asarray(state[name]) for name in own if name in state}
        wrong = [f"{k}: {v.shape} for {own[k].shape}" for k, v in new.items() if v.shape != own[k].shape]
        if wrong:
            raise ValueError(f"the state has other shapes: {'; '.join(wrong)}")
        for name, values in new.items():
            own[name].data[...] = values

    def train(self, mode: bool = True) -> Module:
        for _, part in self._walk("", set()):
            if isinstance(part, Module):
                part.training = mode
        return self

    def eval(self) -> Module:
        return self.train(False)

    def zero_grad(self) -> None:
        for tensor in self.parameters():
            tensor.grad = None

    def _walk(self, name: str, seen: set[int]) -> Iterator[tuple[str, Module | Tensor]]:
        """This module, its parameters and its parts with their dotted names, each object once, in order."""
        yield name, self
        seen.add(id(self))
        for key, part in list(vars(self).items()):
            if not isinstance(part, (Tensor, Module)) or id(part) in seen:
                continue
            dotted = f"{name}.{key}" if name else key
            if isinstance(part, Module):
                yield from part._walk(dotted, seen)
            else:
                seen.add(id(part))
                yield dotted, part
