"""Proofs by reading alone: the graph of needs, and contracts against the reference."""

from __future__ import annotations

from collections.abc import Iterator

from ol.commands.proofs.evidence import Evidence
from ol.domain.authoring.documented import undocumented, unpromised
from ol.domain.authoring.unit_graph import need_faults, used_by_faults
from ol.domain.code.contract import Contract, breaches, contract
from ol.domain.code.imports import forbidden_in_units
from ol.domain.code.surface import surface
from ol.domain.code.syntax import tree_of
from ol.domain.course import Course
from ol.domain.course_report import Ruling
from ol.domain.file import File
from ol.domain.report import Reason
from ol.ports import Catalog


def needs(evidence: Evidence) -> Ruling:
    """Needs are what the units import, used_by are the same edges, and units touch contract names only."""
    catalog, module = evidence.ports.catalog, evidence.module
    course = catalog.course
    course.closure(module.id)  # which goes in no ring: no module uses a later one
    units = {_reference_path(course, unit): catalog.reference(unit) for unit in module.units}
    contracts = {_contract_path(course, unit): catalog.contract(unit) for unit in module.units}
    files = [File(path, text.encode("utf-8")) for path, text in units.items()]
    reasons = (
        *need_faults(course, module, units, contracts),
        *used_by_faults(course, module),
        *forbidden_in_units(files, course.imports, course.package, every_contract(catalog)),
    )
    return Ruling("needs differ" if reasons else "needs agree", reasons)


def matching(evidence: Evidence) -> Ruling:
    """The contract is the reference's public surface, and says of every name what it does."""
    reasons = tuple(
        reason for unit in evidence.module.units for reason in _of_unit(evidence.ports.catalog, unit)
    )
    return Ruling("contract differs" if reasons else "contract matches", reasons)


def every_contract(catalog: Catalog) -> dict[str, Contract]:
    """Of the whole course, by dotted name: an import outside the needs is the needs' affair."""
    course = catalog.course
    units = [unit for module in course.modules.values() for unit in module.units]
    return {course.dotted(unit): contract(unit, catalog.contract(unit)) for unit in units}


def _of_unit(catalog: Catalog, unit: str) -> Iterator[Reason]:
    course = catalog.course
    promise, text = contract(unit, catalog.contract(unit)), catalog.reference(unit)
    path, file = _contract_path(course, unit), File(_reference_path(course, unit), text.encode("utf-8"))
    for breach in breaches(promise, file):
        yield Reason(breach.slug, breach.text, f"Make {path} and the reference say the same.", breach.detail)
    for name in undocumented(promise):
        told = f"{path}: {name or 'the contract itself'} has no docstring."
        yield Reason("no-docstring", told, "Say what it does: the stub carries it to the student.")
    for name in unpromised(promise, surface(tree_of(text))):
        told = f"{file.name}: {name} is public, and {path} does not promise it."
        yield Reason("not-promised", told, "Promise it there, or give it a leading underscore.")


def _reference_path(course: Course, unit: str) -> str:
    return f"course/reference/{course.package}/{unit}"


def _contract_path(course: Course, unit: str) -> str:
    return f"course/contracts/py/{course.package}/{unit}i"
