"""`ol start`: the stub and the given test of a module. Everything is looked at before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ol.commands.steps import lent
from ol.commands.steps.blanks import blanks_left
from ol.commands.steps.own_folder import own_folder
from ol.commands.steps.shown import shown
from ol.commands.steps.standing import Standing, State, standings
from ol.commands.steps.untampered import warnings
from ol.domain.code.contract import Contract, contract
from ol.domain.code.empty import empty_tests
from ol.domain.code.identity import is_test_file
from ol.domain.code.stub import Lacking, lacking, stub
from ol.domain.code.syntax import parsed_or_refused
from ol.domain.course import CourseModule, Rung
from ol.domain.errors import WrongRequest
from ol.domain.ref_deps import RefDeps
from ol.domain.report import Page
from ol.ports import Ports

_UNVERIFIED = "The course has no tests for it yet: what you build is used, and reported as unverified."


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be written, moved and added, by path."""

    units: Mapping[Path, str]
    given: Mapping[Path, bytes]
    kept: Sequence[Path] = ()
    lacking: Mapping[Path, Lacking] = field(default_factory=dict)


def start(
    ports: Ports,
    module: CourseModule,
    *,
    ref_deps: str | None = None,
    missing: bool = False,
    fresh: bool = False,
) -> Page:
    """Write what is not there. A file that exists is left and named; nothing is ever overwritten.

    `missing` appends stubs for what a unit lacks; `fresh` puts the old unit away and begins again.
    `ref_deps` None keeps what is remembered, "none" forgets it.
    """
    if missing and fresh:
        step = "Give one of them: --missing adds to your file, --fresh begins again."
        raise WrongRequest("missing-and-fresh", "--missing and --fresh exclude each other.", step)
    RefDeps.parse(ports.catalog.course, module, ref_deps)
    plan = _plan(ports, module, missing, fresh)
    told = tuple(_carry_out(ports, plan))
    borrowed = lent.remember(ports, module.id, ref_deps)
    lines = (*_head(ports, module), "", *told, "", *_foot(ports, module, borrowed))
    return Page("start", lines, {"module": module.id, "rung": module.rung})


def _plan(ports: Ports, module: CourseModule, missing: bool, fresh: bool) -> _Plan:
    workspace, catalog = ports.workspace, ports.catalog
    workspace.tests(module)  # refused here, before anything is written, if it cannot be taken
    units = {workspace.unit_path(unit): stub(_contract(ports, unit), module.id) for unit in module.units}
    given = {workspace.tests_path(module) / file.name: file.content for file in catalog.given(module)}
    there = [unit for unit in module.units if workspace.unit(unit) is not None]
    kept = [workspace.unit_path(unit) for unit in there] if fresh else []
    adding = {workspace.unit_path(unit): _lacking(ports, module, unit) for unit in there if missing}
    return _Plan(units, given, kept, adding)


def _contract(ports: Ports, unit: str) -> Contract:
    return contract(unit, ports.catalog.contract(unit))


def _lacking(ports: Ports, module: CourseModule, unit: str) -> Lacking:
    file = ports.workspace.unit(unit)
    assert file is not None
    parsed_or_refused(file)
    return lacking(_contract(ports, unit), module.id, file.text())


def _carry_out(ports: Ports, plan: _Plan) -> Iterator[str]:
    workspace = ports.workspace
    units = {path: text.encode("utf-8") for path, text in plan.units.items()}
    left = workspace.create([*units.items(), *plan.given.items(), workspace.conftest()])
    for path in (*units, *plan.given):
        if path in plan.kept:
            yield f"put away  {shown(ports, path)} → {shown(ports, workspace.renew(path, units[path]))}"
        if path in plan.kept or path not in left:
            yield f"written   {shown(ports, path)}"
        elif path not in plan.lacking:
            yield f"left      {shown(ports, path)}, which was there"
    for path, found in plan.lacking.items():
        yield from _added(ports, path, found)


def _added(ports: Ports, path: Path, found: Lacking) -> Iterator[str]:
    if found.appended:
        ports.workspace.append(path, f"\n\n{found.appended}\n")
    added = [name for name in found.names if name not in found.methods]
    yield f"added     {', '.join(added) or 'nothing'} to {shown(ports, path)}"
    for name, text in found.methods.items():
        yield f"lacking   {name}: paste this into its class"
        yield from text.splitlines()


def _head(ports: Ports, module: CourseModule) -> tuple[str, str]:
    rung = ports.catalog.course.rungs[module.rung]
    if not module.graded:
        return f"{module.id}  {module.title}  [no course tests yet]", _UNVERIFIED
    return f"{module.id}  {module.title}  [{rung.id}: {rung.title}]", rung.means


def _foot(ports: Ports, module: CourseModule, borrowed: str | None) -> Iterator[str]:
    rung = ports.catalog.course.rungs[module.rung]
    yield from _tests(ports, module, rung)
    yield from _needs(ports, module, borrowed)
    yield from _to_read(ports, module)
    yield from _next(ports, module, rung)
    yield from warnings(ports, ports.catalog.course.closure(module.id))


def _next(ports: Ports, module: CourseModule, rung: Rung) -> Iterator[str]:
    """What to do first, and what then: blanks are worked out before a unit is built."""
    left = blanks_left(ports, module)
    if left:
        where = ", ".join(dict.fromkeys(f"{own_folder(ports, module)}/{each.file}" for each in left))
        yield f"next      fill in {len(left)} blank{'s' * (len(left) > 1)} by hand: {where}"
    yield f"{'then' if left else 'next'}      ol {'tests' if module.graded else 'check'} {module.id}"
    if rung.journal:
        yield f"then      write one test, see it fail: ol tdd red {module.id}"
    elif module.blanks:
        yield f"then      see which blanks are right: ol check {module.id}"
    elif rung.graded_by_mutation:
        yield f"then      write a test's body, see what it catches: ol mutate {module.id}"


def _tests(ports: Ports, module: CourseModule, rung: Rung) -> Iterator[str]:
    """Which tests there are to read, to fill in or to write."""
    if module.graded and not (module.given or rung.graded_by_mutation):
        files = [file.name for file in ports.catalog.course_tests(module) if is_test_file(file.name)]
        suite = shown(ports, ports.catalog.root / "course" / "tests" / module.id)
        yield f"suite     to read, all of it: {', '.join(f'{suite}/{file}' for file in files)}"
        return
    yield f"tests     yours go into {own_folder(ports, module)}/"
    if left := blanks_left(ports, module):
        names = ", ".join(each.blank.name for each in left)
        yield f"blanks    to work out by hand there: {names}"
    if waiting := empty_tests(ports.catalog.given(module)).told:
        yield f"empty     {waiting}"


def _needs(ports: Ports, module: CourseModule, borrowed: str | None) -> Iterator[str]:
    """How far each is, and what the reference stands in for, or could."""
    found = standings(ports, ports.catalog.course.closure(module.id)[:-1])
    if module.needs:
        yield f"needs     {_by_state([found[need] for need in module.needs])}"
    unwritten = any(each.state in (State.NOT_STARTED, State.STUB) for each in found.values())
    yield from lent.told(module.id, borrowed, unwritten)


def _by_state(needs: Sequence[Standing]) -> str:
    """`not started: L0.1, L0.2; passing: M06.3`."""
    ids: dict[str, list[str]] = {}
    for each in needs:
        ids.setdefault(each.state.value, []).append(each.module.id)
    return "; ".join(f"{state}: {', '.join(those)}" for state, those in ids.items())


def _to_read(ports: Ports, module: CourseModule) -> Iterator[str]:
    """The module's own chapter, and those of its reading, where the course has them."""
    if path := ports.catalog.chapter(module.id):
        yield f"chapter   {shown(ports, path)}"
    if reading := [id for id in module.reading if ports.catalog.chapter(id)]:
        yield f"reading   {', '.join(reading)}"
