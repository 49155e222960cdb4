"""A line, and finding it."""

from __future__ import annotations

from typing import Any

def values(x: Any, slope: float, intercept: float) -> Any:
    """slope * x + intercept, float32 with the shape of x."""
    ...

def fit(steps: int, seed: int) -> float:
    """Find y = 2 x + 1 from noisy points by gradient descent; the mean squared error after `steps` steps."""
    ...
