"""The course tests on a set of sources, as a gate: what keeps them from running, then their run."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ol.commands.steps.contracts import contracts
from ol.commands.steps.passing import course_run, remember
from ol.commands.steps.shown import shown
from ol.commands.steps.smoke import function_ids, smoke_ids
from ol.commands.steps.sources import Resolved
from ol.commands.steps.told_tests import NAME, WHOLE, Pitfalls, Selection, Telling
from ol.domain.code.imports import forbidden_in_units
from ol.domain.code.stub import progress
from ol.domain.course import CourseModule
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.report import GateResult, Reason, Source, Verdict
from ol.domain.suite import SuiteRun
from ol.domain.telling.listing import Listing, Text, texts
from ol.ports import Ports


def course_tests_gate(
    ports: Ports, resolved: Resolved, selection: Selection = WHOLE, show_all: bool = False
) -> GateResult:
    """Run them on the sources found. What cannot run is said in one message, and a stub is not attempted."""
    module = resolved.module
    if early := not_run(ports, resolved):
        return early
    files = ports.catalog.course_tests(module)
    written = function_ids(files)  # what needs no run is done first, while the runner still gets ready
    pitfalls, behind = Pitfalls.of(ports.catalog, module), listing(ports, resolved, files)
    select = smoke_ids(module, written) if selection.smoke else None
    run = course_run(ports, module, resolved.units, files, select, selection.keyword)
    _as_listed(module, written, run)
    if not selection.partial:
        remember(ports, module, resolved.units, run)
    return Telling(module, behind, selection, pitfalls, show_all, resolved.option).gate(run)


def listing(ports: Ports, resolved: Resolved, files: Iterable[File]) -> Listing:
    """What stands behind the frames: the student's files by their path, the reference's by name only."""
    course = ports.catalog.course
    units: dict[str, Text] = {}
    modules: dict[str, str] = {}
    for module in course.closure(resolved.module.id):
        for unit in module.units:
            mine = resolved.origin[module.id] is not Source.REFERENCE
            path = shown(ports, ports.workspace.unit_path(unit)) if mine else f"reference {unit}"
            units[course.dotted(unit)] = Text(path, resolved.units[unit])
            modules |= {course.dotted(unit): module.id} if mine else {}
    tests = texts(f"course/tests/{resolved.module.id}", files)
    own = frozenset(course.dotted(unit) for unit in resolved.module.units)
    return Listing(units, tests, own, modules)


def _as_listed(module: CourseModule, written: Collection[str], run: SuiteRun) -> None:
    """CourseWrong where folder and manifest differ: then the unit is not to blame for what ran."""
    folder = f"course/tests/{module.id}"
    listed, ran = {test.name for test in module.tests}, {case.name for case in run.results}
    if gone := sorted(listed.difference(ran, written)):
        told = f"The manifest of {module.id} lists {', '.join(gone)}, and {folder} holds no such test."
        raise CourseWrong("test-not-collected", told, "Write it, or take it out of the manifest.")
    if extra := sorted(ran.intersection(written) - listed):
        told = f"The manifest of {module.id} does not list {', '.join(extra)} of {folder}."
        raise CourseWrong("test-not-listed", told, "Add it to [[tests]], with its kinds and why it matters.")


def not_run(ports: Ports, resolved: Resolved) -> GateResult | None:
    """Why the units are not worth a run, if they are not."""
    return _not_attempted(ports, resolved) or _unreadable(ports, resolved)


def _not_attempted(ports: Ports, resolved: Resolved) -> GateResult | None:
    """Blocked where every unit is a stub still; None where something is written, or does not parse."""
    promised = contracts(ports, resolved.module)
    waiting: list[str] = []
    for unit, text in resolved.own().items():
        try:
            state = progress(promised[ports.catalog.course.dotted(unit)], text)
        except SyntaxError:
            return None
        if not state.is_stub:
            return None
        waiting += state.unwritten
    told = f"not attempted yet: {', '.join(waiting)}"
    step = f"Write {waiting[0]} first, then run `ol tests {resolved.module.id}` again."
    summary = f"0/{len(resolved.module.tests)} course tests, not attempted"
    return GateResult(NAME, Verdict.BLOCKED, summary, (Reason("not-attempted", told, step),))


def _unreadable(ports: Ports, resolved: Resolved) -> GateResult | None:
    """What the units import or touch against the rules, or that they do not parse."""
    rules, package = ports.catalog.course.imports, ports.catalog.course.package
    files = [file for unit in resolved.module.units if (file := ports.workspace.unit(unit)) is not None]
    reasons = forbidden_in_units(files, rules, package, contracts(ports, resolved.module))
    return GateResult(NAME, Verdict.FAILED, "course tests not run", reasons) if reasons else None
