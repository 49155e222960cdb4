"""How far a student is with a module, from what lies there and what is remembered: nothing is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from ol.commands.steps.last_pass import changed_since_pass
from ol.commands.steps.passing import recalled
from ol.commands.steps.presumed import Presumed
from ol.commands.steps.sources import student_units
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


def standings(
    ports: Ports, modules: Iterable[CourseModule], presumed: Presumed | None = None
) -> dict[ModuleId, Standing]:
    """Of modules in an order that has every need first. `presumed` is told of each that is written."""
    known = presumed or Presumed(ports)
    return {module.id: _standing(ports, module, known) for module in modules}


def _standing(ports: Ports, module: CourseModule, presumed: Presumed) -> Standing:
    try:
        mine = student_units(ports, module)
        early = _not_written(ports, module, mine)
    except WorkRefused as error:
        return Standing(module, State.UNREADABLE, error.message)
    except SyntaxError as error:
        return Standing(module, State.UNREADABLE, f"line {error.lineno} does not parse: {error.msg}")
    if early:
        return early
    presumed.written[module.id] = mine
    return _of_tests(ports, module, presumed)


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


def _of_tests(ports: Ports, module: CourseModule, presumed: Presumed) -> Standing:
    if not module.graded:
        return Standing(module, State.UNVERIFIED, "the course has no tests for it yet")
    below, lent = presumed.below(module)
    units = {**below, **presumed.written[module.id]}
    found = recalled(ports, module, units)
    if found is None:
        return Standing(module, State.STALE, "not run as it is now")
    if not found.passes:
        changed = changed_since_pass(ports, module, units)
        since = f", and all did before your change of {', '.join(changed)}" if changed else ""
        return Standing(module, State.FAILING, f"{found.told}{since}")
    if lent:
        return Standing(module, State.ASSISTED, told_of_lent(lent))
    return Standing(module, State.PASSING)


def told_of_lent(lent: Iterable[CourseModule]) -> str:
    return f"with {', '.join(need.id for need in lent)} from the reference"
