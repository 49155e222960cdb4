"""What is said of a step that did not do what it should."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ol.domain.milestone.expected import faults
from ol.domain.milestone.milestone import Metric, Step
from ol.domain.milestone.played import StepRun
from ol.domain.report import Reason
from tests.made import frames

STEP = Step("score", ("eval",), limit_s=7, metrics=(Metric("tokens", equals=12),), files=("m/config.json",))
LEFT = ("m/config.json",)


def said(**fields: Any) -> StepRun:
    return StepRun(0, 0.5, stdout=f"on the way\n{json.dumps(fields)}\n")


def found(run: StepRun, step: Step = STEP, left: tuple[str, ...] = LEFT, **earlier: Any) -> list[Reason]:
    return list(faults(step, run, left, earlier))


def only(run: StepRun, step: Step = STEP, left: tuple[str, ...] = LEFT, **earlier: Any) -> tuple[str, str]:
    (reason,) = found(run, step, left, **earlier)
    assert reason.next_step
    return reason.slug, reason.text


def test_a_step_that_did_what_it_should_has_no_fault() -> None:
    assert found(said(tokens=12, more=None)) == []


@pytest.mark.parametrize(
    ("stdout", "shown"),
    [
        ('{"tokens": 12}\ndone\n', "`done`"),
        ("[12]\n", "`[12]`"),
        ("", "empty"),
        ('{"tokens": NaN}\n', '`{"tokens": NaN}`'),
        ("[" * 100_000, "`" + "[" * 160 + "…`"),
    ],
)
def test_a_last_line_that_is_no_json_object_is_shown(stdout: str, shown: str) -> None:
    told = f"score: the last line of standard output is {shown}, expected one JSON object"
    assert only(StepRun(0, 0.5, stdout=stdout)) == ("step-last-line", told)


@pytest.mark.parametrize(("value", "shown"), [(11, "11"), (True, "True"), ("12", "'12'"), (None, "None")])
def test_a_field_that_is_not_as_it_should_be_is_named_with_both_values(value: object, shown: str) -> None:
    assert only(said(tokens=value)) == ("step-field", f"score: tokens is {shown}, expected 12")


def test_a_field_that_is_not_there_is_named() -> None:
    assert only(said(ppl=2.0)) == ("step-field", "score: its last line has no field 'tokens'")


@pytest.mark.parametrize(
    ("metric", "value", "expected"),
    [
        (Metric("x", at_least=1.0), 0.5, "at least 1.0"),
        (Metric("x", at_most=2.0), 2.5, "at most 2.0"),
        (Metric("x", at_least=1.0), "3", "at least 1.0"),
        (Metric("x", at_most=2.0), True, "at most 2.0"),
    ],
)
def test_a_bound_is_met_by_numbers_alone(metric: Metric, value: object, expected: str) -> None:
    step = Step("score", ("eval",), metrics=(metric,))
    assert only(said(x=value), step) == ("step-field", f"score: x is {value!r}, expected {expected}")
    assert found(said(x=1.5), step) == []


def test_a_file_that_was_not_left_is_named() -> None:
    assert only(said(tokens=12), left=()) == ("step-file", "score: it left no file m/config.json")


def test_ids_are_compared_with_those_of_an_earlier_step() -> None:
    again, other = Step("again", (), like="story"), Step("other", (), unlike="story")
    assert found(said(ids=[1, 2]), again, story={"ids": [1, 2]}) == []
    assert found(said(ids=[1, 3]), other, story={"ids": [1, 2]}) == []
    told = "again: other ids than `story`, expected the same"
    assert only(said(ids=[1, 3]), again, story={"ids": [1, 2]}) == ("step-ids", told)
    told = "other: the same ids as `story`, expected others"
    assert only(said(ids=[1, 2]), other, story={"ids": [1, 2]}) == ("step-ids", told)


@pytest.mark.parametrize("came", [{}, {"ids": None}, {"ids": "1 2"}])
def test_ids_that_are_no_list_are_like_and_unlike_nothing(came: dict[str, Any]) -> None:
    for step in (Step("again", (), like="story"), Step("other", (), unlike="story")):
        told = f"{step.name}: its last line has no list 'ids'"
        assert only(said(**came), step, story=came) == ("step-field", told)


def test_a_hang_is_named_with_its_limit_and_where_it_stood() -> None:
    stuck = frames(("__main__.py", 4, "<module>"), ("cli/train.py", 31, "train"))
    told = "score: it was ended, still running at its limit of 21 s, in cli/train.py, line 31"
    assert only(StepRun(1, 21.0, bound="wall", stuck=stuck)) == ("step-late", told)
    told = "score: it was ended, still running at its limit of 7 s of CPU time"
    assert only(StepRun(-24, 7.0, bound="cpu")) == ("step-late", told)


def test_a_flood_is_named() -> None:
    assert only(StepRun(-9, 1.0, bound="output"))[0] == "step-output"


def test_another_exit_code_is_told_with_the_last_word_on_standard_error() -> None:
    run = StepRun(1, 0.5, stderr="Traceback …\nValueError: no such model\n")
    told = "score: it ended with exit code 1, expected exit code 0: ValueError: no such model"
    assert only(run) == ("step-exit", told)
    told = "score: it ended with signal 11, expected exit code 0: nothing on standard error"
    assert only(StepRun(-11, 0.5)) == ("step-exit", told)


def test_a_refusal_is_one_sentence_and_needs_no_last_line() -> None:
    refused = Step("ask", ("eval",), code=2)
    assert found(StepRun(2, 0.5, stderr="tinyllm: there is no model\n"), refused) == []
    traceback = StepRun(2, 0.5, stderr="Traceback (most recent call last):\n…\n")
    assert only(traceback, refused)[0] == "step-traceback"
    assert only(StepRun(0, 0.5), refused)[0] == "step-exit"
