"""`ol start` of a milestone: the skeleton of the command line. A file that is there is left as it is."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ol.commands.steps import lent
from ol.commands.steps.shown import shown
from ol.commands.steps.standing import standings
from ol.commands.steps.untampered import warnings
from ol.domain.errors import WrongRequest
from ol.domain.milestone.milestone import Milestone
from ol.domain.ref_deps import RefDeps
from ol.domain.report import Page
from ol.ports import Ports


def start_milestone(
    ports: Ports, milestone: Milestone, *, ref_deps: str | None = None, renewing: bool = False
) -> Page:
    """`ref_deps` None keeps what is remembered, "none" forgets it. `renewing`: an option only modules have."""
    if renewing:
        told = f"{milestone.id} is a milestone: --missing and --fresh are for the units of a course module."
        raise WrongRequest("milestone-option", told, f"Move your file away, then `ol start {milestone.id}`.")
    RefDeps.parse(ports.catalog.course, milestone.module, ref_deps)
    written = tuple(_written(ports, milestone))
    borrowed = lent.remember(ports, milestone.id, ref_deps)
    head = (f"{milestone.id}  {milestone.title}  [milestone]", "Your own command line runs what you built.")
    return Page(
        "start", (*head, "", *written, "", *_foot(ports, milestone, borrowed)), {"milestone": milestone.id}
    )


def _written(ports: Ports, milestone: Milestone) -> Iterator[str]:
    skeleton = ports.catalog.material(milestone).skeleton
    files = [(ports.workspace.unit_path(file.name), file.content) for file in skeleton]
    left = ports.workspace.create([*files, ports.workspace.conftest()])
    for path, _ in files:
        yield (
            f"left      {shown(ports, path)}, which was there"
            if path in left
            else f"written   {shown(ports, path)}"
        )


def _foot(ports: Ports, milestone: Milestone, borrowed: str | None) -> Iterator[str]:
    root, needs = ports.catalog.root, ports.catalog.course.below(milestone.needs)
    yield f"contract  {shown(ports, root / milestone.contract)}"
    if chapter := ports.catalog.chapter(milestone.id):
        yield f"chapter   {shown(ports, chapter)}"
    found = standings(ports, needs).values()
    waiting = [each for each in found if not each.state.can_be_built_on]
    yield f"needs     {len(needs) - len(waiting)} of {len(needs)} pass" + _names(
        [each.module.id for each in waiting]
    )
    yield from lent.told(milestone.id, borrowed, bool(waiting))
    yield f"next      {_typed(ports)} --help"
    yield f"then      ol milestone {milestone.id} --smoke"
    yield from warnings(ports, (*needs, milestone.locked))


def _typed(ports: Ports) -> str:
    """Their own units first, and the reference's for those that are not there."""
    units = ports.workspace.unit_path("").parent
    found = ":".join(shown(ports, each) for each in (units, ports.catalog.root / "course/reference"))
    return f"PYTHONPATH={shlex.quote(found)} python -m {ports.catalog.course.package}"


def _names(waiting: list[str]) -> str:
    return f"; waits for {', '.join(waiting)}" if waiting else ""
