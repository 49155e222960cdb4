"""Stochastic gradient descent with torch's semantics, and what any optimizer and its parameters look like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from numpy.typing import NDArray

class Param(Protocol):
    """What an optimizer updates: an array, and its gradient, of the same shape, or None if there is none."""

    data: NDArray[Any]
    grad: NDArray[Any] | None

class Optimizer(Protocol):
    """What a training loop drives. A schedule sets `lr` between steps."""

    lr: float

    def zero_grad(self) -> None:
        """Forget every gradient: each parameter's grad becomes None."""
        ...

    def step(self) -> None:
        """Update, in place, every parameter that has a gradient."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """All that load_state_dict needs, as copies."""
        ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on, bit for bit, from where `state` was taken."""
        ...

class SGD:
    """Gradient descent with momentum (heavy ball or Nesterov) and coupled weight decay, dampening 0.

    One step, for each parameter p whose grad is not None:

        g = grad + weight_decay p
        b = g at its first step, momentum b + g from then on        (without momentum there is no b)
        p = p - lr d        where d is g without momentum, b with it, g + momentum b with nesterov

    data changes in place and keeps its dtype, which b has too; grad is only read, and no buffer shares memory
    with it.
    Source: torch.optim.SGD, whose buffer, unlike that of Sutskever et al. (ICML 2013), does not contain lr.
    """

    params: list[Param]
    lr: float
    momentum: float
    nesterov: bool
    weight_decay: float

    def __init__(
        self,
        params: Iterable[Param],
        lr: float,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float = 0.0,
    ) -> None:
        """params are kept in the order given; no buffer is made before a step needs it.

        Raises ValueError: no parameter, one given twice, lr, momentum or weight_decay below 0 or NaN, or
        nesterov without momentum.
        """
        ...

    def zero_grad(self) -> None:
        """Set the grad of every parameter to None."""
        ...

    def step(self) -> None:
        """Update every parameter whose grad is not None; the others and their buffers stay as they are.

        Raises ValueError: a gradient whose shape is not its parameter's; nothing has changed then.
        """
        ...

    def state_dict(self) -> dict[str, Any]:
        """lr, momentum, nesterov, weight_decay, and buffers: for each parameter a copy of its b, or None."""
        ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over the settings and copies of the buffers: the next steps are those of the saved optimizer.

        Raises ValueError: another number of parameters, or a buffer of another shape. KeyError: a key is
        missing. Nothing has changed then.
        """
        ...
