"""Blanks in the given and the exemplar tests, as an author may get them wrong."""

from __future__ import annotations

import pytest

from ol.domain.course import Blank
from ol.domain.errors import CourseWrong
from ol.domain.grading import handed_out
from tests.made import module, texts

A1 = module("A.1", given=("test_a.py",), blanks=(Blank("DRAW", ""), Blank("WORD", "")))
GIVEN = "DRAW = ...  # by hand\nWORD: str = ...\nLIMIT = 3\n"
FILLED = "DRAW = 3\nWORD = 'x'\n"


def check(given: str = GIVEN, exemplars: str = FILLED) -> None:
    handed_out.check(A1, texts({"test_a.py": given, "notes.txt": "x"}), texts({"test_a.py": exemplars}))


def test_blanks_handed_out_open_and_filled_in_the_exemplars_are_right() -> None:
    check()


@pytest.mark.parametrize(
    ("given", "exemplars", "slug", "told"),
    [
        ("DRAW = ...\n", FILLED, "blank-given", "course/given/A.1 has no line of the blank WORD"),
        (
            GIVEN + "DRAW = ...\n",
            FILLED,
            "blank-given",
            "course/given/A.1/test_a.py has several lines of the blank DRAW",
        ),
        (GIVEN.replace("...  #", "3  #"), FILLED, "blank-given", "line 1, gives away the blank DRAW"),
        (GIVEN + "MEAN = ...\n", FILLED, "blank-undeclared", "MEAN is `...` in course/given/A.1/test_a.py:4"),
        (GIVEN, "DRAW = 3\n", "blank-missing", "WORD is assigned nowhere in course/exemplars/A.1/"),
        (
            GIVEN,
            FILLED.replace("3", "..."),
            "blank-open",
            "DRAW is not filled yet: course/exemplars/A.1/test_a.py:1",
        ),
        (GIVEN, FILLED.replace("3", "f()"), "blank-not-plain", "course/exemplars/A.1/test_a.py:1"),
        (GIVEN, FILLED + "DRAW = 4\n", "blank-twice", "course/exemplars/A.1/test_a.py:3"),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_a_cure(
    given: str, exemplars: str, slug: str, told: str
) -> None:
    with pytest.raises(CourseWrong) as caught:
        check(given, exemplars)
    assert caught.value.slug == slug and told in caught.value.message and caught.value.next_step
