"""By loops."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def scaled(values: ArrayLike, factor: float) -> NDArray[np.float64]:
    """One value at a time."""
    found = np.array(values, dtype=np.float64)
    for place in np.ndindex(found.shape):
        found[place] = factor * found[place]
    return found


def largest(values: ArrayLike) -> int:
    """Keep the best so far."""
    values, best = list(values), 0
    for i, value in enumerate(values):
        if value > values[best]:
            best = i
    return best
