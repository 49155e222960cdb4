"""The course tests of A1."""

from __future__ import annotations

import pytest
from frozen import assert_close
from tinycalc.calc import Running, clamp, mean


def test_mean_of_a_few():
    assert_close(mean([1.0, 2.0, 6.0]), 3.0)


def test_mean_refuses_nothing():
    with pytest.raises(ValueError):
        mean([])
    with pytest.raises(ValueError):
        Running().mean()


@pytest.mark.parametrize(("x", "expected"), [(-1.0, 0.0), (0.25, 0.25), (7.0, 1.0)])
def test_clamp_keeps_the_inside_and_moves_the_outside(x, expected):
    assert_close(clamp(x, 0.0, 1.0), expected)


def test_clamp_refuses_an_empty_interval():
    with pytest.raises(ValueError):
        clamp(0.5, 1.0, 0.0)


def test_running_agrees_with_mean():
    running, values = Running(), [4.0, 5.0, 9.0]
    for value in values:
        running.add(value)
    assert running.count == len(values)
    assert_close(running.mean(), mean(values))
