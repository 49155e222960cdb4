"""Tests of F1, filled in."""

import pytest

from tinystep.draws import draws, mean, pick

FIRST_DRAWS = [88, 195, 58]
MEAN_DRAW = 113.6666667
WORDS = ["fir", "oak", "yew"]


def test_the_draws() -> None:
    assert draws(9, 3) == FIRST_DRAWS


def test_their_mean() -> None:
    assert mean(9, 3) == pytest.approx(MEAN_DRAW)


def test_the_words() -> None:
    assert [pick(seed, ["oak", "elm", "ash", "fir", "yew"]) for seed in (9, 10, 12)] == WORDS


def test_as_many_as_asked_for() -> None:
    assert len(draws(2, 4)) == 4
