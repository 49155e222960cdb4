"""What a run of a snapshot says of its entry: it holds, it is forged, or nothing is decided."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ol.domain.journal.entry import Phase
from ol.domain.journal.replay import Fate, Replayed, replayed
from ol.domain.suite import Budget, CollectionError, Exited, Facts, OutOfMemory, TimedOut
from tests.domain.journal.snapshots import ALL_PASS, DOES, NAMES, run, snapshot
from tests.made import completed, crashed

EVERY = frozenset({("line", f"test_x.py::{name}") for name in NAMES})
KIND = {"stub": "stub", "assertion": "assertion", "unit": "other", "test": "other"}
_DONE = st.fixed_dictionaries({name: st.sampled_from(sorted(DOES)) for name in NAMES})


def told(found: Replayed) -> set[str]:
    return {difference.what.partition("::")[2] for difference in found.differences}


@given(_DONE, _DONE)
def test_of_a_red_exactly_the_failures_that_do_not_come_again_are_told(
    then: dict[str, str], now: dict[str, str]
) -> None:
    found = replayed(snapshot(Phase.RED, then), run(now), EVERY)
    again = {name for name in NAMES if then[name] in KIND and KIND[then[name]] != KIND.get(now[name])}
    assert told(found) == again
    assert found.fate is (Fate.FORGED if again else Fate.HELD)


@given(st.sampled_from([Phase.GREEN, Phase.REFACTOR]), _DONE, _DONE)
def test_a_green_holds_exactly_when_all_of_it_passes(
    phase: Phase, then: dict[str, str], now: dict[str, str]
) -> None:
    found = replayed(snapshot(phase, then), run(now), EVERY)
    assert told(found) == {name for name in NAMES if {then[name], now[name]} != {"passes"}}


@given(_DONE, st.sets(st.sampled_from(NAMES)))
def test_reds_on_which_nothing_rests_are_told_and_do_not_weigh(then: dict[str, str], rest: set[str]) -> None:
    weigh = frozenset({("line", f"test_x.py::{name}") for name in rest})
    found = replayed(snapshot(Phase.RED, then), run({name: "passes" for name in NAMES}), weigh)
    assert told(found) == {name for name in rest if then[name] in KIND}
    assert {each.what.partition("::")[2] for each in found.idle} == {
        name for name in NAMES if name not in rest and then[name] in KIND
    }


def test_a_green_that_leaves_a_case_out_or_early_does_not_hold() -> None:
    green = snapshot(Phase.GREEN, ALL_PASS)
    assert told(replayed(green, replace(run(ALL_PASS), deselected=1), EVERY)) == {""}
    early = replayed(green, crashed(Exited(0), *NAMES), EVERY)
    assert [each.line for each in early.differences] == [
        "the run: on record: ended by itself; found: left early with exit code 0"
    ]
    assert early.fate is Fate.FORGED


@pytest.mark.parametrize("bound", [TimedOut(9.0, "cpu"), OutOfMemory(1 << 30)])
def test_a_limit_decides_nothing(bound: TimedOut | OutOfMemory) -> None:
    assert replayed(snapshot(Phase.GREEN, ALL_PASS), crashed(bound), EVERY).fate is Fate.UNDECIDED


def test_a_red_of_a_test_that_cannot_be_collected_says_why() -> None:
    error = CollectionError(
        "test_x.py", Facts("ModuleNotFoundError", ("ImportError",), "No module named 'x'")
    )
    red = snapshot(Phase.RED, {**ALL_PASS, "test_a": "stub"})
    (difference,) = replayed(red, completed(collection_errors=(error,)), EVERY).differences
    assert difference.found == "did not run: No module named 'x'"


def test_an_amended_red_runs_only_what_was_tried() -> None:
    done = {**ALL_PASS, "test_b": "stub"}
    budget = Budget.unmeasured(1.0)
    assert snapshot(Phase.AMENDED, done).request(budget).select == ("test_x.py::test_b",)
    assert snapshot(Phase.RED, done).request(budget).select is None
