"""Proof of the matrix: what students' failures are compared with is how the course tests fail today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.told import listing
from ol.domain.authoring import matrix_record
from ol.domain.course_report import Ruling, counted
from ol.domain.grading.grade import killers_in
from ol.domain.report import Reason
from ol.domain.suite import CaseResult
from ol.domain.telling.likeness import Marks, likest
from ol.domain.telling.mark import marks

KNOWN, ALIKE, NEITHER = "a known wrong value", "its failures", "neither"


def as_recorded(evidence: Evidence) -> Ruling:
    """`course/matrix/<ID>.toml` has every mutant's failures as they are; `--lock` writes them anew."""
    found, path = _matrix(evidence), matrix_record.path(evidence.id)
    recorded = evidence.ports.catalog.matrix(evidence.module)
    stale, led = matrix_record.differing(found, recorded), _led(evidence, found)
    if stale and evidence.written is not None:
        evidence.written[path] = matrix_record.text(evidence.id, found)
    elif stale and recorded:
        told = f"{path} is not how the course tests fail on {', '.join(stale)}."
        step = "Run `ol verify --lock`: it is written anew."
        return Ruling("matrix stale", (Reason("matrix-stale", told, step),))
    elif stale:
        return Ruling("no matrix yet", notes=(f"there is no {path} yet: `ol verify --lock` writes it",))
    right = sum(by != NEITHER for by in led.values())
    told = f"{right}/{counted(len(led), 'mutant')} led to"
    return Ruling(told, notes=tuple(_lines(led)), fields={"led_by": led})


def _matrix(evidence: Evidence) -> Mapping[str, Marks]:
    """The marks that each mutant leaves on the course tests."""
    shown = listing(evidence, evidence.reference)
    return {each.id: marks(_killers(evidence, each.id), shown) for each in evidence.mutants}


def _killers(evidence: Evidence, mutant: str) -> list[CaseResult]:
    results = evidence.on_mutants[mutant].results
    killers = set(killers_in(results, evidence.baseline))
    return [case for case in results if case.case_id in killers]


def _led(evidence: Evidence, matrix: Mapping[str, Marks]) -> dict[str, str]:
    """By what a student with each mutant's mistake is led to it."""
    return {mutant: _led_by(mutant, _killers(evidence, mutant), matrix, evidence) for mutant in matrix}


def _led_by(
    mutant: str, killers: Sequence[CaseResult], matrix: Mapping[str, Marks], evidence: Evidence
) -> str:
    if any(case.facts.known_wrong for case in killers):
        return KNOWN
    return ALIKE if likest(matrix[mutant], evidence.baseline.cases, matrix) == mutant else NEITHER


def _lines(led: Mapping[str, str]) -> Iterator[str]:
    """`led to by a known wrong value: s02 s03`: a line a way."""
    for way in (KNOWN, ALIKE, NEITHER):
        if ids := [id for id, by in led.items() if by == way]:
            yield f"led to by {way}: {' '.join(ids)}"
