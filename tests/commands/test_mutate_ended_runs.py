"""Faults that end a run: a crash is no kill, and a time-out is one only where the mutant may hang."""

from __future__ import annotations

from ol.domain.run import RunRequest
from ol.domain.suite import Exited, Outcome, SuiteRun, TimedOut
from tests.commands.mutate_desk import FAULTS, REFERENCE, desk, gate, only_on, texts
from tests.made import case, completed, crashed, mutant
from tests.plain_runner import run_here

ALL = tuple(f"test_a.py::{name}" for name in ("test_add", "test_add_below_zero", "test_top"))


def test_a_crash_does_not_count_as_killed_and_the_remaining_cases_are_run_in_a_new_child() -> None:
    def crash(request: RunRequest) -> SuiteRun:
        if request.select == ALL:
            return crashed(Exited(0), running="test_a.py::test_add")
        return run_here(request)

    made = desk(answer=only_on(3, crash))
    found = gate(made)
    assert found.fields["mutants"][3]["outcome"] == "killed"
    assert found.fields["mutants"][3]["killers"] == ["test_a.py::test_add_below_zero"]
    assert [r.select for r in made.runner.requests if r.select not in (None, ALL)] == [ALL[1:], ALL[1:]]
    assert made.runner.requests[-1].sources["tiny.a1"] == REFERENCE


def test_a_kill_in_an_order_of_its_own_that_the_reference_does_not_survive_is_no_kill() -> None:
    def crash(request: RunRequest) -> SuiteRun:
        return (
            crashed(Exited(0), running="test_a.py::test_add") if request.select == ALL else failing(request)
        )

    def failing(request: RunRequest) -> SuiteRun:
        assert request.select is not None
        return completed(*(case(id, Outcome.FAILED) for id in request.select))

    faulty = FAULTS[3].applied_to(REFERENCE)
    made = desk(
        answer=lambda r: (
            crash(r) if r.sources["tiny.a1"] == faulty else failing(r) if r.select == ALL[1:] else run_here(r)
        )
    )
    found = gate(made)
    assert found.fields["mutants"][3]["outcome"] == "inconclusive"
    assert "exit code 0" in found.fields["mutants"][3]["reason"]


def test_a_suite_that_crashes_on_every_case_is_inconclusive_in_the_end() -> None:
    def crash(request: RunRequest) -> SuiteRun:
        assert request.select is not None
        return crashed(Exited(1), running=request.select[0])

    found = gate(desk(answer=only_on(0, crash)))
    assert found.fields["mutants"][0]["outcome"] == "inconclusive"
    assert texts(found)[0].startswith(
        "s01 inconclusive, counted as not killed, and it is required: left early"
    )


def test_a_time_out_is_inconclusive_unless_the_mutant_may_hang() -> None:
    hang = only_on(1, lambda request: crashed(TimedOut(20.0, "cpu"), running="test_a.py::test_top"))
    assert gate(desk(answer=hang)).fields["mutants"][1]["outcome"] == "inconclusive"
    made = desk(answer=hang)
    faults = (FAULTS[0], mutant("s02", "item > best", "item < best", may_hang=True), *FAULTS[2:])
    made.catalog.seeded = {made.module("A.1").id: faults}
    assert gate(made).fields["mutants"][1]["outcome"] == "killed"
