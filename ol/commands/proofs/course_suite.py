"""Proofs of the course tests themselves: listed, passed by correct code in any order, failed by the stub."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.told import folder, listing, shortfalls, unlisted
from ol.domain.code.contract import contract
from ol.domain.code.stub import stub
from ol.domain.course_report import Ruling
from ol.domain.grading.variant import Variant
from ol.domain.report import Reason
from ol.domain.run import RunRequest
from ol.domain.sentence import sentence
from ol.domain.suite import Completed, SuiteRun
from ol.domain.telling.cause import why_not_collected


def listed(evidence: Evidence) -> Ruling:
    """The manifest's tests are those that pytest collects."""
    reasons = tuple(unlisted(evidence, evidence.in_order))
    return Ruling(f"{len(evidence.module.tests)} tests listed{' wrongly' if reasons else ''}", reasons)


def passed_by_the_reference(evidence: Evidence) -> Ruling:
    """In order, shuffled, and one by one."""
    cure = "Mend the test, or the reference."
    alone = "Let each test make its own model, seeds and files: it leans on another."
    whole, tests = evidence.reference, evidence.module.tests
    reasons = shortfalls(evidence, evidence.in_order, whole, tests, cure)
    if reasons:
        return Ruling("the reference fails", reasons)
    ids = {case.name: case.function_id for case in evidence.in_order.results}
    single = [test for test in tests if test.name in ids]
    asked = [_alone(evidence, ids[test.name]) for test in single]
    shuffled, *each = evidence.runs("orders", [_shuffled(evidence), *asked])
    reasons = shortfalls(evidence, shuffled, replace(whole, name=f"{whole.name}, shuffled"), tests, alone)
    on_its_own = replace(whole, name=f"{whole.name}, run alone")
    for test, run in zip(single, each, strict=True):
        reasons += shortfalls(evidence, run, on_its_own, (test,), alone)
    told = "tests lean on one another" if reasons else "reference passes in any order"
    return Ruling(told, reasons, fields={"shuffle_seed": evidence.seed})


def failed_by_the_stub(evidence: Evidence) -> Ruling:
    """Every case fails, and none at collection: a test that passes on nothing tests nothing."""
    catalog = evidence.ports.catalog
    units = {
        unit: stub(contract(unit, catalog.contract(unit)), evidence.id) for unit in evidence.module.units
    }
    on = Variant("stub", "the stub", evidence.with_units(units))
    (run,) = evidence.runs("stub", [evidence.request(on.sources)])
    reasons = (*_uncollected_on(evidence, run, on), *_passing_on_the_stub(evidence, run))
    told = f"{len(reasons)} {'does' if len(reasons) == 1 else 'do'} not fail on the stub"
    return Ruling(told if reasons else "stub fails every test", reasons)


def _shuffled(evidence: Evidence) -> RunRequest:
    return evidence.request(evidence.reference.sources, shuffle_seed=evidence.seed)


def _alone(evidence: Evidence, function_id: str) -> RunRequest:
    return evidence.request(evidence.reference.sources, select=(function_id,))


def _uncollected_on(evidence: Evidence, run: SuiteRun, on: Variant) -> Iterator[Reason]:
    if not isinstance(run, Completed):
        yield Reason(
            "stub-run-ended", f"{folder(evidence)} does not run to its end on the stub.", "Mend the test."
        )
        return
    for error in run.collection_errors:
        told = f"{folder(evidence)}/{error.file} cannot be collected on the stub"
        cause = why_not_collected(error, listing(evidence, on))
        yield Reason(
            "stub-not-collected",
            sentence(f"{told}: {cause.text}"),
            "Call the unit in tests or fixtures only.",
        )


def _passing_on_the_stub(evidence: Evidence, run: SuiteRun) -> Iterator[Reason]:
    for case in run.results:
        if not case.outcome.broken:
            told = f"{folder(evidence)}/{case.case_id} {case.outcome.value} on the stub."
            yield Reason("stub-passes", told, "Let it call what it tests, and assert what comes back.")
