"""The milestones of a course as `ol status` tells of them: is a command line there, and what does its run wait for?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ol.commands.steps.standing import Standing
from ol.domain.course import ModuleId
from ol.domain.milestone.milestone import Milestone
from ol.ports import Ports


@dataclass(frozen=True, slots=True)
class MilestoneRow:
    """`waits_for`: the modules that cannot be built on yet, unless the reference's are taken for them."""

    milestone: Milestone
    begun: bool
    waits_for: tuple[ModuleId, ...] = ()

    @property
    def line(self) -> str:
        mark, state = ("◐", "begun") if self.begun else ("○", "not started")
        return f"{mark}  {self.milestone.id:<6} {state:<12} {self.milestone.title}"

    @property
    def next(self) -> str:
        """What to type when it was started last; empty where a module comes first."""
        return f"ol milestone {self.milestone.id}" if self.begun and not self.waits_for else ""

    def fields(self) -> dict[str, Any]:
        state = "begun" if self.begun else "not started"
        return {
            "id": self.milestone.id,
            "title": self.milestone.title,
            "state": state,
            "waits_for": list(self.waits_for),
        }


def milestone_rows(ports: Ports, found: Mapping[ModuleId, Standing]) -> tuple[MilestoneRow, ...]:
    return tuple(_row(ports, each, found) for each in ports.catalog.course.milestones.values())


def _row(ports: Ports, milestone: Milestone, found: Mapping[ModuleId, Standing]) -> MilestoneRow:
    begun = bool(ports.workspace.entry(milestone.entry))
    if ports.workspace.assisted(milestone.id):
        return MilestoneRow(milestone, begun)
    needs = ports.catalog.course.below(milestone.needs)
    waiting = [need.id for need in needs if not found[need.id].state.can_be_built_on]
    return MilestoneRow(milestone, begun, tuple(waiting))


def milestone_lines(rows: Sequence[MilestoneRow]) -> Iterator[str]:
    """Nothing for a course without milestones."""
    if rows:
        yield ""
    for row in rows:
        yield row.line
        if row.begun and row.waits_for:
            yield f"             waits for {', '.join(row.waits_for)}"
