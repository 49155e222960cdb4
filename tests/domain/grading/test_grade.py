from __future__ import annotations

from dataclasses import replace

import pytest

from ol.domain.grading.baseline import (
    Baseline,
    Flaw,
    Refusal,
    judge_baseline,
    judge_correct,
    judge_shuffled,
    quick_first,
)
from ol.domain.grading.grade import Grade, credited, judge_mutant, remaining
from ol.domain.grading.matrix import KillMatrix
from ol.domain.mutation import MutantOutcome, MutantResult
from ol.domain.suite import (
    CollectionError,
    Exited,
    Facts,
    Outcome,
    OutOfMemory,
    Signalled,
    Stage,
    SuiteRun,
    TimedOut,
    TooMuchOutput,
)
from tests.made import case, completed, crashed, failed, mutant

A, B, C = (f"test_x.py::test_{letter}" for letter in "abc")
BASELINE = Baseline((A, B, C))
FAULT = mutant("s01", "+", "-")
NOT_COLLECTED = (CollectionError("test_x.py", Facts("ImportError", message="no")),)


def outcome(run: SuiteRun, **more: object) -> MutantOutcome:
    return judge_mutant(replace(FAULT, **more), run, BASELINE).outcome  # type: ignore[arg-type]


@pytest.mark.parametrize("stage", [Stage.SETUP, Stage.CALL])
def test_a_baseline_case_that_fails_in_setup_or_call_kills(stage: Stage) -> None:
    result = judge_mutant(FAULT, completed(A, case(B, Outcome.ERROR, stage), C), BASELINE)
    assert (result.outcome, result.killers) == (MutantOutcome.KILLED, (B,))


def test_what_happens_after_a_kill_changes_nothing() -> None:
    assert outcome(crashed(Exited(0), A, failed(B))) is MutantOutcome.KILLED
    assert outcome(crashed(TimedOut(9, "wall"), failed(A))) is MutantOutcome.KILLED
    assert outcome(completed(failed(A), collection_errors=NOT_COLLECTED)) is MutantOutcome.KILLED


def test_a_mutant_survives_when_every_baseline_case_passed() -> None:
    assert outcome(completed(A, B, C)) is MutantOutcome.SURVIVED


@pytest.mark.parametrize(
    "run",
    [
        completed(A, B),
        completed(),
        completed(A, B, C, collection_errors=NOT_COLLECTED),
        completed(A, B, case(C, Outcome.ERROR, Stage.TEARDOWN)),
        completed(A, B, case(C, Outcome.SKIPPED)),
        completed(A, B, case(C, Outcome.XFAILED)),
        completed(A, B, case(C, Outcome.NOT_RUN)),
        completed(A, B, C.replace("test_c", "test_other")),
        completed(A, B, failed("test_new"), C, collection_errors=NOT_COLLECTED),
        crashed(Exited(0), A, B, C),
        crashed(Exited(1), running=A),
        crashed(Signalled(11), A, running=B),
        crashed(TimedOut(20.0, "cpu"), A, running=B),
        crashed(OutOfMemory(1 << 30), A),
        crashed(TooMuchOutput(1 << 23), A),
    ],
    ids=str,
)
def test_anything_else_is_inconclusive_and_says_why(run: SuiteRun) -> None:
    result = judge_mutant(FAULT, run, BASELINE)
    assert result.outcome is MutantOutcome.INCONCLUSIVE
    assert result.reason


def test_a_case_that_the_baseline_never_passed_kills_nothing() -> None:
    assert outcome(completed(A, B, C, failed("test_new"))) is MutantOutcome.SURVIVED


def test_a_time_out_kills_only_a_mutant_declared_to_hang() -> None:
    hang = crashed(TimedOut(20.0, "cpu"), A, running=B)
    assert outcome(hang, may_hang=True) is MutantOutcome.KILLED
    assert outcome(crashed(Exited(0), A, running=B), may_hang=True) is MutantOutcome.INCONCLUSIVE


def test_after_a_crash_the_cases_not_yet_tried_remain() -> None:
    assert remaining(crashed(Exited(0), A, running=B), BASELINE) == (C,)
    assert remaining(crashed(Signalled(11), running=A), BASELINE) == (B, C)


def test_after_a_time_out_an_exit_at_import_or_a_whole_run_none_remain() -> None:
    assert remaining(crashed(TimedOut(20.0, "cpu"), A, running=B), BASELINE) == ()
    assert remaining(crashed(Exited(0)), BASELINE) == ()
    assert remaining(completed(A), BASELINE) == ()


def test_a_suite_that_passes_twice_is_a_baseline() -> None:
    found = judge_baseline(completed(A, B))
    assert found == Baseline((A, B), 0.1, 0.1, (A, 0.001), (A, B))
    assert judge_shuffled(completed(B, A), found) is None


def test_quick_cases_come_first_within_their_file_and_class_and_a_little_more_time_moves_none() -> None:
    took = {
        "b.py::x": 0.009,
        "b.py::C::x": 0.5,
        "b.py::y": 0.0004,
        "b.py::C::y": 0.0009,
        "a.py::x[2]": 0.0031,
    }
    took |= {"b.py::z": 0.0001, "a.py::x[1]": 0.0021}
    run = completed(*(replace(case(id, Outcome.PASSED), duration_s=seconds) for id, seconds in took.items()))
    assert quick_first(run.results) == (
        *("b.py::y", "b.py::z", "b.py::x"),
        *("b.py::C::y", "b.py::C::x", "a.py::x[2]", "a.py::x[1]"),
    )


@pytest.mark.parametrize(
    ("flaw", "run"),
    [
        ("rejects", completed(A, failed(B))),
        ("rejects", crashed(Exited(0), failed(A))),
        ("crashed", crashed(Exited(0), A)),
        ("not collected", completed(collection_errors=NOT_COLLECTED)),
        ("not passed", completed(A, case(B, Outcome.SKIPPED))),
        ("not passed", completed(A, case(B, Outcome.XPASSED))),
        ("no cases", completed()),
    ],
)
def test_any_other_suite_is_no_measure(flaw: str, run: SuiteRun) -> None:
    found = judge_baseline(run)
    assert isinstance(found, Refusal)
    assert found.flaw.value == flaw


@pytest.mark.parametrize(
    "shuffled", [completed(A, failed(B)), completed(A), completed(A, case(B, Outcome.SKIPPED))]
)
def test_a_suite_that_fails_in_another_order_is_flaky(shuffled: SuiteRun) -> None:
    found = judge_shuffled(shuffled, Baseline((A, B)))
    assert found is not None
    assert found.flaw is Flaw.FLAKY


def test_a_suite_that_only_ends_in_one_order_is_told_how_it_ended() -> None:
    found = judge_shuffled(crashed(Exited(0), A), Baseline((A, B)))
    assert found is not None
    assert found.flaw is Flaw.CRASHED


def test_a_wheat_must_pass_every_baseline_case() -> None:
    assert judge_correct(completed(A, B, C), BASELINE) is None
    missing = judge_correct(completed(A, B), BASELINE)
    assert missing is not None
    assert (missing.flaw, missing.missing) == (Flaw.MISSING, (C,))


def graded(killed: int, survived: int, inconclusive: int = 0, *, required_killed: bool = True) -> Grade:
    made = [MutantOutcome.KILLED] * killed + [MutantOutcome.SURVIVED] * survived
    made += [MutantOutcome.INCONCLUSIVE] * inconclusive
    outcomes = made if required_killed else made[::-1]
    faults = [replace(FAULT, id=f"s{n:02}", required=n == 1) for n in range(1, len(made) + 1)]
    return Grade(tuple(MutantResult(*pair) for pair in zip(faults, outcomes, strict=True)), 0.70)


def test_nine_of_twelve_reach_the_threshold_and_eight_do_not() -> None:
    assert graded(9, 3).passed
    assert graded(9, 0, 3).passed
    assert not graded(8, 4).passed
    assert not graded(8, 3, 1).passed
    assert graded(7, 3).passed


def test_a_required_mutant_must_be_killed_whatever_the_score() -> None:
    grade = graded(11, 1, required_killed=False)
    assert grade.reached
    assert not grade.passed
    assert [result.mutant.id for result in grade.required_alive] == ["s01"]


def test_nothing_passes_on_no_mutants() -> None:
    assert not Grade((), 0.70).passed
    assert not Grade((), 0.0).passed


def test_without_a_threshold_the_figures_are_practice_and_fail_nobody() -> None:
    grade = replace(graded(1, 11, required_killed=False), threshold=0.0)
    assert grade.practice and grade.passed
    assert grade.summary == "1/12 mutants, for practice"
    assert not graded(1, 11).practice


def test_the_summary_is_the_clause_of_the_last_line() -> None:
    assert graded(11, 1).summary == "11/12 mutants (0.92 ≥ 0.70), s01 killed"
    assert graded(1, 11).summary == "1/12 mutants (0.08 < 0.70), s01 killed"


def test_a_retired_mutant_is_credited_as_killed() -> None:
    result = credited(replace(FAULT, retired="the contract allows it now"))
    assert result.outcome is MutantOutcome.KILLED
    assert result.reason == "retired: the contract allows it now"


def test_what_is_alive_is_told_required_first_then_worst_first() -> None:
    results = graded(0, 3).results
    late = replace(results[2], mutant=replace(results[2].mutant, required=True))
    early = replace(results[0], mutant=replace(results[0].mutant, required=False))
    assert [r.mutant.id for r in Grade((early, results[1], late), 0.7).alive] == ["s03", "s01", "s02"]


def test_the_matrix_shows_who_kills_whom_and_who_kills_nothing() -> None:
    matrix = KillMatrix(("t::a", "t::bb"), {"s01": ("t::a",), "s02": ()})
    assert matrix.idle == ("t::bb",)
    assert matrix.lines() == (
        "       s01 s02",
        "t::a    ×   ·",
        "t::bb   ·   ·",
        "kills nothing: t::bb",
    )
