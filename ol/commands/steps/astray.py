"""A unit saved under a wrong name: the file beside its place that is called nearly so."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import PurePosixPath

from ol.commands.steps.shown import shown
from ol.domain.errors import OlError
from ol.ports import Ports

_NEAR = 0.7


def meant_to_be(ports: Ports, unit: str) -> str:
    """A sentence on the file that may be meant to be this unit, which is not there; "" where none is near.

    It is a hint beside a refusal: where it cannot be made out, the refusal stands without it.
    """
    try:
        name = _near(ports, PurePosixPath(unit))
    except OlError:
        return ""
    if not name:
        return ""
    path = shown(ports, ports.workspace.unit_path(name))
    return f"{path} is there: is it meant to be {PurePosixPath(unit).name}? Then rename it."


def _near(ports: Ports, unit: PurePosixPath) -> str:
    """By path below the package; a unit of the course is where it should be."""
    files = [PurePosixPath(file.name) for file in ports.workspace.entry([f"{unit.parent}/"])]
    beside = {path.stem.lower(): path.as_posix() for path in files if path.parent == unit.parent}
    near = [beside[stem] for stem in get_close_matches(unit.stem.lower(), beside, n=3, cutoff=_NEAR)]
    units = (
        {each for module in ports.catalog.course.modules.values() for each in module.units} if near else ()
    )
    return next((name for name in near if name not in units), "")
