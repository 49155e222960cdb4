from __future__ import annotations

import pytest

from ol.domain.suite import CaseResult
from ol.domain.telling.cause import Why, why_failed
from ol.domain.telling.expected import expected
from ol.domain.telling.listing import Listing, Text
from tests.made import failed, frames

TEST = """def test_a(kind):
    add(0)
    with pytest.raises(ValueError):
        add(1)
        with raises((KeyError, np.exceptions.AxisError), match="axis"):
            add(2)
    with open("x") as file, pytest.raises(kind):
        add(3)
    with pytest.raises(TypeError): add(4)
"""
LISTING = Listing(
    units={"tiny.a1": Text("python/tiny/a1.py", "def add(x):\n    return [][x]\n")},
    tests={"test_x.py": Text("python/tests/a-1/test_x.py", TEST)},
)
EXPECTED = {2: "", 3: "", 4: "ValueError", 6: "KeyError or AxisError", 8: "", 9: "TypeError"}


def raised(line: int, *inner: tuple[str, int, str]) -> CaseResult:
    return failed(
        "test_a", "out of range", "IndexError", frames=frames(("tests/test_x.py", line, "test_a"), *inner)
    )


@pytest.mark.parametrize("line", EXPECTED)
def test_the_innermost_block_that_waits_for_an_exception_is_the_one(line: int) -> None:
    assert expected(raised(line).facts.frames, LISTING) == EXPECTED[line]


def test_another_exception_than_the_expected_is_told_with_it() -> None:
    cause = why_failed(raised(4, ("tiny.a1", 2, "add")), LISTING)
    assert cause.why is Why.UNIT
    assert cause.text == "IndexError: out of range (in add), where the test expects ValueError"
    assert (
        cause.next_step
        == "ValueError is to be raised there: look at what was given before that line works with it."
    )


def test_where_none_is_expected_none_is_told() -> None:
    cause = why_failed(raised(2, ("tiny.a1", 2, "add")), LISTING)
    assert (cause.text, cause.next_step) == (
        "IndexError: out of range (in add)",
        "Ask what that line was given.",
    )
