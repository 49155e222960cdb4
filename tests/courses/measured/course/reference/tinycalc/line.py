"""A line, and finding it."""

from __future__ import annotations

from typing import Any

import numpy as np


def values(x: Any, slope: float, intercept: float) -> Any:
    """slope * x + intercept."""
    return np.asarray(x, dtype=np.float32) * np.float32(slope) + np.float32(intercept)


def fit(steps: int, seed: int) -> float:
    """Gradient descent on noisy points."""
    rng = np.random.default_rng(seed)
    x = np.linspace(-1.0, 1.0, 50)
    y = 2.0 * x + 1.0 + 0.1 * rng.standard_normal(50)
    slope = intercept = 0.0
    for _ in range(steps):
        off = slope * x + intercept - y
        slope, intercept = slope - 0.5 * float(np.mean(off * x)), intercept - 0.5 * float(np.mean(off))
    return float(np.mean((slope * x + intercept - y) ** 2))
