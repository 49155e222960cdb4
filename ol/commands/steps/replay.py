"""Every run on record made again from its snapshots, in parallel. What replay proves is remembered nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ol.commands.steps.contracts import contracts
from ol.commands.steps.jobs import jobs_of
from ol.commands.steps.sources import reference_closure
from ol.commands.steps.versions import versions
from ol.commands.steps.watched import watched
from ol.domain.code.contract import Contract
from ol.domain.code.imports import forbidden_in_tests, forbidden_in_units
from ol.domain.course import Course, CourseModule
from ol.domain.errors import WorkRefused
from ol.domain.file import File
from ol.domain.journal.entry import Entry, Link
from ol.domain.journal.replay import Fate, Replayed, replayed, runs, weighing
from ol.domain.journal.replay_gate import judge_replay, nothing_to_replay
from ol.domain.journal.snapshot import Snapshot, changes
from ol.domain.journal.untried import untried
from ol.domain.report import GateResult
from ol.domain.suite import Budget
from ol.ports import Ports


def replay_gate(ports: Ports, module: CourseModule, jobs: int | None = None) -> GateResult:
    """Red, amended, green and refactor alike: whatever `ol tdd` once ran."""
    state = ports.journal.read(module.id)
    if early := nothing_to_replay(state):
        return early
    archive = Archive.of(ports, module)
    edited = untried(state.links)
    snapshots = [archive.rebuilt(link, edited.get(link.sha256, ())) for link in runs(state.links)]
    counted = weighing(state.links)
    found = _all_replayed(ports, module, snapshots, counted, jobs_of(jobs))
    return judge_replay(module.id, found, ports.catalog.course.policy)


@dataclass(frozen=True, slots=True)
class Archive:
    """What entries are rebuilt from beside the journal's objects: today's course.

    `reference`: the units of the needs, by dotted name. Units of the module itself come from the journal only.
    """

    ports: Ports
    module: CourseModule
    reference: Mapping[str, str]
    contracts: Mapping[str, Contract]

    @staticmethod
    def of(ports: Ports, module: CourseModule) -> Archive:
        course = ports.catalog.course
        needs = {
            unit: text for unit, text in reference_closure(ports, module).items() if unit not in module.units
        }
        dotted = {course.dotted(unit): text for unit, text in needs.items()}
        return Archive(ports, module, dotted, contracts(ports, module))

    @property
    def course(self) -> Course:
        return self.ports.catalog.course

    @property
    def own(self) -> dict[str, str]:
        """The module's units: dotted name -> path below the package."""
        return {self.course.dotted(unit): unit for unit in self.module.units}

    def rebuilt(self, link: Link, untried: tuple[str, ...]) -> Snapshot:
        """From what is there; what is not is named in it."""
        entry = link.entry
        held = {sha256: self.ports.journal.object(sha256) for sha256 in entry.objects}
        kept = {unit: record for unit, record in entry.units.items() if record.kept}
        named = [(name, file.sha256) for name, file in entry.files.items()]
        named += [(unit, record.sha256) for unit, record in kept.items()]
        files = [File(name, held[each.sha256] or b"") for name, each in entry.files.items()]
        texts = {unit: (held[each.sha256] or b"").decode("utf-8", "replace") for unit, each in kept.items()}
        return Snapshot(
            link,
            tuple(files),
            {**self.reference, **{unit: text for unit, text in texts.items() if self._is_ours(unit)}},
            {**changes(entry, {**versions(), "course": self.course.version}), **dict(self._moved(entry))},
            {name: sha256 for name, sha256 in named if held[sha256] is None},
            tuple(self._forbidden(files, texts)),
            untried,
            frozenset(self.own),
        )

    def _is_ours(self, unit: str) -> bool:
        return unit.startswith(f"{self.course.package}.")

    def _moved(self, entry: Entry) -> Iterator[tuple[str, tuple[str, str]]]:
        """Units of the reference that the course no longer has as they were: today's stand in for them."""
        for unit, record in entry.units.items():
            now = File(unit, self.reference.get(unit, "").encode("utf-8")).sha256
            if not record.kept and unit not in self.own and now != record.sha256:
                yield unit, (record.sha256[:12], now[:12] if unit in self.reference else "gone")

    def _forbidden(self, files: Sequence[File], texts: Mapping[str, str]) -> Iterator[str]:
        """What would have kept a run from being recorded: no honest line has it."""
        rules, package = self.course.imports, self.course.package
        units = [
            File(self.own[unit], text.encode("utf-8")) for unit, text in texts.items() if unit in self.own
        ]
        with suppress(WorkRefused):  # what is no text is found by its identity
            for reason in (
                *forbidden_in_units(units, rules, package, self.contracts),
                *forbidden_in_tests(files, rules, package, self.contracts),
            ):
                yield reason.text


def _all_replayed(
    ports: Ports,
    module: CourseModule,
    snapshots: Sequence[Snapshot],
    counted: frozenset[tuple[str, str]],
    jobs: int,
) -> list[Replayed]:
    """What can be run is run; what comes out otherwise once more, alone, before that is believed."""
    budget = Budget.unmeasured(ports.catalog.course.policy.unmeasured_cpu_s)
    found = [Replayed(each, () if each.lost else each.contradictions(module.id)) for each in snapshots]
    sound = [place for place, each in enumerate(found) if each.fate is Fate.HELD]
    requests = [snapshots[place].request(budget) for place in sound]
    for index, run in watched(ports, "replay", requests, jobs):
        found[sound[index]] = replayed(snapshots[sound[index]], run, counted)
    for place, request in zip(sound, requests, strict=True):
        if found[place].fate in (Fate.STALE, Fate.FORGED):
            again = replayed(snapshots[place], ports.runner.run(request), counted)
            found[place] = again if again.fate is Fate.HELD else found[place]
    return found
