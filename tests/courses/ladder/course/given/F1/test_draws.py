"""Your tests of F1: work out each `...` by hand."""

import pytest

from tinystep.draws import draws, mean, pick

FIRST_DRAWS = ...  # by hand: the first three draws of seed 9
MEAN_DRAW = ...  # by hand: their mean
WORDS = ...  # by hand: what the seeds 9, 10 and 12 pick of oak, elm, ash, fir and yew


def test_the_draws() -> None:
    assert draws(9, 3) == FIRST_DRAWS


def test_their_mean() -> None:
    assert mean(9, 3) == pytest.approx(MEAN_DRAW)


def test_the_words() -> None:
    assert [pick(seed, ["oak", "elm", "ash", "fir", "yew"]) for seed in (9, 10, 12)] == WORDS


def test_as_many_as_asked_for() -> None:
    assert len(draws(2, 4)) == 4
