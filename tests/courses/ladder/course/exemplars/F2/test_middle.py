"""Tests of F2, written out."""

import pytest

from tinystep.middle import middle


def test_an_odd_number() -> None:
    """The one in the middle, whatever the order."""
    assert middle([7.0, 1.0, 2.0]) == 2.0


def test_an_even_number() -> None:
    """The mean of the two in the middle."""
    assert middle([7.0, 1.0, 2.0, 4.0]) == 3.0


def test_none() -> None:
    """ValueError."""
    with pytest.raises(ValueError):
        middle([])


def test_the_list_is_kept() -> None:
    """The argument is as it was."""
    values = [5.0, 1.0, 3.0]
    middle(values)
    assert values == [5.0, 1.0, 3.0]
