from __future__ import annotations

import pytest

from ol.domain.course import ModuleId
from ol.domain.telling.likeness import likest, looks_like
from tests.made import mutant

ALL = ("a", "b", "c", "d", "e")
KNOWN = {
    "s01": {
        "a": "AssertionError 1",
        "b": "AssertionError 5",
        "c": "AssertionError 9",
        "d": "AssertionError 12",
    },
    "s02": {"a": "AssertionError 1", "b": "AssertionError 5"},
    "s03": {"e": "KnownMistake 20"},
    "s04": {"e": "AssertionError 21"},
}


@pytest.mark.parametrize("id", KNOWN)
def test_a_faults_own_failures_look_like_it(id: str) -> None:
    assert likest(KNOWN[id], ALL, KNOWN) == id


def test_one_failure_less_is_like_it_still_where_no_other_is_near() -> None:
    less = {case: KNOWN["s01"][case] for case in ("a", "c", "d")}
    assert likest(less, ALL, KNOWN) == "s01"


@pytest.mark.parametrize(
    "failures",
    [
        {},
        {"e": "AssertionError 20"},  # the case of s03 and s04, failing in another way
        {"a": "ValueError 1", "b": "ValueError 5"},
        {"a": "AssertionError 1", "b": "AssertionError 5", "c": "AssertionError 9"},  # between s01 and s02
        dict.fromkeys(ALL, "ImportError"),
    ],
)
def test_what_is_like_none_or_like_two_is_given_no_name(failures: dict[str, str]) -> None:
    assert likest(failures, ALL, KNOWN) == ""


def test_cases_that_did_not_run_speak_neither_for_nor_against() -> None:
    assert likest({"c": "AssertionError 9"}, ("c",), KNOWN) == "s01"
    assert likest({"a": "AssertionError 1"}, ("a",), KNOWN) == ""  # s01 and s02 are one there


def test_nothing_is_like_nothing() -> None:
    assert likest({"a": "AssertionError 1"}, ALL, {}) == ""
    assert likest({}, (), KNOWN) == ""


def test_a_pitfall_is_told_by_its_symptom_and_never_by_its_code() -> None:
    told = looks_like(ModuleId("A.1"), mutant("s01", "return x", "return y", pitfall="2", section="4"))
    assert told.text == "These failures look like pitfall 2 of the chapter: s01 symptom"
    assert told.next_step == "Read section 4 of the chapter. `ol hint A.1 s01` tells more, a step a call."
    assert "return" not in told.text + told.next_step and "s01 title" not in told.text


def test_a_fault_that_the_chapter_gives_no_number_is_called_none() -> None:
    told = looks_like(ModuleId("A.1"), mutant("s03", "a", "b"))
    assert told.text == "These failures look like a known mistake: s03 symptom"
    assert told.next_step == "`ol hint A.1 s03` tells more, a step a call."


VALUES = {
    "s05": {"a": "KnownMistake 10", **{case: "AssertionError 30" for case in ("b", "c", "d", "e")}},
    "s06": {"d": "AssertionError 30", "e": "AssertionError 30"},
}


@pytest.mark.parametrize(
    "first",
    [
        {"a": "AssertionError 10"},  # tried at that very comparison, and missed
        {"a": "AssertionError 12"},  # right at that comparison
        {"a": "AssertionError 9"},  # wrong before it, where that fault is right
        {},
    ],
)
def test_a_fault_whose_known_values_were_not_met_is_not_named(first: dict[str, str]) -> None:
    failures = {**VALUES["s05"], **first}
    if not first:
        del failures["a"]
    assert likest(failures, ALL, VALUES) == ""


def test_known_values_that_were_met_or_not_tried_speak_against_no_fault() -> None:
    assert likest(VALUES["s05"], ALL, VALUES) == "s05"
    others = {case: VALUES["s05"][case] for case in ("b", "c", "d", "e")}
    assert likest(others, ("b", "c", "d", "e"), VALUES) == "s05"


def test_a_fault_that_is_ruled_out_hides_no_other() -> None:
    known = {"s05": VALUES["s05"], "s07": {**VALUES["s05"], "a": "AssertionError 10"}}
    assert likest(known["s07"], ALL, known) == "s07"
