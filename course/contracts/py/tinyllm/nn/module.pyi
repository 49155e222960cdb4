"""Module, the base of every layer and model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor

class Module:
    """A part of a model, registered by attribute assignment.

    A Tensor assigned to an attribute is a parameter, a Module is a part, and any other value (None too) is
    left alone. Order is the order in which attributes were first assigned, a part's own parameters in its
    place. A parameter's name is the path to it with dots, such as "hidden.weight": these names are the keys
    of state dicts and of saved files. A Tensor or Module reachable by two paths is listed once, by the
    first. A subclass may assign at once: it need not call super().__init__() before, nor at all.
    """

    training: bool = True

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What calling the module does; a subclass defines it. Raises NotImplementedError: here."""
        ...

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """forward(*args, **kwargs)."""
        ...

    def named_parameters(self) -> list[tuple[str, Tensor]]:
        """(name, tensor) of every parameter, in order."""
        ...

    def parameters(self) -> list[Tensor]:
        """Every parameter, in order."""
        ...

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """{name: a copy of its array}, in order."""
        ...

    def load_state_dict(self, state: Mapping[str, ArrayLike], strict: bool = True) -> None:
        """Copy arrays, or nested lists, into the parameters' own arrays, which keep their dtype.

        With strict False, names that only one side has are passed over. Raises KeyError: strict, and names
        are missing or unexpected (all are listed). ValueError: a shape that differs. Nothing has been
        copied then.
        """
        ...

    def train(self, mode: bool = True) -> Module:
        """Set `training` here and in every part; returns this module."""
        ...

    def eval(self) -> Module:
        """train(False)."""
        ...

    def zero_grad(self) -> None:
        """Set the grad of every parameter to None."""
        ...
