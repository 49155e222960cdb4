"""Which module a command means: the one that is named, or the one last started."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ol.domain.errors import WrongRequest

if TYPE_CHECKING:
    from ol.domain.course import CourseModule
    from ol.domain.milestone.milestone import Milestone
    from ol.ports import Ports


def module_meant(ports: Ports, named: str | None) -> CourseModule:
    course, last = ports.catalog.course, ports.workspace.last_started()
    if named is None and last is not None and last in course.milestones:
        told = f"No course module was named, and {last}, which was started last, is a milestone."
        raise WrongRequest("no-module", told, f"Name the module: {course.milestones[last].needs[-1]}, say.")
    if wanted := named or last:
        return course.module(wanted)
    first = next(course.in_order()).id
    raise WrongRequest(
        "no-module", "No course module was named, and none was started here.", f"Try `ol start {first}`."
    )


def milestone_named(ports: Ports, named: str | None) -> Milestone | None:
    """The milestone of that id in any case; None where it is something else."""
    course = ports.catalog.course
    known = {id.lower(): id for id in course.milestones}
    return course.milestones[known[named.lower()]] if named and named.lower() in known else None


def milestone_meant(ports: Ports, named: str | None) -> Milestone:
    """The one named, or started last, or the only one there is."""
    course, last = ports.catalog.course, ports.workspace.last_started()
    if named:
        return course.milestone(named)
    if last is not None and last in course.milestones:
        return course.milestones[last]
    if len(course.milestones) == 1:
        return next(iter(course.milestones.values()))
    listed = ", ".join(course.milestones) or "none"
    raise WrongRequest("no-milestone", "No milestone was named.", f"The course has {listed}.")


def module_and_rest(ports: Ports, names: Sequence[str]) -> tuple[CourseModule, Sequence[str]]:
    """`[ID] REST…`: the first word is the module where it names one, whatever its case."""
    known = {id.lower() for id in ports.catalog.course.modules}
    if names and names[0].lower() in known:
        return ports.catalog.course.module(names[0]), names[1:]
    return module_meant(ports, None), names
