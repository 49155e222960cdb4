"""How far a student is with a module, from what lies there and what is remembered: nothing is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from ol.commands.steps.last_pass import changed_since_pass
from ol.commands.steps.passing import recalled
from ol.commands.steps.sources import reference_units, student_units
from ol.domain.code.contract import contract
from ol.domain.code.stub import progress
from ol.domain.course import CourseModule, ModuleId
from ol.domain.errors import WorkRefused
from ol.ports import Ports


class State(Enum):
    NOT_STARTED = "not started"
    STUB = "stub"
    UNFINISHED = "unfinished"
    UNREADABLE = "unreadable"
    UNVERIFIED = "unverified"  # written, and the course has no tests for it yet
    FAILING = "failing"
    PASSING = "passing"
    ASSISTED = "assisted"  # passing, with the reference in the place of a need
    STALE = "stale"  # not run as it is now

    @property
    def can_be_built_on(self) -> bool:
        return self in (State.PASSING, State.UNVERIFIED)


@dataclass(frozen=True, slots=True)
class Standing:
    """`told` says more of the state, in half a line."""

    module: CourseModule
    state: State
    told: str = ""


def standings(ports: Ports, modules: Iterable[CourseModule]) -> dict[ModuleId, Standing]:
    """Of modules in an order that has every need first."""
    found: dict[ModuleId, Standing] = {}
    written: dict[ModuleId, Mapping[str, str]] = {}
    for module in modules:
        found[module.id], written[module.id] = _standing(ports, module, found, written)
    return found


def _standing(
    ports: Ports,
    module: CourseModule,
    known: Mapping[ModuleId, Standing],
    written: Mapping[ModuleId, Mapping[str, str]],
) -> tuple[Standing, Mapping[str, str]]:
    try:
        mine = student_units(ports, module)
        early = _not_written(ports, module, mine)
    except WorkRefused as error:
        return Standing(module, State.UNREADABLE, error.message), {}
    except SyntaxError as error:
        return Standing(module, State.UNREADABLE, f"line {error.lineno} does not parse: {error.msg}"), {}
    return early or _of_tests(ports, module, known, {**written, module.id: mine}), mine


def _not_written(ports: Ports, module: CourseModule, mine: Mapping[str, str]) -> Standing | None:
    """None when all is written. SyntaxError for a unit that does not parse."""
    if not mine:
        return Standing(module, State.NOT_STARTED)
    if absent := [unit for unit in module.units if unit not in mine]:
        return Standing(module, State.UNFINISHED, f"{absent[0]} is not there yet")
    stages = [progress(contract(unit, ports.catalog.contract(unit)), text) for unit, text in mine.items()]
    asked, unwritten = sum(len(each.asked) for each in stages), sum(len(each.unwritten) for each in stages)
    if not unwritten:
        return None
    state = State.STUB if unwritten == asked else State.UNFINISHED
    return Standing(module, state, f"{unwritten} of {asked} functions to write")


def _of_tests(
    ports: Ports,
    module: CourseModule,
    known: Mapping[ModuleId, Standing],
    written: Mapping[ModuleId, Mapping[str, str]],
) -> Standing:
    if not module.graded:
        return Standing(module, State.UNVERIFIED, "the course has no tests for it yet")
    needs = ports.catalog.course.closure(module.id)[:-1]
    lent = [need for need in needs if not known[need.id].state.can_be_built_on]
    units = dict(written[module.id])
    for need in needs:
        units |= reference_units(ports, need) if need in lent else written[need.id]
    found = recalled(ports, module, units)
    if found is None:
        return Standing(module, State.STALE, "not run as it is now")
    if not found.passes:
        changed = changed_since_pass(ports, module, units)
        since = f", and all did before your change of {', '.join(changed)}" if changed else ""
        return Standing(module, State.FAILING, f"{found.told}{since}")
    if lent:
        told = ", ".join(need.id for need in lent)
        return Standing(module, State.ASSISTED, f"with {told} from the reference")
    return Standing(module, State.PASSING)
