"""Two functions of arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def scaled(values: ArrayLike, factor: float) -> NDArray[np.float64]:
    """Every value times the factor."""
    return np.asarray(values, dtype=np.float64) * factor


def largest(values: ArrayLike) -> int:
    """The index of the greatest value."""
    return int(np.asarray(values).argmax())
