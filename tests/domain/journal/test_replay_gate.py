"""From what was found of each entry to its fate, and from the fates to the gate's verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ol.domain.course import ModuleId, Policy
from ol.domain.journal.entry import Phase, UnitRecord
from ol.domain.journal.replay import Fate, Replayed
from ol.domain.journal.replay_gate import judge_replay
from ol.domain.journal.snapshot import Difference
from ol.domain.report import Verdict
from tests.domain.journal.snapshots import A1, ALL_PASS, snapshot

DIFFERS = (Difference("test_x.py::test_a", "failed on the stub", "passed"),)


def found(fate: Fate) -> Replayed:
    lost, changed = {"test_x.py": "0" * 64}, {"numpy": ("1.0", "2.0")}
    match fate:
        case Fate.HELD:
            return Replayed(snapshot(Phase.RED, ALL_PASS, changed=changed))
        case Fate.STALE:
            return Replayed(snapshot(Phase.RED, ALL_PASS, changed=changed), DIFFERS)
        case Fate.FORGED:
            return Replayed(snapshot(Phase.RED, ALL_PASS), DIFFERS)
        case Fate.UNDECIDED:
            return Replayed(snapshot(Phase.RED, ALL_PASS), DIFFERS, met_limit=True)
        case Fate.LOST:
            return Replayed(snapshot(Phase.RED, ALL_PASS, lost=lost, changed=changed), DIFFERS)


@pytest.mark.parametrize("changed", ["numpy", "course", "python"])
def test_a_contradiction_is_forged_unless_what_it_hangs_on_is_another_now(changed: str) -> None:
    honest = snapshot(Phase.RED, ALL_PASS, changed={changed: ("1", "2")})

    def fate(**edit) -> Fate:
        made = replace(honest, link=replace(honest.link, entry=replace(honest.entry, **edit)))
        return Replayed(made, made.contradictions(A1)).fate

    theirs = {"tiny.other": UnitRecord("1" * 64, "1")}
    assert fate() is Fate.HELD
    assert fate(module=ModuleId("A0")) is Fate.FORGED
    assert fate(units={}) is Fate.FORGED
    assert fate(units=theirs) is (Fate.STALE if changed == "course" else Fate.FORGED)
    assert fate(functions={}) is (Fate.STALE if changed == "python" else Fate.FORGED)


@pytest.mark.parametrize("fate", Fate)
def test_a_fate_follows_from_what_was_found(fate: Fate) -> None:
    assert found(fate).fate is fate


@given(st.lists(st.sampled_from(Fate), min_size=1, max_size=20), st.sampled_from(["count", "refuse"]))
def test_the_gate_passes_exactly_when_every_entry_counts(fates: list[Fate], stale: str) -> None:
    gate = judge_replay(A1, [found(fate) for fate in fates], Policy(stale=stale))
    counting = {Fate.HELD, Fate.STALE} if stale == "count" else {Fate.HELD}
    assert (gate.verdict is Verdict.PASSED) == (set(fates) <= counting)
    assert (not gate.reasons) == (gate.verdict is Verdict.PASSED)
    assert all(reason.next_step for reason in gate.reasons)
    assert {fate: gate.fields[fate.value] for fate in Fate} == {fate: fates.count(fate) for fate in Fate}


def test_what_only_met_a_limit_is_inconclusive() -> None:
    assert judge_replay(A1, [found(Fate.UNDECIDED)], Policy()).verdict is Verdict.INCONCLUSIVE
    both = [found(Fate.UNDECIDED), found(Fate.FORGED)]
    assert judge_replay(A1, both, Policy()).verdict is Verdict.FAILED


def test_the_account_names_entry_function_claim_and_outcome() -> None:
    (reason,) = judge_replay(A1, [found(Fate.FORGED)], Policy()).reasons
    assert reason.text.startswith("Entry 3 of a (red, 2026-01-02 03:04) does not hold")
    assert reason.detail == ("test_x.py::test_a: on record: failed on the stub; found: passed",)
