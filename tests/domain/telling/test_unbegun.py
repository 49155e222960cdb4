"""Tests that fail before a line of them runs, in words."""

from __future__ import annotations

import pytest

from ol.domain.suite import CaseResult, Outcome, Stage
from ol.domain.telling.unbegun import never_began
from tests.made import case, failed, frames

LOOKUP = "_pytest.fixtures.FixtureLookupError"


def unbegun(id: str, message: str = "fixture 'n' not found", exception: str = LOOKUP) -> CaseResult:
    return case(id, Outcome.ERROR, Stage.SETUP, message=message, exception=exception)


@pytest.mark.parametrize(
    ("exception", "message", "step"),
    [
        (LOOKUP, "fixture 'self' not found", "no `self`"),
        (LOOKUP, "fixture 'nope' not found", "correct the name"),
        ("TypeError", "TestC.test_a() takes 0 positional arguments but 1 was given", "takes `self` first"),
        ("Failed", "async def functions are not natively supported.\nYou need", "plain `def`"),
        ("Failed", "ScopeMismatch: You tried to access …", "its fixtures"),
    ],
)
def test_each_says_what_is_wrong_with_it_and_what_to_do(exception: str, message: str, step: str) -> None:
    reason = never_began([case("test_ok"), unbegun("test_a", message, exception)])
    assert reason is not None and reason.slug == "test-never-began"
    said = message.split("\n")[0].rstrip(".")
    assert reason.text == f"test_x.py::test_a fails before its first line, whatever the unit holds: {said}."
    assert step in reason.next_step


def test_the_others_are_named_below_a_line_a_function_of_very_many_the_first() -> None:
    reason = never_began([unbegun("test_a[1]"), unbegun("test_a[2]"), unbegun("test_b")])
    assert reason is not None and reason.detail == ("test_x.py::test_b: fixture 'n' not found",)
    reason = never_began([unbegun(f"test_{n}") for n in range(13)])
    assert reason is not None and len(reason.detail) == 11 and reason.detail[-1] == "and 2 more"


@pytest.mark.parametrize(
    "result",
    [
        case("test_a"),
        failed("test_a"),
        failed(
            "test_a", "f() takes 0 positional arguments", "TypeError", frames=frames(("tests/t.py", 1, "t"))
        ),
        failed("test_a", "not yet", "NotImplementedError", frames=frames(("tiny.a1", 2, "add"))),
        case("test_a", Outcome.ERROR, Stage.TEARDOWN, message="late", exception="TypeError"),
        case("test_a", Outcome.SKIPPED, Stage.SETUP, message="not here", exception="Skipped"),
    ],
)
def test_a_test_that_ran_a_line_or_that_did_not_fail_is_none(result: CaseResult) -> None:
    assert never_began([result]) is None
