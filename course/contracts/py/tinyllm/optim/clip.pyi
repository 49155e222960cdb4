"""Clipping the gradients of all parameters by their common norm."""

from __future__ import annotations

from collections.abc import Iterable

from tinyllm.optim.sgd import Param

def clip_grad_norm_(params: Iterable[Param], max_norm: float) -> float:
    """Scale all gradients in place by max_norm / norm when norm > max_norm; return the norm from before.

    norm is the Euclidean norm of all gradients taken as one vector, summed in float64. Those that are None
    are left out; without any the norm is 0. At or below max_norm nothing changes. There is no epsilon: torch
    divides by norm + 1e-6, which makes its clipped gradients smaller by 1e-6 / norm, relatively.
    Raises ValueError: max_norm not above 0. FloatingPointError: a norm that is inf or NaN, before any
    gradient changes.
    Source: Pascanu, Mikolov and Bengio, "On the Difficulty of Training Recurrent Neural Networks" (2013).
    """
    ...
