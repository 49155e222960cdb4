"""A calculator that fits on a page."""

from __future__ import annotations

from collections.abc import Sequence

from tinycalc.num import total

LIMIT: int = 1000


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean."""
    if not values:
        raise ValueError("a mean needs a value")
    return total(values) / len(values)


def clamp(x: float, low: float, high: float) -> float:
    """x, moved into [low, high] where it lies outside."""
    if low > high:
        raise ValueError(f"{low} is above {high}")
    return max(low, min(x, high))


class Running:
    """A mean that takes one value at a time."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0.0

    def add(self, value: float) -> None:
        """Take one more value."""
        self.count += 1
        self._sum += value

    def mean(self) -> float:
        """The mean of the values taken."""
        if self.count == 0:
            raise ValueError("a mean needs a value")
        return self._sum / self.count
