"""Trials: open tests that were edited since their red, run as they are now on the units of that red."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ol.commands.steps.own_tests import OwnTests, Refusal, Units
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.journal.entry import Entry, FunctionRecord, Phase, UnitRecord, object_path
from ol.domain.journal.green import Open, judge_trials
from ol.domain.report import Reason


@dataclass(frozen=True, slots=True)
class Trial:
    """One that failed as it should, ready to be recorded as amended."""

    entry: Entry
    units: Units


def trials(own: OwnTests, found: Open, now: Entry) -> tuple[Trial, ...] | Refusal:
    """One for each red that has open tests edited since; none where none is."""
    tried: list[Trial] = []
    functions: dict[str, FunctionRecord] = {}
    for link, ids in found.trials(now).values():
        units = _units_of(own, link.entry)
        if isinstance(units, Refusal):
            return units
        entry = own.entry(Phase.AMENDED, own.run(units, select=ids), units)
        functions |= {id: entry.functions[id] for id in ids}
        tried.append(Trial(entry, units))
    if reasons := tuple(judge_trials(own.module.id, functions)):
        return Refusal(reasons, own.resolved.origin)
    return tuple(tried)


def _units_of(own: OwnTests, red: Entry) -> Units | Refusal:
    """The units that the red loaded, over the present ones for those that it did not."""
    texts = dict(own.resolved.sources)
    students = set(own.units.students) - red.units.keys()
    for unit, record in red.units.items():
        text = _kept(own, record) if record.kept else _of_reference(own, unit, record)
        if text is not None:
            texts[unit] = text
        elif record.kept:
            return Refusal((_missing(own, unit, record),), own.resolved.origin)
        students |= {unit} if record.kept else set()
    return Units(texts, frozenset(students), red.sources)


def _kept(own: OwnTests, record: UnitRecord) -> str | None:
    content = own.ports.journal.object(record.sha256)
    return None if content is None else content.decode("utf-8")


def _of_reference(own: OwnTests, dotted: str, record: UnitRecord) -> str | None:
    """None when the course no longer has it as it was: then the present one must do."""
    for unit in _paths(own, dotted):
        try:
            text = own.ports.catalog.reference(unit)
        except CourseWrong:
            return None
        if File(unit, text.encode("utf-8")).sha256 == record.sha256:
            return text
    return None


def _paths(own: OwnTests, dotted: str) -> Iterator[str]:
    course = own.ports.catalog.course
    closure = course.closure(own.module.id)
    return (unit for module in closure for unit in module.units if course.dotted(unit) == dotted)


def _missing(own: OwnTests, unit: str, record: UnitRecord) -> Reason:
    id = own.module.id
    told = f"The snapshot of {unit} at its red is missing: {object_path(record.sha256)}."
    ways = f"`git checkout journals`; or `ol tdd red {id}` again; or `ol tdd abandon {id}`."
    return Reason("journal-object-missing", told, ways)
