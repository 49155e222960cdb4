"""The milestones of a course as `ol status` tells of them: begun, passed as it is now, or waiting for what?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ol.commands.steps.merged import entry_files, merged
from ol.commands.steps.milestone_memo import has_passed
from ol.commands.steps.presumed import Presumed
from ol.commands.steps.standing import Standing, told_of_lent
from ol.domain.course import ModuleId
from ol.domain.errors import OlError
from ol.domain.milestone.milestone import Milestone
from ol.ports import Ports

NOT_STARTED, UNREADABLE, BEGUN, PASSED = "not started", "unreadable", "begun", "passed"
_MARKS = {NOT_STARTED: "○", UNREADABLE: "◐", BEGUN: "◐", PASSED: "●"}


@dataclass(frozen=True, slots=True)
class MilestoneRow:
    """`waits_for`: the modules that cannot be built on yet, unless the reference's are taken for them."""

    milestone: Milestone
    state: str
    waits_for: tuple[ModuleId, ...] = ()
    told: str = ""

    @property
    def line(self) -> str:
        return f"{_MARKS[self.state]}  {self.milestone.id:<6} {self.state:<12} {self.milestone.title}"

    @property
    def next(self) -> str:
        """What to type when it was started last; empty where a module comes first."""
        return f"ol milestone {self.milestone.id}" if self.state == BEGUN and not self.waits_for else ""

    @property
    def note(self) -> str:
        """What stands below its line; nothing while it is not begun."""
        if self.state == NOT_STARTED:
            return ""
        return self.told or (f"waits for {', '.join(self.waits_for)}" if self.waits_for else "")

    def fields(self) -> dict[str, Any]:
        return {
            "id": self.milestone.id,
            "title": self.milestone.title,
            "state": self.state,
            "told": self.told,
            "waits_for": list(self.waits_for),
        }


def milestone_rows(
    ports: Ports, found: Mapping[ModuleId, Standing], presumed: Presumed
) -> tuple[MilestoneRow, ...]:
    return tuple(_row(ports, each, found, presumed) for each in ports.catalog.course.milestones.values())


def _row(
    ports: Ports, milestone: Milestone, found: Mapping[ModuleId, Standing], presumed: Presumed
) -> MilestoneRow:
    waiting = _waiting(ports, milestone, found)
    try:
        entry = entry_files(ports, milestone, ports.workspace.declared_entry(milestone.id))
    except (
        OlError
    ) as error:  # the milestone refuses to run for it: of the rest there is as much to tell as ever
        return MilestoneRow(milestone, UNREADABLE, waiting, error.message)
    if not entry:
        return MilestoneRow(milestone, NOT_STARTED, waiting)
    units, lent = presumed.below(milestone.module)
    if has_passed(ports, milestone, merged(units, entry)):
        return MilestoneRow(milestone, PASSED, told=told_of_lent(lent) if lent else "")
    return MilestoneRow(milestone, BEGUN, waiting)


def _waiting(ports: Ports, milestone: Milestone, found: Mapping[ModuleId, Standing]) -> tuple[ModuleId, ...]:
    if ports.workspace.assisted(milestone.id):
        return ()
    needs = ports.catalog.course.below(milestone.needs)
    return tuple(need.id for need in needs if not found[need.id].state.can_be_built_on)


def milestone_lines(rows: Sequence[MilestoneRow]) -> Iterator[str]:
    """Nothing for a course without milestones."""
    if rows:
        yield ""
    for row in rows:
        yield row.line
        if row.note:
            yield f"             {row.note}"
