"""The merged tree of a milestone: the student's command line over the units of everything that it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ol.commands.steps.shown import shown
from ol.domain.errors import NotReady
from ol.domain.file import File
from ol.domain.milestone.material import Material
from ol.domain.milestone.milestone import Milestone
from ol.ports import Ports


def own_entry(
    ports: Ports, milestone: Milestone, material: Material, declared: Sequence[str]
) -> tuple[File, ...]:
    """The student's command line: what the workspace declares, else what the milestone says.

    NotReady where it is not there, or is the skeleton still.
    """
    first = milestone.entry[0]
    found = entry_files(ports, milestone, declared)
    _all_there(milestone, declared, found)
    where = shown(ports, ports.workspace.unit_path(first))
    if first not in [file.name for file in found]:
        told = f"{milestone.id} is not started: there is no {where}."
        raise NotReady("not-started", told, f"Run `ol start {milestone.id}`.")
    if _by_name(found) == _by_name(material.skeleton):
        told = f"{where} is still the skeleton: none of its commands is written."
        step = f"Its contract is {milestone.contract}; the chapter says where to begin."
        raise NotReady("entry-stub", told, step)
    return found


def entry_files(ports: Ports, milestone: Milestone, declared: Sequence[str]) -> tuple[File, ...]:
    names = dict.fromkeys((milestone.entry[0], *declared)) if declared else milestone.entry
    return ports.workspace.entry(names)


def _all_there(milestone: Milestone, declared: Sequence[str], found: Sequence[File]) -> None:
    for name in declared:
        if not any(file.name == name or file.name.startswith(f"{name.rstrip('/')}/") for file in found):
            told = f"pyproject.toml names {name} for {milestone.id}, and there is no such file or folder."
            raise NotReady("entry-missing", told, "Write it, or take it out of [tool.ol.entry].")


def _by_name(files: Sequence[File]) -> dict[str, bytes]:
    return {file.name: file.content for file in files}


def told_entry(declared: Sequence[str]) -> tuple[str, ...]:
    """A note where the command line is other files than the milestone says; nothing where it is those."""
    return (f"command line: {', '.join(declared)}, as pyproject.toml says",) if declared else ()


def merged(units: Mapping[str, str], entry: Sequence[File]) -> tuple[File, ...]:
    """A command line never stands in the place of a unit."""
    files = {file.name: file for file in entry}
    return tuple(
        {**files, **{unit: File(unit, text.encode("utf-8")) for unit, text in units.items()}}.values()
    )
