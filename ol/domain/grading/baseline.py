"""A student's tests on correct code: what they must do there before any fault is tried on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ol.domain.suite import CaseResult, CollectionError, Completed, Crashed, Outcome, SuiteRun


@dataclass(frozen=True, slots=True)
class Baseline:
    """The cases that pass on the reference, in the order they ran, and what they cost."""

    cases: tuple[str, ...]
    cpu_s: float = 0.0
    duration_s: float = 0.0
    slowest: tuple[str, float] = ("", 0.0)  # case and seconds
    quick_first: tuple[str, ...] = ()  # the same cases, in the order in which a failure is soonest met


class Flaw(Enum):
    """Why a suite is no measure."""

    REJECTS = "rejects"
    CRASHED = "crashed"
    NOT_COLLECTED = "not collected"
    NOT_PASSED = "not passed"
    NO_CASES = "no cases"
    MISSING = "missing"  # a case of the baseline
    FLAKY = "flaky"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A suite's flaw, and what shows it."""

    flaw: Flaw
    case: CaseResult | None = None
    error: CollectionError | None = None
    crash: Crashed | None = None
    missing: tuple[str, ...] = ()


def judge_baseline(run: SuiteRun) -> Baseline | Refusal:
    """Every case passes on the reference."""
    failed = [case for case in run.results if case.outcome.broken]
    if failed:
        return Refusal(Flaw.REJECTS, failed[0])
    if not isinstance(run, Completed):
        return Refusal(Flaw.CRASHED, crash=run)
    if run.collection_errors:
        return Refusal(Flaw.NOT_COLLECTED, error=run.collection_errors[0])
    unproved = [case for case in run.results if case.outcome is not Outcome.PASSED]
    if unproved:
        return Refusal(Flaw.NOT_PASSED, unproved[0])
    if not run.results:
        return Refusal(Flaw.NO_CASES)
    slowest = max(run.results, key=lambda case: case.duration_s)
    cases = tuple(case.case_id for case in run.results)
    return Baseline(
        cases, run.cpu_s, run.duration_s, (slowest.case_id, slowest.duration_s), quick_first(run.results)
    )


def quick_first(results: Sequence[CaseResult]) -> tuple[str, ...]:
    """By how many times a millisecond has to be doubled for a case: figures that vary leave the order alone.

    File by file and class by class, so that what their cases share is made once.
    """
    homes = {home: place for place, home in enumerate(dict.fromkeys(map(_home, results)))}
    return tuple(
        case.case_id for case in sorted(results, key=lambda case: (homes[_home(case)], _doublings(case)))
    )


def _home(case: CaseResult) -> str:
    """The file and class of a case."""
    return case.function_id.rpartition("::")[0]


def _doublings(case: CaseResult) -> int:
    return int(case.duration_s * 1000).bit_length()


def judge_shuffled(run: SuiteRun, baseline: Baseline) -> Refusal | None:
    """None when every case passes on the reference in another order too; else it was luck or order."""
    refusal = judge_correct(run, baseline)
    if refusal is not None and refusal.flaw in (Flaw.REJECTS, Flaw.MISSING, Flaw.NOT_PASSED):
        return Refusal(Flaw.FLAKY, refusal.case, missing=refusal.missing)
    return refusal


def judge_correct(run: SuiteRun, baseline: Baseline) -> Refusal | None:
    """None when every baseline case passes on other correct code: a wheat, a neutral variant."""
    found = judge_baseline(run)
    if isinstance(found, Refusal):
        return found
    missing = tuple(case for case in baseline.cases if case not in set(found.cases))
    return Refusal(Flaw.MISSING, missing=missing) if missing else None
