"""Random variables drawn from any generator of uniforms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def normal(rng: Any, n: int) -> NDArray[np.float64]:
    """float64 [n] standard normals by Box–Muller, in pairs (r cos t, r sin t)."""
    if n < 0:
        raise ValueError(f"the number of draws must be at least 0, got {n}")
    u = rng.uniforms(n + n % 2)
    radius = np.sqrt(-2.0 * np.log1p(-u[0::2]))  # 1 - u lies in (0, 1]: the logarithm is finite
    angle = 2.0 * math.pi * u[1::2]
    pairs = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return pairs.reshape(-1)[:n]
