"""`ol status`: the graph of modules, each with its state and its figures, and what to take next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ol.commands.steps.blanks import blanks_left, known_right
from ol.commands.steps.grading import Grading
from ol.commands.steps.journal_gate import journal_gate
from ol.commands.steps.milestones import MilestoneRow, milestone_lines, milestone_rows
from ol.commands.steps.mutation_memo import recall
from ol.commands.steps.presumed import Presumed
from ol.commands.steps.standing import Standing, State, standings
from ol.commands.steps.untampered import warnings
from ol.domain.course import CourseModule, ModuleId, Rung
from ol.domain.errors import OlError, WorkRefused
from ol.domain.grading.grade import Grade
from ol.domain.graph import drawn, nearest_needs, study_order
from ol.domain.journal.history import story
from ol.domain.journal.seen_red import seen_red
from ol.domain.report import Page, Verdict
from ol.ports import Ports

_NAMED = 3
_DONE = (State.PASSING, State.ASSISTED, State.UNVERIFIED)
_TO_TEST = (State.STUB, State.UNFINISHED, State.FAILING)


@dataclass(frozen=True, slots=True)
class _Row:
    """`complete`: its journal and its tests are as its rung asks."""

    standing: Standing
    journal: str = ""
    mutation: str = ""
    blanks: str = ""
    complete: bool = False
    waits_for: tuple[ModuleId, ...] = ()

    @property
    def id(self) -> ModuleId:
        return self.standing.module.id

    @property
    def graded(self) -> bool:
        return self.standing.module.graded

    @property
    def mark(self) -> str:
        """Beside the state's word: done, begun or not."""
        return "●" if self.done else "○" if self.standing.state is State.NOT_STARTED else "◐"

    @property
    def done(self) -> bool:
        return self.complete and self.standing.state in _DONE

    @property
    def next(self) -> str:
        module, state = self.standing.module, self.standing.state
        tested = module.graded and state in _TO_TEST
        return f"ol {'start' if state is State.NOT_STARTED else 'tests' if tested else 'check'} {module.id}"

    @property
    def figures(self) -> str:
        begun = self.standing.state is not State.NOT_STARTED
        waiting = f"waits for {', '.join(self.waits_for)}" if self.waits_for and begun else ""
        parts = (self.standing.told, self.blanks, self.journal, self.mutation, waiting)
        return "; ".join(part for part in parts if part)


def status(ports: Ports) -> Page:
    """Nothing is run: what was not run as it is now says so."""
    course = ports.catalog.course
    modules = list(course.in_order())
    presumed = Presumed(ports)
    found = standings(ports, modules, presumed)
    rows = [replace(_row(ports, found[id]), waits_for=_waits_for(ports, id, found)) for id in course.modules]
    milestones = milestone_rows(ports, found, presumed)
    title = f"{course.name}, {course.version}"
    body = (*_graph(ports, rows), *milestone_lines(milestones), "", *_next(ports, rows, milestones))
    fields = {"modules": [_fields(row) for row in rows], "milestones": [each.fields() for each in milestones]}
    return Page("status", (title, "", *body, *warnings(ports, modules)), fields)


def _row(ports: Ports, standing: Standing) -> _Row:
    module, rung = standing.module, ports.catalog.course.rungs[standing.module.rung]
    if standing.state is State.NOT_STARTED:
        return _Row(standing)
    grade = _grade(ports, module, rung)
    caught = not rung.graded_by_mutation or (grade is not None and grade.passed)
    booked, journal = _journal(ports, module, rung)
    filled = not module.blanks or known_right(ports, module)
    mutation, blanks = _mutation(rung, grade), _blanks(ports, module, filled)
    return _Row(standing, journal, mutation, blanks, caught and booked and filled)


def _blanks(ports: Ports, module: CourseModule, right: bool) -> str:
    """How many are filled in; whether rightly, where that is remembered."""
    count = len(module.blanks)
    if not count:
        return ""
    filled = count - len(blanks_left(ports, module))
    return f"{filled}/{count} blanks{'' if right else ' filled, not compared as they are now'}"


def _journal(ports: Ports, module: CourseModule, rung: Rung) -> tuple[bool, str]:
    """Whether it is complete, and what to tell of it: of one that may not be read, that."""
    if not rung.journal:
        return True, ""
    try:
        state = ports.journal.read(module.id)
        booked = journal_gate(ports, module).verdict is Verdict.PASSED
    except WorkRefused as error:
        return False, error.message.rstrip(".")
    if not state.links:
        return booked, "no journal yet"
    waiting = len(story(state.links).open)
    return booked, f"journal: {seen_red(state).line}" + (f", {waiting} open" if waiting else "")


def _grade(ports: Ports, module: CourseModule, rung: Rung) -> Grade | None:
    """Of the tests as they are now, where it is remembered."""
    try:
        known = recall(Grading.of(ports, module, jobs=1, seed=0)) if rung.graded_by_mutation else None
    except OlError:
        return None
    return Grade(known[0].results, rung.threshold) if known else None


def _mutation(rung: Rung, grade: Grade | None) -> str:
    if not rung.graded_by_mutation:
        return ""
    if grade is None:
        return "no mutation grade of these tests yet"
    score = grade.score
    return f"{score.killed}/{score.all} mutants ({score.value:.2f} of {rung.threshold:.2f})"


def _waits_for(ports: Ports, id: ModuleId, found: Mapping[ModuleId, Standing]) -> tuple[ModuleId, ...]:
    """The needs that are to be done first, of those that cannot be built on: none of theirs is among them."""
    if ports.workspace.assisted(id):
        return ()
    course = ports.catalog.course
    open_ = [need.id for need in course.closure(id)[:-1] if not found[need.id].state.can_be_built_on]
    return tuple(need for need in open_ if not set(course.modules[need].needs).intersection(open_))


def _graph(ports: Ports, rows: Sequence[_Row]) -> Iterator[str]:
    """A line a module, each need above what is built on it, with lanes between them."""
    course, by_id = ports.catalog.course, {row.id: row for row in rows}
    needs = nearest_needs(course)
    order = study_order(course, needs)
    lines = drawn(order, needs, {id: row.mark for id, row in by_id.items()})
    width = max(len(line) for line, _ in lines)
    for id, (line, below) in zip(order, lines, strict=True):
        row, module = by_id[id], course.modules[id]
        state = row.standing.state
        yield f"{line:<{width}}  {id:<6} {module.rung:<3} {state.value:<12} {module.title}".rstrip()
        if row.figures and state is not State.UNVERIFIED:
            yield f"{below:<{width}}             {row.figures}"


def _next(ports: Ports, rows: Sequence[_Row], milestones: Sequence[MilestoneRow]) -> Iterator[str]:
    """What was started last, or what that waits for; else the first module with tests, its needs before it."""
    last = ports.workspace.last_started()
    if ready := next((each.next for each in milestones if each.milestone.id == last and each.next), ""):
        yield f"next   {ready}"
        return
    by_id = {row.id: row for row in rows if not row.done}
    if not by_id:
        yield "next   every module is written; `ol check ID` grades one"
        return
    order = study_order(ports.catalog.course, nearest_needs(ports.catalog.course))
    first = min(by_id.values(), key=lambda row: (row.id != last, not row.graded, order.index(row.id)))
    first = next((by_id[need] for need in first.waits_for if need in by_id), first)
    if held_up := [id for id in order if id in by_id and first.id in by_id[id].waits_for]:
        yield f"{first.id} holds up {_some(held_up)}"
    yield f"next   {first.next}"


def _some(ids: Sequence[ModuleId]) -> str:
    return ", ".join(ids) if len(ids) <= _NAMED else f"{', '.join(ids[:_NAMED])} and {len(ids) - _NAMED} more"


def _fields(row: _Row) -> dict[str, Any]:
    module = row.standing.module
    return {
        "id": module.id,
        "title": module.title,
        "rung": module.rung,
        "state": row.standing.state.value,
        "told": row.standing.told,
        "journal": row.journal,
        "mutation": row.mutation,
        "blanks": row.blanks,
        "needs": list(module.needs),
        "waits_for": list(row.waits_for),
    }
