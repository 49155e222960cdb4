"""The draw that every language model of the course shares, one addition at a time."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import ArrayLike

from frozen.pcg32 import PCG32


def draw(logits: ArrayLike, temperature: float, rng: PCG32) -> int:
    """The next id from logits [V]: at temperature 0 the first maximum, and then nothing is drawn.

    Else, with z = logits / temperature in float64 and weights exp(z_j - max z), the first id whose running
    sum of weights, in id order, exceeds u times their total, where u is one uniform() of rng.
    """
    z = np.asarray(logits, dtype=np.float64)
    if temperature == 0:
        return int(np.flatnonzero(z == z.max())[0])
    z = z / temperature
    sums = list(itertools.accumulate(math.exp(value - z.max()) for value in z))
    point = rng.uniform() * sums[-1]
    return next(j for j, running in enumerate(sums) if running > point)
