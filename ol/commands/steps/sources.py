"""Where each module of a closure is taken from: the student, the reference, or the student unverified."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ol.commands.steps.astray import meant_to_be
from ol.commands.steps.jobs import jobs_of
from ol.commands.steps.needs import Need, NeedsTried
from ol.commands.steps.shown import shown
from ol.commands.steps.versions import versions
from ol.domain.code.contract import contract
from ol.domain.code.stub import progress
from ol.domain.course import CourseModule, ModuleId
from ol.domain.errors import NotReady
from ol.domain.ref_deps import RefDeps
from ol.domain.report import Reason, Source
from ol.domain.sentence import sentence
from ol.ports import Ports


@dataclass(frozen=True, slots=True)
class Resolved:
    """The source text of every unit of a closure, and where each module's came from.

    `sources` is keyed by dotted name, `units` (the same texts) by the unit's path below the package; `origin`
    is in the order of the course's manifests. `broken` holds the needs that stop the course tests; their texts
    are the reference's, so that the rest can go on. One that is not written yet is nobody's: it has no origin.
    """

    module: CourseModule
    sources: Mapping[str, str]
    units: Mapping[str, str]
    origin: Mapping[ModuleId, Source]
    broken: Mapping[ModuleId, Reason] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    option: str = ""  # how --ref-deps was given, for a command that is to be run again
    versions: Mapping[str, str] = field(default_factory=versions)

    def own(self) -> Mapping[str, str]:
        """The asked module's units only, by path below the package."""
        return {unit: self.units[unit] for unit in self.module.units}


def resolve(ports: Ports, module: CourseModule, ref_deps: str | None = None) -> Resolved:
    """As `survey`, but a broken need is NotReady, naming it and both ways on."""
    found = survey(ports, module, ref_deps)
    if found.broken:
        raise blocked(module, found.broken)
    return found


def survey(ports: Ports, module: CourseModule, ref_deps: str | None = None) -> Resolved:
    """The sources of a module and its needs, each need judged after its own needs.

    The module itself is the student's: NotReady when a unit of it is not there yet. `ref_deps` None means
    what `start` remembered for this module; RefDeps.parse names the forms.
    """
    own = own_units(ports, module)
    wanted, notes = _wanted(ports, module, ref_deps)
    written = [_written(ports, need, wanted) for need in ports.catalog.course.below(module.needs)]
    tried = NeedsTried(ports, jobs_of(None))
    tried.ahead(list(_own(ports, written, wanted.failing)), every=wanted.failing)
    origin: dict[ModuleId, Source] = {}
    units: dict[str, str] = {}
    broken: dict[ModuleId, Reason] = {}
    for each in written:
        need = each.module
        reason = None if each.lent else _why_not(tried, each, units, broken)
        units |= reference_units(ports, need) if reason else each.units
        if each.lent or (reason and wanted.failing):
            origin[need.id] = Source.REFERENCE
        elif reason is None or reason.slug not in _NOT_WRITTEN:
            origin[need.id] = Source.STUDENT if need.graded else Source.UNVERIFIED
        if reason and not wanted.failing:
            broken[need.id] = _with_way(ports, each, reason)
    origin[module.id] = Source.STUDENT
    units |= own
    option = f" --ref-deps={ref_deps}" if ref_deps else ""
    listed = {id: origin[id] for id in (*ports.catalog.course.modules, module.id) if id in origin}
    return Resolved(module, _dotted(ports, units), units, listed, broken, notes, option)


def own_units(ports: Ports, module: CourseModule) -> dict[str, str]:
    """The student's units of the module asked for, as they are. NotReady when one is not there."""
    units = student_units(ports, module)
    if missing := [unit for unit in module.units if unit not in units]:
        where = shown(ports, ports.workspace.unit_path(missing[0]))
        told = f"{module.id} is not started: there is no {where}."
        raise NotReady("not-started", told, _way_to(ports, module, missing[0]))
    return units


def _way_to(ports: Ports, module: CourseModule, unit: str) -> str:
    """How a unit that is not there comes there: it may only be called otherwise."""
    begun = f"`ol start {module.id}`."
    hint = meant_to_be(ports, unit)
    return f"{hint} Or run {begun}" if hint else f"Run {begun}"


def _with_way(ports: Ports, written: _Written, reason: Reason) -> Reason:
    """Looked for only where the reason is told: not where the reference stands in."""
    missing = [unit for unit in written.module.units if unit not in written.units]
    if reason.slug != "need-missing" or not missing:
        return reason
    return replace(reason, next_step=_way_to(ports, written.module, missing[0]))


def student_units(ports: Ports, module: CourseModule) -> dict[str, str]:
    """Those units of a module that the student has a file of, by path below the package."""
    files = {unit: ports.workspace.unit(unit) for unit in module.units}
    return {unit: file.text() for unit, file in files.items() if file is not None}


def reference_units(ports: Ports, module: CourseModule) -> dict[str, str]:
    return {unit: ports.catalog.reference(unit) for unit in module.units}


def reference_closure(ports: Ports, module: CourseModule) -> dict[str, str]:
    """The whole closure from the reference, by path below the package."""
    units: dict[str, str] = {}
    for each in (*ports.catalog.course.below(module.needs), module):
        units |= reference_units(ports, each)
    return units


def reference_sources(ports: Ports, module: CourseModule) -> dict[str, str]:
    """The same by dotted name: what the baseline and the mutants run on."""
    return _dotted(ports, reference_closure(ports, module))


def blocked(module: CourseModule, broken: Mapping[ModuleId, Reason]) -> NotReady:
    """The refusal that names the broken needs, by what is wrong with them, and both ways on."""
    by_slug: dict[str, list[ModuleId]] = {}
    for id, reason in broken.items():
        if reason.slug in _STATES:
            by_slug.setdefault(reason.slug, []).append(id)
    regressions = [reason.text for reason in broken.values() if reason.slug == _REGRESSED]
    told = "; ".join([*regressions, *(f"{', '.join(ids)} {_STATES[slug]}" for slug, ids in by_slug.items())])
    first = next(iter(broken.values()))
    way_on = f"{first.next_step} Or take the reference's: `ol start {module.id} --ref-deps`."
    return NotReady("blocked-by-need", sentence(f"{module.id} is blocked by what it needs: {told}"), way_on)


def told_of(id: ModuleId, why: Reason) -> str:
    """What is wrong with a need; a regression names it already."""
    return why.text if why.slug == _REGRESSED else f"{id}: {why.text}"


def _wanted(ports: Ports, module: CourseModule, given: str | None) -> tuple[RefDeps, tuple[str, ...]]:
    remembered = ports.workspace.assisted(module.id) if given is None else None
    notes = (f"--ref-deps={remembered}, as given to `ol start {module.id}`",) if remembered else ()
    return RefDeps.parse(ports.catalog.course, module, given or remembered), notes


@dataclass(frozen=True, slots=True)
class _Written:
    """A need as the student has it, and why nothing of it can be run; or the reference's, `lent` by name."""

    module: CourseModule
    units: Mapping[str, str]
    lack: Reason | None = None
    lent: bool = False


def _written(ports: Ports, need: CourseModule, wanted: RefDeps) -> _Written:
    if need.id in wanted.always:
        return _Written(need, reference_units(ports, need), lent=True)
    mine = student_units(ports, need)
    return _Written(need, mine, _not_there(ports, need, mine))


def _own(ports: Ports, written: Iterable[_Written], failing: bool) -> Iterator[Need]:
    """Those that will be tried if all of them pass: so they can be, side by side."""
    units: dict[str, str] = {}
    absent: set[ModuleId] = set()
    for each in written:
        need = each.module
        if absent.intersection(need.needs) or (each.lack and not failing):
            absent.add(need.id)
            continue
        units |= reference_units(ports, need) if each.lack else each.units
        if need.graded and not each.lent and not each.lack:
            yield Need(need, dict(units))


def _why_not(
    tried: NeedsTried, written: _Written, below: Mapping[str, str], broken: Mapping[ModuleId, Reason]
) -> Reason | None:
    """Why the student's units of a need cannot be built on; None when they can."""
    need = written.module
    if written.lack or not need.graded:
        return written.lack
    if under := [id for id in need.needs if id in broken]:
        return Reason("need-blocked", f"it waits for {', '.join(under)}")
    return tried.why_not(Need(need, {**below, **written.units}))


_REGRESSED = "need-regressed"
_NOT_WRITTEN = ("need-missing", "need-stub")
_STATES = {
    "need-missing": "not started",
    "need-stub": "still a stub",
    "need-unreadable": "not readable",
    "need-failing": "failing",
    "need-blocked": "waiting for those",
}


def _not_there(ports: Ports, need: CourseModule, mine: Mapping[str, str]) -> Reason | None:
    if missing := [unit for unit in need.units if unit not in mine]:
        return Reason("need-missing", f"{missing[0]} is not there yet", f"Run `ol start {need.id}`.")
    for unit, text in mine.items():
        try:
            if progress(contract(unit, ports.catalog.contract(unit)), text).is_stub:
                return Reason("need-stub", f"{unit} is still a stub", f"Build it: `ol tests {need.id}`.")
        except SyntaxError as error:
            told = f"{unit}, line {error.lineno}, does not parse: {error.msg}"
            return Reason("need-unreadable", told, f"`ol tests {need.id}` shows the line.")
    return None


def _dotted(ports: Ports, units: Mapping[str, str]) -> dict[str, str]:
    return {ports.catalog.course.dotted(unit): text for unit, text in units.items()}
