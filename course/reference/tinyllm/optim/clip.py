"""Clipping the gradients of all parameters by their common norm."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from tinyllm.optim.sgd import Param


def clip_grad_norm_(params: Iterable[Param], max_norm: float) -> float:
    """Scale the gradients in place by max_norm / norm when norm > max_norm; return the norm as it was."""
    if not max_norm > 0:
        raise ValueError(f"max_norm must be above 0, got {max_norm}")
    grads = [p.grad for p in params if p.grad is not None]
    flat = [g.astype(np.float64).reshape(-1) for g in grads]  # squares of float32 overflow at 2e19
    norm = math.sqrt(math.fsum(float(g @ g) for g in flat))
    if not math.isfinite(norm):
        raise FloatingPointError(f"the gradient norm is {norm}: no gradient was changed")
    if norm > max_norm:
        for g in grads:
            g *= float(max_norm) / norm
    return norm
