"""The frozen kit: what course tests measure with."""

from __future__ import annotations


def assert_close(got: float, expected: float, atol: float = 1e-9) -> None:
    """Two numbers no further apart than `atol`."""
    assert abs(got - expected) <= atol, f"got {got}, expected {expected} within {atol}"
