"""Gradients by central differences in float64: slow, and independent of every backward pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray


def central_differences(
    f: Callable[[], float], x: NDArray[np.float64], eps: float = 1e-6
) -> NDArray[np.float64]:
    """df/dx, with the shape of x, where f() reads x: each entry is moved by eps both ways and put back.

    The error is about eps**2 times the third derivative, plus 1e-16 / eps times f: 1e-9 for f near 1.
    ValueError for an x that is not float64: float32 would drown the difference.
    """
    if x.dtype != np.float64:
        raise ValueError(f"central differences need float64, got {x.dtype}")
    gradient = np.empty_like(x)
    for place in np.ndindex(x.shape):
        kept = x[place]
        x[place] = kept + eps
        above = f()
        x[place] = kept - eps
        below = f()
        x[place] = kept
        gradient[place] = (above - below) / (2 * eps)
    return gradient
