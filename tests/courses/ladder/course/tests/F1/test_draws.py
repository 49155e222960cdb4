"""Course tests of F1."""

from tinystep.draws import draws, mean, pick
from tinystep.step import step


def test_no_draw() -> None:
    assert draws(5, 0) == [] and mean(5, 0) == 0.0


def test_the_first_draws() -> None:
    assert draws(5, 2) == [step(5), step(step(5))]


def test_the_mean() -> None:
    assert mean(5, 3) == sum(draws(5, 3)) / 3


def test_the_word() -> None:
    assert pick(5, ["a", "b", "c"]) == ["a", "b", "c"][step(5) % 3]
