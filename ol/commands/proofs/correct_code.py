"""Proof that the course tests accept other correct code: wheats, and neutral variants of the reference."""

from __future__ import annotations

from collections.abc import Iterator

from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.surface import every_contract
from ol.commands.proofs.told import shortfalls
from ol.domain.code.contract import breaches
from ol.domain.code.imports import forbidden_in_units
from ol.domain.code.neutral import neutral
from ol.domain.course_report import Ruling, counted
from ol.domain.file import File
from ol.domain.grading.variant import Variant
from ol.domain.mutation import Wheat
from ol.domain.report import Reason

NEUTRAL_VARIANTS = 20
_CURES = {
    "wheat": "Assert only what the contract promises; or mend the wheat, if it breaks that promise.",
    "neutral": "The test looks at the code's text: only local names were changed. Assert what the code does.",
}


def passed_by_correct_code(evidence: Evidence) -> Ruling:
    """Every wheat, and twenty neutral variants, pass the course tests; the first neutral failure is told."""
    wheats = evidence.ports.catalog.wheats(evidence.module)
    variants = [*_wheats(evidence, wheats), *_neutral(evidence)]
    runs = evidence.runs("correct code", [evidence.request(each.sources) for each in variants])
    found = [
        shortfalls(evidence, run, variant, evidence.module.tests, _CURES[variant.kind])
        for variant, run in zip(variants, runs, strict=True)
    ]
    of_wheats, of_neutral = found[: len(wheats)], [each for each in found[len(wheats) :] if each]
    failures = (reason for each in (*of_wheats, *of_neutral[:1]) for reason in each)
    reasons = (*_unlike_the_contract(evidence, wheats), *failures)
    told = f"{counted(len(wheats), 'wheat')} and {NEUTRAL_VARIANTS} neutral variants"
    fields = {"first_neutral_seed": evidence.seed}
    return Ruling(f"{told} {'do not all pass' if reasons else 'pass'}", reasons, fields=fields)


def _wheats(evidence: Evidence, wheats: tuple[Wheat, ...]) -> Iterator[Variant]:
    for wheat in wheats:
        yield Variant("wheat", _wheat_path(evidence, wheat), evidence.with_units(wheat.sources))


def _neutral(evidence: Evidence) -> Iterator[Variant]:
    units = {unit: evidence.ports.catalog.reference(unit) for unit in evidence.module.units}
    for seed in range(evidence.seed, evidence.seed + NEUTRAL_VARIANTS):
        renamed = {unit: neutral(text, seed) for unit, text in units.items()}
        yield Variant("neutral", f"the neutral variant of seed {seed}", evidence.with_units(renamed))


def _unlike_the_contract(evidence: Evidence, wheats: tuple[Wheat, ...]) -> Iterator[Reason]:
    """A wheat is as bound by contract and import rules as a student is."""
    catalog = evidence.ports.catalog
    rules, package, contracts = catalog.course.imports, catalog.course.package, every_contract(catalog)
    for wheat in wheats:
        files = {
            unit: File(_wheat_path(evidence, wheat), text.encode()) for unit, text in wheat.sources.items()
        }
        for unit, file in files.items():
            yield from breaches(contracts[catalog.course.dotted(unit)], file)
        yield from forbidden_in_units(list(files.values()), rules, package, contracts)


def _wheat_path(evidence: Evidence, wheat: Wheat) -> str:
    alone = len(evidence.module.units) == 1
    return f"course/wheats/{evidence.id}/{wheat.id}{'.py' if alone else ''}"
