"""Course tests passed: a positive proof, never an exit code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from ol.domain.course import CourseTest
from ol.domain.suite import CaseResult, Completed, Outcome, SuiteRun


class Lack(Enum):
    """Why a proof is not whole: four of a test, three of the run."""

    FAILED = "failed"
    SKIPPED = "skipped"  # xfailed and xpassed too
    MISSING = "missing"
    UNEXPECTED = "unexpected"
    DESELECTED = "deselected"
    COLLECTION = "collection"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Shortfall:
    """What a proof lacks, and where."""

    lack: Lack
    test: str  # the course test it is about, "" where it is the whole run
    cases: tuple[CaseResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """Whole when the functions that passed are exactly those asked for, every case of them."""

    passed: tuple[str, ...]
    asked: int
    shortfalls: tuple[Shortfall, ...]

    @property
    def whole(self) -> bool:
        return not self.shortfalls and len(self.passed) == self.asked > 0

    @property
    def first_short(self) -> str:
        """The first test, in the manifest's order, that did not pass; empty where it is the whole run."""
        return next((each.test for each in self.shortfalls if each.test), "")

    @property
    def summary(self) -> str:
        return f"{len(self.passed)}/{self.asked} course tests"


def judge_course_tests(run: SuiteRun, tests: Sequence[CourseTest]) -> Proof:
    """A function passes when it has cases and all of them passed; all must, and no other function may run."""
    by_name = _by_name(run.results)
    passed: list[str] = []
    shortfalls: list[Shortfall] = []
    for test in tests:
        cases = by_name.pop(test.name, ())
        if lack := _lack_of(cases):
            shortfalls.append(Shortfall(lack, test.name, cases))
        else:
            passed.append(test.name)
    shortfalls += [Shortfall(Lack.UNEXPECTED, name, cases) for name, cases in by_name.items()]
    return Proof(tuple(passed), len(tests), tuple(shortfalls) + _of_the_run(run))


def _by_name(results: Iterable[CaseResult]) -> dict[str, tuple[CaseResult, ...]]:
    by_name: dict[str, tuple[CaseResult, ...]] = {}
    for result in results:
        by_name[result.name] = (*by_name.get(result.name, ()), result)
    return by_name


def _lack_of(cases: Sequence[CaseResult]) -> Lack | None:
    outcomes = {case.outcome for case in cases}
    if not outcomes or outcomes <= {Outcome.NOT_RUN}:
        return Lack.MISSING
    if any(outcome.broken for outcome in outcomes):
        return Lack.FAILED
    return None if outcomes == {Outcome.PASSED} else Lack.SKIPPED


def _of_the_run(run: SuiteRun) -> tuple[Shortfall, ...]:
    if not isinstance(run, Completed):
        return (Shortfall(Lack.CRASHED, ""),)
    found = ((Lack.COLLECTION, bool(run.collection_errors)), (Lack.DESELECTED, run.deselected > 0))
    return tuple(Shortfall(lack, "") for lack, holds in found if holds)
