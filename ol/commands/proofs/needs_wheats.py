"""Proof that a module's tests lean on no more of its needs than their contracts promise: their wheats will do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.told import shortfalls
from ol.domain.course_report import Ruling, counted
from ol.domain.file import File
from ol.domain.grading.baseline import Refusal, judge_baseline
from ol.domain.grading.refusal import told
from ol.domain.grading.variant import Variant
from ol.domain.report import Reason
from ol.domain.suite import SuiteRun
from ol.domain.telling.listing import Listing, Text, texts

_CURE = "Let the test, or the unit, count on the need's contract only; or mend the wheat, if it breaks it."


def accepting_other_needs(evidence: Evidence) -> Ruling:
    """Course tests and exemplar tests pass with each wheat of each need in the place of its reference."""
    variants = list(_variants(evidence))
    if not variants:
        return Ruling("")
    exemplars = evidence.ports.catalog.exemplars(evidence.module)
    reasons = (*_of_course_tests(evidence, variants), *_of_exemplars(evidence, exemplars, variants))
    suites = "course tests and exemplars" if exemplars else "course tests"
    passing = "do not all pass" if reasons else "pass"
    return Ruling(f"{suites} {passing} on {counted(len(variants), 'wheat')} of needs", reasons)


def _variants(evidence: Evidence) -> Iterator[Variant]:
    catalog = evidence.ports.catalog
    for need in catalog.course.closure(evidence.id)[:-1]:
        for wheat in catalog.wheats(need):
            name = f"wheat {wheat.id} of {need.id}"
            yield Variant("wheat", name, evidence.with_units(wheat.sources))


def _of_course_tests(evidence: Evidence, variants: Sequence[Variant]) -> Iterator[Reason]:
    runs = evidence.runs("needs' wheats", [evidence.request(each.sources) for each in variants])
    for variant, run in zip(variants, runs, strict=True):
        yield from shortfalls(evidence, run, variant, evidence.module.tests, _CURE)


def _of_exemplars(
    evidence: Evidence, files: tuple[File, ...], variants: Sequence[Variant]
) -> Iterator[Reason]:
    asked = [evidence.request(each.sources, tests=files, course_root=None) for each in variants]
    runs = evidence.runs("exemplars on needs' wheats", asked if files else [])
    for variant, run in zip(variants, runs, strict=False):
        yield from _refused(evidence, files, variant, run)


def _refused(evidence: Evidence, files: Sequence[File], variant: Variant, run: SuiteRun) -> Iterator[Reason]:
    refusal = judge_baseline(run)
    if isinstance(refusal, Refusal):
        place = f"course/exemplars/{evidence.id}"
        units = {dotted: Text(f"{variant.name}, {dotted}", text) for dotted, text in variant.sources.items()}
        reason = told(refusal, variant, Listing(units, texts(place, files)))
        yield Reason(reason.slug, f"{place}: {reason.text}", _CURE, reason.detail)
