"""B1 with numpy's own polynomial, and a matrix in the place of two sums."""

from __future__ import annotations

from typing import Any

import numpy as np


def values(x: Any, slope: float, intercept: float) -> Any:
    """slope * x + intercept."""
    return np.polyval(np.array([slope, intercept], dtype=np.float32), np.asarray(x, dtype=np.float32))


def fit(steps: int, seed: int) -> float:
    """Gradient descent on noisy points."""
    points = np.stack([np.linspace(-1.0, 1.0, 50), np.ones(50)], axis=1)
    y = points @ np.array([2.0, 1.0]) + 0.1 * np.random.default_rng(seed).standard_normal(50)
    line = np.zeros(2)
    for _ in range(steps):
        line = line - 0.5 * points.T @ (points @ line - y) / 50
    return float(np.mean((points @ line - y) ** 2))
