"""Runs of the student's own tests, as the journal wants them: read once, run, and written down whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ol.commands.steps.blanks import blanks_left
from ol.commands.steps.contracts import contracts
from ol.commands.steps.course_tests import listing
from ol.commands.steps.own_folder import never_run, own_folder, way_to_tests
from ol.commands.steps.sources import Resolved, own_units, resolve
from ol.domain.code.empty import empty_tests
from ol.domain.code.identity import FolderIdentity, code_hash, identify
from ol.domain.code.imports import forbidden_in_tests, forbidden_in_units
from ol.domain.course import Course, CourseModule, ModuleId
from ol.domain.file import File
from ol.domain.journal.entry import Entry, FileRecord, JournalState, Phase, UnitRecord
from ol.domain.journal.gate import damaged, remarks
from ol.domain.journal.own_run import function_records, why_no_proof
from ol.domain.journal.red import why_no_tests
from ol.domain.report import Reason, Source
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, Completed, SuiteRun
from ol.domain.telling.failure import told_as_fields
from ol.domain.telling.listing import Listing, texts
from ol.domain.telling.unbegun import never_began
from ol.ports import Ports


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing is recorded."""

    reasons: tuple[Reason, ...]
    origin: Mapping[ModuleId, Source] | None = None
    failures: Sequence[Mapping[str, Any]] = ()  # the cases that did not pass, where something ran


@dataclass(frozen=True, slots=True)
class Units:
    """What a run is made on: source texts by dotted name, and which of them are the student's."""

    texts: Mapping[str, str]
    students: frozenset[str]
    origin: Mapping[ModuleId, Source]

    @staticmethod
    def of(course: Course, resolved: Resolved) -> Units:
        mine = [id for id, source in resolved.origin.items() if source is not Source.REFERENCE]
        students = frozenset(course.dotted(unit) for id in mine for unit in course.modules[id].units)
        return Units(resolved.sources, students, resolved.origin)

    def records(self, loaded: Sequence[str]) -> dict[str, UnitRecord]:
        return {unit: self._record(unit) for unit in loaded}

    def _record(self, unit: str) -> UnitRecord:
        code = code_hash(self.texts[unit]) if unit in self.students else ""
        return UnitRecord(self.file(unit).sha256, code)

    def file(self, unit: str) -> File:
        return File(unit, self.texts[unit].encode("utf-8"))


@dataclass(frozen=True, slots=True)
class OwnTests:
    """The test folder, the journal and the units, read once: every run is made on what was read."""

    ports: Ports
    module: CourseModule
    files: tuple[File, ...]
    folder: FolderIdentity
    state: JournalState
    resolved: Resolved

    @property
    def units(self) -> Units:
        return Units.of(self.ports.catalog.course, self.resolved)

    @property
    def place(self) -> str:
        """The test folder as its owner knows it."""
        return own_folder(self.ports, self.module)

    @property
    def listing(self) -> Listing:
        """What stands behind the frames of a failure."""
        return replace(listing(self.ports, self.resolved, ()), tests=texts(self.place, self.files))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What does not weigh, and should be known."""
        assisted = [id for id, source in self.resolved.origin.items() if source is Source.REFERENCE]
        course = self.ports.catalog.course
        changed, rung = (
            self.ports.catalog.tampered(course.closure(self.module.id)),
            course.rungs[self.module.rung],
        )
        told = [*remarks(self.state), *self.resolved.notes]
        told += (
            [] if rung.journal else [f"{rung.id} asks for no journal: this is practice, nothing hangs on it"]
        )
        told += [empty] if (empty := empty_tests(self.files).told) else []
        told += never_run(self.ports, self.module)
        told += [f"taken from the reference: {', '.join(assisted)}"] if assisted else []
        told += [f"course files differ from course.lock: {', '.join(changed[:3])}"] if changed else []
        return tuple(told)

    def run(self, units: Units, select: tuple[str, ...] | None = None) -> SuiteRun:
        budget = Budget.unmeasured(self.ports.catalog.course.policy.unmeasured_cpu_s)
        return self.ports.runner.run(RunRequest(self.files, units.texts, budget, select))

    def entry(self, phase: Phase, run: SuiteRun, units: Units) -> Entry:
        """The run as it is written, with every unit that it loaded; the module's own are always there."""
        own = {self.ports.catalog.course.dotted(unit) for unit in self.module.units}
        loaded = own | (set(run.imported) if isinstance(run, Completed) else set(units.texts))
        return Entry(
            at=self.ports.clock.now(),
            module=self.module.id,
            phase=phase,
            functions=function_records(self.folder, run.results, self.listing),
            files={file.name: FileRecord(file.sha256, self.folder.rests[file.name]) for file in self.files},
            units=units.records([unit for unit in units.texts if unit in loaded]),
            sources=units.origin,
            versions={**self.resolved.versions, "course": self.ports.catalog.course.version},
            heads=self.state.heads,
        )

    def record(self, entry: Entry, units: Units) -> Entry:
        kept = [units.file(unit) for unit, record in entry.units.items() if record.kept]
        return self.ports.journal.append(self.module.id, entry, [*self.files, *kept])


@dataclass(frozen=True, slots=True)
class Seen:
    """All tests on the present units: a run with a verdict, whichever. Its entry has its phase to get yet."""

    own: OwnTests
    run: Completed
    entry: Entry

    def record(self, phase: Phase) -> Entry:
        return self.own.record(replace(self.entry, phase=phase), self.own.units)


def first_run(ports: Ports, module: CourseModule, ref_deps: str | None) -> Seen | Refusal:
    """Run all tests, or say why that can be neither red nor green. NotReady for a unit that is not there.

    What costs nothing is looked at before the needs, whose course tests may have to run.
    """
    own_units(ports, module)
    state, files = ports.journal.read(module.id), ports.workspace.tests(module)
    if reasons := tuple(_before_running(ports, module, state, files)):
        return Refusal(reasons)
    own = OwnTests(ports, module, files, identify(files), state, resolve(ports, module, ref_deps))
    run = own.run(own.units)
    entry = own.entry(Phase.RED, run, own.units)
    if reason := (
        why_no_proof(run, own.listing)
        or never_began(run.results)
        or why_no_tests(own.place, entry, way_to_tests(module))
    ):
        return Refusal((reason,), own.resolved.origin, told_as_fields(run, own.listing))
    assert isinstance(run, Completed)
    return Seen(own, run, entry)


def _before_running(
    ports: Ports, module: CourseModule, state: JournalState, files: Sequence[File]
) -> Iterator[Reason]:
    if reason := damaged(state):
        yield reason
    yield from (each.told_open(own_folder(ports, module)) for each in blanks_left(ports, module))
    course, promised = ports.catalog.course, contracts(ports, module)
    units = [file for unit in module.units if (file := ports.workspace.unit(unit)) is not None]
    yield from forbidden_in_units(units, course.imports, course.package, promised)
    yield from forbidden_in_tests(files, course.imports, course.package, promised)
