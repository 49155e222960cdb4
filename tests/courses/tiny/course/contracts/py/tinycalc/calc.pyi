"""A calculator that fits on a page."""

from __future__ import annotations

from collections.abc import Sequence

LIMIT: int = 1000

def mean(values: Sequence[float]) -> float:
    """The arithmetic mean.

    Raises ValueError: no value.
    """
    ...

def clamp(x: float, low: float, high: float) -> float:
    """x, moved into [low, high] where it lies outside.

    Raises ValueError: low above high.
    """
    ...

class Running:
    """A mean that takes one value at a time; `count` values so far."""

    count: int

    def __init__(self) -> None:
        """No value yet."""
        ...

    def add(self, value: float) -> None:
        """Take one more value."""
        ...

    def mean(self) -> float:
        """The mean of the values taken.

        Raises ValueError: no value.
        """
        ...
