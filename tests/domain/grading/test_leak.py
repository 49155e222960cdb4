"""A value that is to be worked out, looked for in what students read."""

from __future__ import annotations

import pytest

from ol.domain.course import Blank
from ol.domain.grading.leak import stands_in
from ol.domain.grading.literal import Value

EXACT, NEAR = Blank("B", ""), Blank("B", "", rtol=1e-3)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (355, "draws are 7, 355 and 12"),
        (355, "assert f() == 0x163  # so"),
        (355, "x = [355]"),
        (355, "it is -355."),
        (-355, "it is 355"),
        (1421487, "the first draw, 1_421_487, is"),
        (1421487, "the first draw, 1,421,487, is"),
        (2.5, "half of five is 2.5."),
        (0.25, "a share of .25 of all"),
        (0.001, "within 1e-3"),
        (3.0, "3 of them"),
        ([1, 2, 3], "np.array([[1, 2, 3], [4, 5, 6]])"),
        ([1, 2, 3], "1 2\n3"),
        ([[1, 2], [3, 4]], "[[1, 2],\n [3, 4]]"),
        ("yew", '["oak", "yew"]'),
        (["fir", "oak"], "first fir, then oak".replace("then ", "")),
        (["fir", "oak"], 'words = ["elm", "fir", "oak"]'),
        ("<s> a", "it begins with <s> a, and"),
    ],
)
def test_a_value_is_found_however_it_is_written(value: Value, text: str) -> None:
    assert stands_in(value, EXACT, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (355, "3551 and 1355, 35.5 and 3.55"),
        (355, "float355, x355y, v1.355 and 2.355.1"),
        (64, "np.float64 and int64"),
        (2.5, "2.51 and 12.5"),
        ([1, 2, 3], "3, 2, 1 and 1, 3, 2"),
        ([1, 2, 3], "1, 2 and then 4, 3"),
        ("yew", "yews and askew"),
        (["fir", "oak"], "oak, fir"),
        (True, "True is 1"),
        ([True, False], "True, False, 1, 0"),
        ([], "anything"),
    ],
)
def test_other_values_and_parts_of_words_are_not_taken_for_it(value: Value, text: str) -> None:
    assert not stands_in(value, EXACT, text)


def test_what_is_near_enough_to_be_written_in_is_found_and_what_is_not_is_no_help() -> None:
    assert stands_in(113.6667, NEAR, "about 113.7 in all")
    assert not stands_in(113.6667, NEAR, "about 114 in all")
