"""In which order cases run, on the reference and on all else, and tests that lean on it."""

from __future__ import annotations

from dataclasses import replace

from ol.domain.report import Verdict
from ol.domain.run import RunRequest
from ol.domain.suite import Outcome, SuiteRun
from tests.commands.mutate_desk import FAULTS, REFERENCE, desk, gate
from tests.plain_runner import run_here

QUICK_FIRST = tuple(f"test_a.py::{name}" for name in ("test_add_below_zero", "test_top", "test_add"))


def with_a_slow_case(request: RunRequest) -> SuiteRun:
    """The true answer, in which one case takes its time."""
    run = run_here(request)
    slow = [
        replace(found, duration_s=0.2) if found.name == "test_add" else replace(found, duration_s=1e-5)
        for found in run.results
    ]
    return replace(run, results=tuple(slow))


def test_the_baseline_runs_twice_the_second_time_shuffled_and_sets_the_budget() -> None:
    made = desk()
    gate(made, seed=7)
    on_reference = [request for request in made.runner.requests if request.sources["tiny.a1"] == REFERENCE]
    assert [request.shuffle_seed for request in on_reference] == [None, 7]
    assert [request.budget.cpu_s for request in on_reference] == [60.0, 60.0]
    assert {request.budget.cpu_s for request in made.runner.requests[2:]} == {5.0 + 8.0 * 0.1}


def test_tests_that_lean_on_their_order_are_refused() -> None:
    leaning = "seen = []\n\n" + "\n".join(
        f"def test_{n}():\n    assert len(seen) == {n}\n    seen.append({n})\n" for n in range(4)
    )
    found = gate(desk(leaning), seed=1)
    assert found.reasons[0].slug == "suite-flaky"


def test_wheats_faults_and_the_neutral_variant_run_the_quick_cases_first_and_the_reference_its_own_orders() -> (
    None
):
    made = desk(answer=with_a_slow_case)
    assert gate(made).verdict is Verdict.PASSED
    first, second, *rest = made.runner.requests
    assert first.select is second.select is None and second.shuffle_seed is not None
    assert len(rest) == 2 + len(FAULTS) and {request.select for request in rest} == {QUICK_FIRST}


def test_no_fault_is_killed_in_an_order_in_which_the_reference_fails() -> None:
    """The order is refused as the neutral variant meets it, and the reference says that the order is to blame."""

    def leaning(request: RunRequest) -> SuiteRun:
        run = with_a_slow_case(request)
        if request.select != QUICK_FIRST:
            return run
        return replace(run, results=(replace(run.results[0], outcome=Outcome.FAILED), *run.results[1:]))

    found = gate(desk(answer=leaning))
    assert found.verdict is Verdict.FAILED and found.fields["score"] == 0
    assert [reason.slug for reason in found.reasons] == ["suite-flaky"]
    assert found.reasons[0].text.startswith(
        "test_a.py::test_add_below_zero passed on the reference, and not when"
    )
