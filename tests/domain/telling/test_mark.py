from __future__ import annotations

from ol.domain.telling.listing import Listing, Text
from ol.domain.telling.mark import is_known, marks
from tests.made import failed, frames

TEST = """def near(a):
    assert (
        a ==
        1
    )


def test_a():
    for a in (
        1, 2
    ):
        near(a)
"""
LISTING = Listing({}, {"test_x.py": Text("test_x.py", TEST), "data.json": Text("data.json", "no python (")})


def mark(*places: tuple[str, int, str], exception: str = "AssertionError") -> str:
    case = failed("test_a", exception=exception, frames=frames(*places))
    return marks([case], LISTING)["test_x.py::test_a"]


def test_a_mark_is_what_was_raised_and_the_lines_of_the_test_that_led_there() -> None:
    at = (("tests/test_x.py", 12, "test_a"), ("tests/test_x.py", 2, "near"), ("<tiny.a1>", 5, "add"))
    assert mark(*at) == "AssertionError 12 2"
    assert mark(*at, exception="tests.test_x.Odd") == "Odd 12 2"


def test_every_line_of_a_long_statement_is_its_first() -> None:
    assert {mark(("tests/test_x.py", line, "near")) for line in (2, 3, 4, 5)} == {"AssertionError 2"}
    assert mark(("tests/test_x.py", 10, "test_a")) == "AssertionError 9"


def test_a_line_that_no_statement_has_is_itself() -> None:
    assert (
        mark(("tests/test_x.py", 99, "test_a")) == mark(("tests/test_x.py", 99, "x")) == "AssertionError 99"
    )
    assert mark(("tests/gone.py", 3, "test_a")) == "AssertionError 3"


def test_a_mark_says_whether_the_test_knew_the_wrong_values() -> None:
    at = frames(("tests/test_x.py", 2, "near"))
    case = failed("test_a", exception="tests.frozen.Odd", frames=at, known_wrong="the sum, not the mean")
    known = marks([case], LISTING)["test_x.py::test_a"]
    assert known == "KnownMistake 2" and is_known(known)
    assert not is_known("AssertionError 2")
