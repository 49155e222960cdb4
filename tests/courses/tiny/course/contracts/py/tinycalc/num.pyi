"""Sums."""

from __future__ import annotations

from collections.abc import Iterable

def total(values: Iterable[float]) -> float:
    """The sum, 0.0 of nothing."""
    ...
