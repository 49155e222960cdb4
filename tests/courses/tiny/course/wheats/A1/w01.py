"""A1 with a list of the values kept."""

from __future__ import annotations

import math
from collections.abc import Sequence

LIMIT: int = 1000


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean."""
    if len(values) == 0:
        raise ValueError("nothing to average")
    return math.fsum(values) / len(values)


def clamp(x: float, low: float, high: float) -> float:
    """x, moved into [low, high] where it lies outside."""
    if not low <= high:
        raise ValueError("the interval is empty")
    if x < low:
        return low
    return high if x > high else x


class Running:
    """A mean that takes one value at a time."""

    def __init__(self) -> None:
        self._values: list[float] = []

    @property
    def count(self) -> int:
        """How many values were taken."""
        return len(self._values)

    def add(self, value: float) -> None:
        """Take one more value."""
        self._values.append(value)

    def mean(self) -> float:
        """The mean of the values taken."""
        return mean(self._values)
