"""In words: where course tests are no proof of the code that they ran on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ol.commands.proofs.evidence import Evidence
from ol.domain.authoring.manifest import manifest_path
from ol.domain.course import CourseTest
from ol.domain.grading.proof import Lack, Shortfall, judge_course_tests
from ol.domain.grading.variant import Variant
from ol.domain.report import Reason
from ol.domain.suite import CaseResult, Crashed, Outcome, SuiteRun
from ol.domain.telling.cause import why_crashed, why_failed, why_not_collected
from ol.domain.telling.detail import detail
from ol.domain.telling.listing import Listing, Text, texts

_SLUGS = {Lack.FAILED: "test-failed", Lack.SKIPPED: "test-skipped"}
NOT_TRIED = "not tried: the reference fails"


def shortfalls(
    evidence: Evidence, run: SuiteRun, on: Variant, tests: Sequence[CourseTest], cure: str
) -> tuple[Reason, ...]:
    """A reason for each course test that did not pass, the detail for the first; none where all did."""
    held = listing(evidence, on)
    found = [*_of_the_run(run, on, held, cure), *_of_tests(run, on, held, tests, cure)]
    found += [] if found else _not_run(evidence, run, on, tests, cure)
    return tuple(
        Reason(each.slug, f"{folder(evidence)}/{each.text}", each.next_step, each.detail) for each in found
    )


def unlisted(evidence: Evidence, run: SuiteRun) -> Iterator[Reason]:
    """Where the manifest's list of tests and what pytest collects differ."""
    manifest = manifest_path(evidence.id)
    for shortfall in judge_course_tests(run, evidence.module.tests).shortfalls:
        if shortfall.lack is Lack.MISSING:
            told = (
                f"{manifest} lists {shortfall.test}, and pytest collects no such test in {folder(evidence)}."
            )
            yield Reason("test-not-collected", told, "Write it, or take it out of the manifest.")
        elif shortfall.lack is Lack.UNEXPECTED:
            file = shortfall.cases[0].case_id.split("::")[0]
            told = f"{manifest} does not list {shortfall.test} of {folder(evidence)}/{file}."
            yield Reason("test-not-listed", told, "Add it to [[tests]], with its kinds and why it matters.")


def folder(evidence: Evidence) -> str:
    return f"course/tests/{evidence.id}"


def listing(evidence: Evidence, on: Variant) -> Listing:
    """The course's own lines may all be shown: their author asks."""
    files = evidence.ports.catalog.course_tests(evidence.module)
    units = {dotted: Text(f"{on.name}, {dotted}", text) for dotted, text in on.sources.items()}
    return Listing(units, texts(folder(evidence), files))


def why(case: CaseResult, held: Listing) -> tuple[str, tuple[str, ...]]:
    """A case's cause in a line, and its detail."""
    cause = why_failed(case, held)
    return cause.text, detail(case, replace(cause, next_step=""), held)


def _of_tests(
    run: SuiteRun, on: Variant, held: Listing, tests: Sequence[CourseTest], cure: str
) -> Iterator[Reason]:
    shown = False
    for shortfall in judge_course_tests(run, tests).shortfalls:
        if shortfall.lack in _SLUGS:
            case = _first_bad(shortfall)
            text, lines = why(case, held)
            yield Reason(
                _SLUGS[shortfall.lack], f"{case.case_id} on {on.name}: {text}", cure, () if shown else lines
            )
            shown = True


def _not_run(
    evidence: Evidence, run: SuiteRun, on: Variant, tests: Sequence[CourseTest], cure: str
) -> Iterator[Reason]:
    """Cases that ran on the reference and did not here: parametrised by what the code holds, say."""
    asked, ran = {test.name for test in tests}, {case.case_id for case in run.results}
    for case in evidence.in_order.results:
        if case.name in asked and case.case_id not in ran:
            yield Reason("test-not-run", f"{case.case_id} did not run on {on.name}", cure)


def _of_the_run(run: SuiteRun, on: Variant, held: Listing, cure: str) -> Iterable[Reason]:
    if isinstance(run, Crashed):
        cause = why_crashed(run, held)
        return [Reason("run-ended", f"{run.running or ''} on {on.name}: {cause.text}".strip(), cure)]
    return [
        Reason("not-collected", f"{error.file} on {on.name}: {why_not_collected(error, held).text}", cure)
        for error in run.collection_errors
    ]


def _first_bad(shortfall: Shortfall) -> CaseResult:
    bad = [case for case in shortfall.cases if case.outcome.broken]
    return (bad or [case for case in shortfall.cases if case.outcome is not Outcome.PASSED])[0]
