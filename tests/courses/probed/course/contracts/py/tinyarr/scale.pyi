"""Two functions of arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

def scaled(values: ArrayLike, factor: float) -> NDArray[np.float64]:
    """Every value times the factor, float64, in the shape of the values."""
    ...

def largest(values: ArrayLike) -> int:
    """The index of the greatest value of [n], the lowest of equal ones."""
    ...
