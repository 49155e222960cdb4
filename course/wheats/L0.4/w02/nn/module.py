"""Module by recursion over whole lists: every path is found first, and repeats are dropped afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor


class Module:
    training: bool = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self.forward(*args, **kwargs)
        return result

    def _paths(self, above: tuple[Module, ...] = ()) -> list[tuple[list[str], Tensor]]:
        """Every way to a tensor that does not lead through a module twice."""
        ways: list[tuple[list[str], Tensor]] = []
        line = (*above, self)
        for name, value in self.__dict__.items():
            if isinstance(value, Tensor):
                ways.append(([name], value))
            elif isinstance(value, Module) and not any(value is each for each in line):
                ways.extend(([name, *rest], tensor) for rest, tensor in value._paths(line))
        return ways

    def _family(self, met: dict[int, Module]) -> dict[int, Module]:
        if id(self) not in met:
            met[id(self)] = self
            for value in self.__dict__.values():
                if isinstance(value, Module):
                    value._family(met)
        return met

    def named_parameters(self) -> list[tuple[str, Tensor]]:
        first: dict[int, tuple[str, Tensor]] = {}
        for way, tensor in self._paths():
            first.setdefault(id(tensor), (".".join(way), tensor))
        return list(first.values())

    def parameters(self) -> list[Tensor]:
        return [pair[1] for pair in self.named_parameters()]

    def state_dict(self) -> dict[str, NDArray[Any]]:
        return dict((name, tensor.data.copy()) for name, tensor in self.named_parameters())

    def load_state_dict(self, state: Mapping[str, ArrayLike], strict: bool = True) -> None:
        targets = {name: tensor.data for name, tensor in self.named_parameters()}
        if strict and targets.keys() != state.keys():
            raise KeyError(
                f"lacking: {targets.keys() - state.keys()}; unknown: {state.keys() - targets.keys()}"
            )
        pairs = [(target, np.asarray(state[name])) for name, target in targets.items() if name in state]
        if any(target.shape != source.shape for target, source in pairs):
            raise ValueError("a shape differs")
        for target, source in pairs:
            target[...] = source

    def train(self, mode: bool = True) -> Module:
        for module in self._family({}).values():
            module.training = mode
        return self

    def eval(self) -> Module:
        self.train(False)
        return self

    def zero_grad(self) -> None:
        for tensor in self.parameters():
            tensor.grad = None
