"""Proof of the goldens: they are the files that were made, and their tolerance tells right from wrong."""

from __future__ import annotations

from collections.abc import Iterator

from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.told import NOT_TRIED, folder
from ol.domain.authoring import golden
from ol.domain.authoring.golden import disagreements
from ol.domain.authoring.manifest import manifest_path
from ol.domain.course_report import Ruling, counted
from ol.domain.report import Reason
from ol.domain.suite import CaseResult
from ol.domain.telling.numbers import Numbers


def exceeded(evidence: Evidence) -> Ruling:
    """Program, output and manifest agree; on a mutant each golden test fails by the difference of values."""
    goldens = evidence.module.goldens
    tests = [test.name for test in evidence.module.tests if "golden" in test.kinds]
    told = counted(len(goldens), "golden") if goldens else "no golden"
    tried = evidence.reference_passes or not tests
    reasons = (
        *_of_files(evidence),
        *_of_kinds(evidence, tests),
        *(_of_tests(evidence, tests) if tried else ()),
    )
    return Ruling(f"{told}, wrong" if reasons else told if tried else NOT_TRIED, reasons, tried=tried)


def _of_files(evidence: Evidence) -> Iterator[Reason]:
    author, module = evidence.author, evidence.module
    records = author.golden_records()
    for each in module.goldens:
        program = author.file(golden.program_path(module.id, each))
        output = author.file(golden.output_path(module.id, each))
        yield from disagreements(module.id, each, records.get(golden.key(module.id, each)), program, output)
    declared = {golden.key(module.id, each) for each in module.goldens}
    for name in records:
        if name.startswith(f"{module.id}/") and name not in declared:
            told = f"{golden.MANIFEST} records {name}, which {manifest_path(module.id)} does not declare."
            yield Reason("golden-undeclared", told, f"Declare it there, or run `ol oracle {module.id}`.")


def _of_kinds(evidence: Evidence, tests: list[str]) -> Iterator[Reason]:
    manifest = manifest_path(evidence.id)
    if evidence.module.goldens and not tests:
        told = f"{manifest} declares a golden, and no test of the kind golden."
        yield Reason("golden-untested", told, 'Write a test that meets it, of kinds = ["golden"].')
    if tests and not evidence.module.goldens:
        told = f"{manifest}: {tests[0]} is of the kind golden, and no golden is declared."
        yield Reason("golden-none", told, "Declare the golden, or give the test another kind.")


def _of_tests(evidence: Evidence, tests: list[str]) -> Iterator[Reason]:
    for test in tests:
        if not any(_missed_by_value(case) for case in _failures(evidence, test)):
            told = f"{folder(evidence)}: no mutant is further from the golden of {test} than its tolerance."
            step = "Tighten rtol and atol in the manifest, or let the golden hold what a mutant changes."
            yield Reason("tolerance-not-exceeded", told, step)


def _failures(evidence: Evidence, test: str) -> Iterator[CaseResult]:
    return (case for run in evidence.on_mutants.values() for case in run.results if case.name == test)


def _missed_by_value(case: CaseResult) -> bool:
    """A gradient that never came, or another shape, would be missed at any tolerance."""
    return Numbers.told_by(case.facts.message) is not None
