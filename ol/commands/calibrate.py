"""`ol calibrate`: measure the reference over the declared seeds, and write the bars with their figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ol.commands.steps.jobs import jobs_of
from ol.commands.steps.meant import milestone_named
from ol.commands.steps.sources import reference_sources
from ol.commands.steps.watched import watched
from ol.domain.authoring import bar_record, calibration
from ol.domain.authoring.bar_record import BarRecord, bars_text
from ol.domain.course import Bar, CourseModule
from ol.domain.errors import CourseWrong, WrongRequest
from ol.domain.file import File
from ol.domain.report import Page
from ol.domain.run import RunRequest
from ol.domain.suite import Budget
from ol.ports import Authoring, Ports


def calibrate(ports: Ports, author: Authoring, ids: Sequence[str] = (), jobs: int | None = None) -> Page:
    """The modules named, or all that declare bars; a module's are written when all of it is measured."""
    modules = [_named(ports, id) for id in ids] or list(_declaring(ports))
    for module in modules:
        if not module.bars:
            told = f"{module.id} declares no bars: nothing of it is to be measured."
            raise WrongRequest("no-bars", told, "Modules with [[bars]] in their manifest are calibrated.")
    lines: list[str] = []
    fields: dict[str, dict[str, object]] = {}
    for module in modules:
        oracle = tuple(_oracle(ports, author, module))
        measuring = _Measuring(ports, _calibration(author, module), module, jobs_of(jobs), oracle)
        measured = measuring.records()
        author.write(bar_record.path(module.id), bars_text(module.id, measured).encode("utf-8"))
        lines += [f"written   {bar_record.path(module.id)}", *_told(measured)]
        fields[module.id] = {name: list(record.figures) for name, record in measured.items()}
    return Page("calibrate", tuple(lines) or ("No module declares a bar.",), fields)


def _named(ports: Ports, id: str) -> CourseModule:
    """A course module, or a milestone as one."""
    milestone = milestone_named(ports, id)
    return milestone.module if milestone else ports.catalog.course.module(id)


def _declaring(ports: Ports) -> Iterator[CourseModule]:
    course = ports.catalog.course
    milestones = (each.module for each in course.milestones.values())
    yield from (module for module in (*course.in_order(), *milestones) if module.bars)


def _oracle(ports: Ports, author: Authoring, module: CourseModule) -> Iterator[File]:
    """The programs of a milestone's exact bars, which lie beside its calibration when that runs."""
    milestone = ports.catalog.course.milestones.get(module.id)
    for name in milestone.oracle if milestone else ():
        path = f"course/oracle/{module.id}/{name}"
        if (file := author.file(path)) is None:
            raise CourseWrong("course-file-missing", f"{path} is missing.", "Restore it, or write it.")
        yield File(name, file.content)


def _calibration(author: Authoring, module: CourseModule) -> File:
    path = calibration.path(module.id)
    file = author.file(path)
    if file is None:
        told = f"{path} is missing, and {module.id} declares bars."
        raise CourseWrong("calibration-missing", told, "Write measure_<bar>(seed) and floor_<bar>() there.")
    return file


def _told(records: dict[str, BarRecord]) -> Iterator[str]:
    for name, record in records.items():
        yield f"{name}: {record.recipe}"
        yield f"          {record.told}"


@dataclass(frozen=True, slots=True)
class _Measuring:
    """One module's figures, each in a child of its own."""

    ports: Ports
    calibration: File
    module: CourseModule
    jobs: int
    oracle: tuple[File, ...] = ()

    def records(self) -> dict[str, BarRecord]:
        recipes = {bar.name: calibration.recipe(self.calibration, bar) for bar in self.module.bars}
        figures = self._figures([call for bar in self.module.bars for call in calibration.calls(bar)])
        return {bar.name: _record(bar, recipes[bar.name], figures) for bar in self.module.bars}

    def _figures(self, calls: Sequence[str]) -> dict[str, float]:
        """What each call gives on the reference."""
        sources = reference_sources(self.ports, self.module)
        requests = [self._request(sources, call) for call in calls]
        runs = watched(self.ports, f"{self.module.id} figures", requests, self.jobs)
        return {calls[index]: calibration.figure(run, calls[index], self.calibration) for index, run in runs}

    def _request(self, sources: dict[str, str], call: str) -> RunRequest:
        catalog = self.ports.catalog
        return RunRequest(
            tests=(calibration.figure_test(self.calibration, call), *self.oracle),
            sources=sources,
            budget=Budget.unmeasured(catalog.course.policy.unmeasured_cpu_s),
            course_root=catalog.root,
        )


def _record(bar: Bar, recipe: str, figures: Mapping[str, float]) -> BarRecord:
    *measured, last = (figures[call] for call in calibration.calls(bar))
    return BarRecord.of(recipe, bar.seeds, measured, last) if bar.seeds else BarRecord.exact(recipe, last)
