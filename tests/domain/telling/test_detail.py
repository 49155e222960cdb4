from __future__ import annotations

from ol.domain.telling.cause import why_failed
from ol.domain.telling.detail import detail
from ol.domain.telling.listing import Listing, Text
from tests.made import failed, frames

OWN = Text("python/tiny/a1.py", "from tiny.a0 import low\n\n\ndef add(x, y):\n    return low(x)\n")
NEED = Text("python/tiny/a0.py", "def low(x):\n    return x.low\n")
TEST = Text("course/tests/A.1/test_x.py", "def test_a():\n    assert add(1, 2) == 3\n")
LISTING = Listing({"tiny.a1": OWN, "tiny.a0": NEED}, {"test_x.py": TEST}, own=frozenset({"tiny.a1"}))
IN_TEST, IN_OWN, IN_NEED = ("tests/test_x.py", 2, "test_a"), ("<tiny.a1>", 5, "add"), ("<tiny.a0>", 2, "low")


def told(*places: tuple[str, int, str], message: str = "no low", exception: str = "ValueError") -> list[str]:
    case = failed("test_a", message, exception, frames=frames(*places))
    return list(detail(case, why_failed(case, LISTING), LISTING))


def test_the_students_line_comes_first_and_then_the_need_that_it_called() -> None:
    assert told(IN_TEST, IN_OWN, IN_NEED) == [
        "your line python/tiny/a1.py:5, in add",
        "              return low(x)",
        "in        python/tiny/a0.py:2, in low",
        "              return x.low",
        "the test  course/tests/A.1/test_x.py:2, in test_a",
        "              assert add(1, 2) == 3",
        "next      Ask what that line was given.",
    ]


def test_a_line_that_is_not_ours_to_show_is_only_named() -> None:
    hidden = Listing({"tiny.a1": Text("the reference's tiny.a1", "")}, {"test_x.py": TEST})
    case = failed("test_a", "no low", "ValueError", frames=frames(IN_TEST, IN_OWN))
    lines = detail(case, why_failed(case, hidden), hidden)
    assert lines[0] == "in        the reference's tiny.a1:5, in add"
    assert not any("return" in line for line in lines)


def test_numbers_stand_in_the_place_of_a_long_message() -> None:
    message = "2 of 6 values differ (rtol 0, atol 0)\ngreatest difference: 1 absolute, 0.2 relative\nmore"
    lines = told(IN_TEST, message=message, exception="AssertionError")
    assert lines[:2] == ["2 of 6 values differ", "greatest difference: 1 absolute, 0.2 relative"]
    assert lines[2] == "your code python/tiny/a1.py: add (line 4)"


def test_pytests_own_advice_is_left_out() -> None:
    message = "assert [1] == [2]\n  At index 0 diff: 1 != 2\n  Use -v to get more diff"
    lines = told(IN_TEST, message=message, exception="AssertionError")
    assert lines[0] == "  At index 0 diff: 1 != 2"
    assert not any("-v" in line for line in lines)


def test_a_sentence_on_known_wrong_values_comes_first() -> None:
    message, sentence = "2 of 6 values differ", "y is x turned round"
    case = failed("test_a", message, frames=frames(IN_TEST), known_wrong=sentence)
    assert detail(case, why_failed(case, LISTING), LISTING)[:2] == (f"known     {sentence}", message)


def test_whatever_is_long_gives_way_to_what_to_do_next() -> None:
    long = {"message": "m\n" * 99, "output": "p\n" * 99, "known_wrong": "y is x turned round"}
    case = failed("test_a", frames=frames(IN_TEST, IN_OWN, IN_NEED), exception="E", **long)
    lines = detail(case, why_failed(case, LISTING), LISTING, why="it matters", again="ol tests")
    assert len(lines) == 25
    assert [line.split()[0] for line in lines[-3:]] == ["why", "next", "again"]
