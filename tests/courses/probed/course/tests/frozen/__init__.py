"""The frozen kit: numbers from a seed."""

from __future__ import annotations

import numpy as np


def drawn(seed: int, n: int) -> np.ndarray:
    """n float64 of (-1, 1), by the generator of Park and Miller."""
    state, values = seed % (2**31 - 2) + 1, []
    for _ in range(n):
        state = state * 48271 % (2**31 - 1)
        values.append(2 * state / (2**31 - 1) - 1)
    return np.array(values)
