"""Proofs of the mutants: each is caught by the course tests it names, and shows in its witness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ol.commands.proofs.evidence import Evidence
from ol.domain.course_report import Ruling
from ol.domain.grading.baseline import Baseline
from ol.domain.grading.matrix import KillMatrix
from ol.domain.grading.witness import witness_test, witnessed
from ol.domain.mutation import Mutant, MutantOutcome, MutantResult
from ol.domain.report import Reason
from ol.domain.suite import SuiteRun, function_of


def killed_as_named(evidence: Evidence) -> Ruling:
    """Every mutant is killed by at least the tests of its `killed_by`."""
    baseline, results = evidence.baseline, evidence.results()
    reasons = tuple(reason for result in results for reason in _not_as_named(evidence, result))
    killed = sum(result.outcome is MutantOutcome.KILLED for result in results)
    matrix = _matrix(baseline, results)
    told = f"{killed}/{len(results)} mutants killed {'otherwise than' if reasons else 'as'} named"
    fields = {"kills": {mutant: list(killers) for mutant, killers in matrix.kills.items()}}
    return Ruling(told, reasons, matrix.lines() if results else (), fields)


def shown_by_witness(evidence: Evidence) -> Ruling:
    """A witness gives one thing on the reference and on every wheat, and another on its mutant."""
    wheats = evidence.ports.catalog.wheats(evidence.module)
    correct = {f"wheat {wheat.id}": evidence.with_units(wheat.sources) for wheat in wheats}
    found: list[tuple[Reason, ...]] = []
    for mutant, runs in _witness_runs(evidence, [evidence.reference.sources, *correct.values()]):
        on_mutant, on_reference, *rest = runs
        on_wheats = dict(zip(correct, rest, strict=True))
        silent = _silent(evidence, mutant, on_mutant, on_reference)
        found.append((*silent, *_disagreeing(evidence, mutant, on_reference, on_wheats)))
    reasons = tuple(reason for each in found for reason in each)
    return Ruling(f"{sum(not each for each in found)}/{len(found)} witnesses", reasons)


def mutants_path(evidence: Evidence) -> str:
    return f"course/mutants/{evidence.id}.toml"


def short(case_id: str) -> str:
    return case_id.split("::", 1)[-1]


def _not_as_named(evidence: Evidence, result: MutantResult) -> Iterator[Reason]:
    mutant, path = result.mutant, mutants_path(evidence)
    if result.outcome is MutantOutcome.SURVIVED:
        step = "Write a course test that catches it, or take the mutant out."
        yield Reason("mutant-survives", f"{path}: {mutant.id} passes every course test.", step)
    elif result.outcome is MutantOutcome.INCONCLUSIVE:
        step = "Let it fail a test, or declare `may_hang = true` if it hangs by its nature."
        yield Reason(
            "mutant-inconclusive", f"{path}: {mutant.id} is neither killed nor not: {result.reason}", step
        )
    else:
        killers = {function_of(killer).rsplit("::", 1)[-1] for killer in result.killers}
        if idle := [name for name in mutant.killed_by if name not in killers]:
            told = f"{path}: {mutant.id} names {', '.join(idle)} in killed_by, which it passes."
            told += f" It is killed by {', '.join(sorted(killers))}."
            yield Reason("mutant-killers", told, "Mend that test, or take it out of killed_by.")


def _matrix(baseline: Baseline, results: tuple[MutantResult, ...]) -> KillMatrix:
    """Case ids without their file, so that a row fits a line."""
    kills = {result.mutant.id: tuple(map(short, result.killers)) for result in results}
    return KillMatrix(tuple(map(short, baseline.cases)), kills)


def _witness_runs(
    evidence: Evidence, correct: list[Mapping[str, str]]
) -> Iterator[tuple[Mutant, list[SuiteRun]]]:
    """For each mutant its witness on the mutant, then on all correct code."""
    mutants, width = evidence.mutants, 1 + len(correct)
    requests = [
        evidence.request(sources, tests=(witness_test(mutant.witness),), course_root=None)
        for mutant in mutants
        for sources in (evidence.faulty(mutant), *correct)
    ]
    runs = evidence.runs("witnesses", requests)
    for number, mutant in enumerate(mutants):
        yield mutant, runs[number * width : (number + 1) * width]


def _silent(
    evidence: Evidence, mutant: Mutant, on_mutant: SuiteRun, on_reference: SuiteRun
) -> Iterator[Reason]:
    place, right = f"{mutants_path(evidence)}: {mutant.id}", witnessed(on_reference)
    if not right or right.startswith("raises "):
        told = f"{place}: its witness gives nothing on the reference{f': it {right}' if right else ''}."
        yield Reason("witness-fails", told, "Let its lines assign `out` on correct code.")
    elif witnessed(on_mutant) == right:
        told = f"{place}: its witness gives the same on the mutant as on the reference: {right:.80}."
        yield Reason("witness-blind", told, "Choose an input on which the fault shows.")


def _disagreeing(
    evidence: Evidence, mutant: Mutant, on_reference: SuiteRun, on_wheats: Mapping[str, SuiteRun]
) -> Iterator[Reason]:
    right = witnessed(on_reference)
    for wheat, run in on_wheats.items():
        if (found := witnessed(run)) != right:
            told = f"{mutants_path(evidence)}: {mutant.id}: its witness gives {found:.60} on {wheat}"
            told += f" and {right:.60} on the reference."
            yield Reason(
                "witness-disagrees", told, "Let it show only what the contract promises; round floats."
            )
