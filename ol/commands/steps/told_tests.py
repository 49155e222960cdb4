"""A run of course tests in words: a line a test, the detail of what failed, and which pitfall it looks like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ol.domain.course import CourseModule, CourseTest
from ol.domain.grading.proof import Proof, judge_course_tests
from ol.domain.mutation import Mutant
from ol.domain.report import GateResult, Reason, Verdict
from ol.domain.sentence import sentence
from ol.domain.suite import CaseResult, Completed, Crashed, Outcome, SuiteRun
from ol.domain.telling.cause import Cause, Why, why_crashed, why_failed, why_not_collected
from ol.domain.telling.detail import detail, where
from ol.domain.telling.failure import told_as_fields
from ol.domain.telling.likeness import Marks, likest, looks_like
from ol.domain.telling.listing import Listing
from ol.domain.telling.mark import marks
from ol.ports import Catalog

NAME = "course tests"
Failures: TypeAlias = "Sequence[tuple[CaseResult, Cause]]"


@dataclass(frozen=True, slots=True)
class Selection:
    """Which course tests are asked for: all, those that `keyword` matches, or the smoke tests."""

    keyword: str = ""
    smoke: bool = False

    @property
    def partial(self) -> bool:
        return bool(self.keyword) or self.smoke


WHOLE = Selection()


@dataclass(frozen=True, slots=True)
class Pitfalls:
    """The module's faults, and the marks that each leaves on the course tests."""

    mutants: Mapping[str, Mutant] = field(default_factory=dict)
    matrix: Mapping[str, Marks] = field(default_factory=dict)

    @staticmethod
    def of(catalog: Catalog, module: CourseModule) -> Pitfalls:
        known = {mutant.id: mutant for mutant in catalog.mutants(module) if not mutant.retired}
        recorded = catalog.matrix(module)
        return Pitfalls(known, {id: recorded[id] for id in known if id in recorded})

    def likest(self, failures: Sequence[CaseResult], ran: Iterable[str], listing: Listing) -> Mutant | None:
        """The fault that fails the same cases in the same ways; None where none fits clearly."""
        return self.mutants.get(likest(marks(failures, listing), frozenset(ran), self.matrix))


@dataclass(frozen=True, slots=True)
class Telling:
    """Turns a run of course tests into a gate's result."""

    module: CourseModule
    listing: Listing
    selection: Selection
    pitfalls: Pitfalls
    show_all: bool
    option: str

    def gate(self, run: SuiteRun) -> GateResult:
        proof = judge_course_tests(*self._asked(run))
        failures = [
            (case, why_failed(case, self.listing)) for case in self._in_order(run) if _not_passed(case)
        ]
        verdict = Verdict.PASSED if proof.whole else Verdict.FAILED
        likest = self._likest(run, failures)
        causes = dict(failures)
        reasons = (
            *self._of_run(run),
            *self._of_failures(failures),
            *self._of_stubs(failures),
            *((looks_like(self.module.id, likest),) if likest else ()),
        )
        return GateResult(
            NAME,
            verdict,
            self._summary(proof),
            reasons or self._of_proof(proof),
            tuple(self._table(run, causes)),
            tuple(self._folded(run, causes)),
            fields={
                "passed": list(proof.passed),
                "of": proof.asked,
                "failures": told_as_fields(run, self.listing),
                "looks_like": likest.id if likest else "",
            },
        )

    def _summary(self, proof: Proof) -> str:
        whole = len(self.module.tests)
        return f"{proof.summary} selected of {whole}" if self.selection.partial else proof.summary

    def _asked(self, run: SuiteRun) -> tuple[SuiteRun, tuple[CourseTest, ...]]:
        """A selection is judged by what it selected; deselected cases are its very point."""
        if not self.selection.partial:
            return run, self.module.tests
        names = {case.name for case in run.results}
        asked = tuple(test for test in self.module.tests if test.name in names)
        return (replace(run, deselected=0) if isinstance(run, Completed) else run), asked

    def _in_order(self, run: SuiteRun) -> list[CaseResult]:
        """The manifest's order; the cases of one function as they ran."""
        order = {test.name: number for number, test in enumerate(self.module.tests)}
        return sorted(run.results, key=lambda case: order.get(case.name, len(order)))

    def _of_run(self, run: SuiteRun) -> tuple[Reason, ...]:
        if isinstance(run, Crashed):
            cause = why_crashed(run, self.listing)
            stuck = where(cause.frame, self.listing, "there") if cause.frame else ()
            told = sentence(f"The run did not end: {cause.text}")
            return (Reason(cause.why.value, told, cause.next_step, stuck),)
        causes = {why_not_collected(error, self.listing) for error in run.collection_errors}
        return tuple(
            Reason(
                cause.why.value,
                sentence(f"The tests could not be imported: {cause.text}"),
                cause.next_step,
                where(cause.frame, self.listing, "there") if cause.frame else (),
            )
            for cause in causes
        )

    def _of_failures(self, failures: Failures) -> list[Reason]:
        """Full detail for the first in the manifest's order, or for all when asked."""
        whys = {test.name: test.why for test in self.module.tests}
        reasons: list[Reason] = []
        for case, cause in failures:
            if cause.why is Why.STUB:
                continue
            lines: tuple[str, ...] = ()
            if self.show_all or not reasons:
                again = f"ol tests {self.module.id}{self.option} -k {case.name}"
                lines = detail(case, cause, self.listing, why=whys.get(case.name, ""), again=again)
            told = cause.text if lines else cause.known_wrong or cause.text
            reasons.append(Reason(cause.why.value, f"{_short(case)}: {told}", detail=lines))
        return reasons

    def _likest(self, run: SuiteRun, failures: Failures) -> Mutant | None:
        """The pitfall to look at, where the run ended and no course test knows the wrong values themselves."""
        met = [case for case, cause in failures if cause.why is not Why.STUB]
        if not met or isinstance(run, Crashed) or any(cause.known_wrong for _, cause in failures):
            return None
        waiting = {case.case_id for case, cause in failures if cause.why is Why.STUB}
        ran = {case.case_id for case in run.results if case.outcome is not Outcome.NOT_RUN}
        return self.pitfalls.likest(met, ran - waiting, self.listing)

    def _of_proof(self, proof: Proof) -> tuple[Reason, ...]:
        """Where nothing failed and the proof is not whole all the same."""
        told = ", ".join(f"{each.lack.value} {each.test}".rstrip() for each in proof.shortfalls)
        text = f"Not exactly the tests of the manifest ran: {told}."
        return (Reason("tests-incomplete", text),) if told else ()

    def _of_stubs(self, failures: Failures) -> Iterator[Reason]:
        """Not attempted, per contract name: not forty failures. The step to take is told once, for the first."""
        waiting = Counter(cause.text for _, cause in failures if cause.why is Why.STUB)
        step = f"Write it next, then run `ol tests {self.module.id}{self.option}` again."
        for told, count in waiting.items():
            wait = f"{told}: {count} case{'s wait' if count > 1 else ' waits'} for it"
            yield Reason(Why.STUB.value, wait, step)
            step = ""

    def _table(self, run: SuiteRun, causes: Mapping[CaseResult, Cause]) -> Iterator[str]:
        """A line a case that met written code."""
        for case in self._in_order(run):
            if _not_passed(case):
                yield from _not_passed_line(case, causes[case])
            else:
                yield f"passed   {_short(case)}"

    def _folded(self, run: SuiteRun, causes: Mapping[CaseResult, Cause]) -> Iterator[str]:
        """The same, where those cases of one function that passed are one line."""
        passed = Counter(case.function_id for case in run.results if not _not_passed(case))
        for case in self._in_order(run):
            if _not_passed(case):
                yield from _not_passed_line(case, causes[case])
            elif count := passed.pop(case.function_id, 0):
                yield (
                    f"passed   {_short(case)}" if count == 1 else f"passed   {_function(case)}  {count} cases"
                )


def _not_passed_line(case: CaseResult, cause: Cause) -> Iterator[str]:
    if cause.why is not Why.STUB:
        yield f"{case.outcome.value.upper():<8} {_short(case)}"


def _not_passed(case: CaseResult) -> bool:
    return case.outcome is not Outcome.PASSED


def _short(case: CaseResult) -> str:
    """`test_golden_torch[direct]`: the file is the same for all."""
    return case.case_id.split("::", 1)[-1]


def _function(case: CaseResult) -> str:
    return _short(case).partition("[")[0]
