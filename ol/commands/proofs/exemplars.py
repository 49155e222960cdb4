"""Proof of the grade: the exemplar tests reach all of it, and the given tests alone do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.surface import every_contract
from ol.commands.steps.grading import Grading, Refused, Tried
from ol.domain.code.imports import forbidden_in_tests
from ol.domain.course_report import Ruling
from ol.domain.file import File
from ol.domain.grading.grade import Grade
from ol.domain.grading.refusal import told
from ol.domain.mutation import MutantOutcome
from ol.domain.report import Reason
from ol.domain.telling.listing import Listing, Text, texts


def reaching_the_grade(evidence: Evidence) -> Ruling:
    """By the grading of `ol mutate`, import rule and wheats too; all of it only where the rung has a threshold."""
    catalog, module = evidence.ports.catalog, evidence.module
    asked = catalog.course.rungs[module.rung].graded_by_mutation
    if not (asked or module.blanks):
        return Ruling("no grade")
    exemplars, given = catalog.exemplars(module), catalog.given(module)
    if not exemplars:
        return Ruling("no exemplar tests", (_missing(evidence, asked),))
    grade, reasons = _graded(evidence, exemplars, "exemplars")
    if not asked:
        passing = f"exemplars pass on correct code, kill {_score(grade)}"
        return Ruling("exemplars do not pass" if reasons else passing, reasons)
    reasons += tuple(_short_of_all(evidence, grade)) if grade else ()
    if given:
        alone, refused = _graded(evidence, given, "given")
        reasons += refused + (tuple(_enough(evidence, alone)) if alone else ())
    return Ruling(f"exemplars kill {_score(grade)}", reasons)


def _score(grade: Grade | None) -> str:
    return f"{grade.score.killed}/{grade.score.all}" if grade else "none"


def _missing(evidence: Evidence, asked: bool) -> Reason:
    why = f"{evidence.module.rung} asks for a mutation grade" if asked else f"{evidence.id} has blanks"
    step = (
        "Write tests that kill every mutant."
        if asked
        else "Write the given tests with every blank filled in."
    )
    return Reason("exemplars-missing", f"{_place(evidence, 'exemplars')} holds no test, and {why}.", step)


def _graded(
    evidence: Evidence, files: tuple[File, ...], kind: str
) -> tuple[Grade | None, tuple[Reason, ...]]:
    """The grade of a test folder, or why it is no measure."""
    catalog, module = evidence.ports.catalog, evidence.module
    course, place = catalog.course, _place(evidence, kind)
    named = [File(f"{place}/{file.name}", file.content) for file in files]
    forbidden = forbidden_in_tests(named, course.imports, course.package, every_contract(catalog))
    if forbidden:
        return None, forbidden
    grading = Grading(
        evidence.ports, module, files, evidence.jobs, evidence.seed, sources=evidence.reference.sources
    )
    tried = grading.run()
    if isinstance(tried, Tried):
        return Grade(tried.results, course.rungs[module.rung].threshold), ()
    return None, (_refused(evidence, tried, files, place),)


def _refused(evidence: Evidence, found: Refused, files: Sequence[File], place: str) -> Reason:
    units = {
        dotted: Text(f"{found.variant.name}, {dotted}", text)
        for dotted, text in found.variant.sources.items()
    }
    reason = told(found.refusal, found.variant, Listing(units, texts(place, files)))
    return Reason(reason.slug, f"{place}: {reason.text}", reason.next_step, reason.detail)


def _short_of_all(evidence: Evidence, grade: Grade) -> Iterator[Reason]:
    for result in grade.results:
        if result.outcome is not MutantOutcome.KILLED:
            text = f"{_place(evidence, 'exemplars')}: {result.mutant.id} is {result.outcome.value}."
            yield Reason("exemplars-fall-short", text, f"Add a test that fails when: {result.mutant.symptom}")


def _enough(evidence: Evidence, grade: Grade) -> Iterator[Reason]:
    if grade.passed:
        text = f"{_place(evidence, 'given')}: the given tests alone reach the grade: {grade.summary}."
        yield Reason("given-suffice", text, "Give away less: the student is to find the faults.")


def _place(evidence: Evidence, kind: str) -> str:
    return f"course/{kind}/{evidence.id}"
