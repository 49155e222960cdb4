"""A grade is remembered for exactly the files that it hangs on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ol.domain.suite import TimedOut
from tests.commands.mutate_desk import FAULTS, GIVEN, REFERENCE, WHOLE, desk, gate, only_on
from tests.made import crashed


def test_the_grade_is_remembered_and_says_so() -> None:
    made = desk()
    first = gate(made)
    ran = len(made.runner.requests)
    second = gate(made)
    assert (first.cached, second.cached) == (False, True)
    assert (second.summary, second.fields) == (first.summary, first.fields)
    assert len(made.runner.requests) == ran


def test_it_runs_afresh_when_asked_or_when_a_seed_is_given() -> None:
    made = desk()
    gate(made)
    assert not gate(made, cached=False).cached
    assert not gate(made, seed=3).cached


@pytest.mark.parametrize(
    "change",
    [
        lambda made, one: made.workspace.suites[one].update({"data.txt": "3"}),
        lambda made, one: made.workspace.suites[one].update({"test_a.py": WHOLE + "\n"}),
        lambda made, one: made.catalog.references.update({"a1.py": REFERENCE + "\n"}),
        lambda made, one: made.catalog.seeded.update({one: FAULTS[:3]}),
        lambda made, one: made.catalog.correct.update({one: ()}),
    ],
    ids=["a data file", "a test", "the reference", "the mutants", "the wheats"],
)
def test_any_file_that_can_change_the_verdict_makes_it_run_afresh(change: Callable[..., None]) -> None:
    made = desk()
    gate(made)
    change(made, made.module("A.1").id)
    assert not gate(made).cached


@pytest.mark.parametrize("forged", [b"", b"{}", b"not json", b'{"baseline": 3}'])
def test_a_memo_that_cannot_be_read_is_no_memo(forged: bytes) -> None:
    made = desk()
    gate(made)
    made.memo.kept = dict.fromkeys(made.memo.kept, forged)
    assert not gate(made).cached


def test_what_is_inconclusive_or_refused_is_not_remembered() -> None:
    hang = only_on(1, lambda request: crashed(TimedOut(20.0, "cpu")))
    for made in (desk(answer=hang), desk(GIVEN.replace("== 3", "== 4"))):
        gate(made)
        assert made.memo.kept == {}
