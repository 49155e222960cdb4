"""Your tests of F2: write their bodies."""

import pytest

from tinystep.middle import middle


def test_an_odd_number() -> None:
    """The one in the middle, whatever the order."""


def test_an_even_number() -> None:
    """The mean of the two in the middle."""


def test_none() -> None:
    """ValueError."""


def test_the_list_is_kept() -> None:
    """The argument is as it was."""
