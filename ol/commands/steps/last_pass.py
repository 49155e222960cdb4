"""The units with which a module last passed: to say what a failure comes of, never to judge by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress

from ol.domain.course import CourseModule
from ol.ports import Ports


def note_pass(ports: Ports, module: CourseModule, units: Mapping[str, str]) -> None:
    """Remembered by the module's id, of the course as it is now. `units`: by path below the package."""
    name, now = _name(module), _state(ports, module, units)
    if ports.memo.get(name) != now:
        ports.memo.put(name, now)


def changed_since_pass(ports: Ports, module: CourseModule, units: Mapping[str, str]) -> tuple[str, ...]:
    """The units of it and its needs that are not as they were then.

    Empty where it never passed, and where what the course judges it by has changed: then it may be the course's doing.
    """
    then, now = _read(ports.memo.get(_name(module))), _read(_state(ports, module, units))
    if then.pop("course", None) != now.pop("course"):
        return ()
    return tuple(unit for unit in now if then.get(unit) != now[unit])


def _name(module: CourseModule) -> str:
    return f"last pass of {module.id}"


def _state(ports: Ports, module: CourseModule, units: Mapping[str, str]) -> bytes:
    inside = [unit for each in ports.catalog.course.closure(module.id) for unit in each.units]
    hashes = {
        unit: hashlib.sha256(units[unit].encode("utf-8")).hexdigest() for unit in inside if unit in units
    }
    return json.dumps({"course": ports.catalog.vouched_for(module), **hashes}).encode("utf-8")


def _read(state: bytes | None) -> dict[str, str]:
    """Empty for what is no state."""
    with suppress(ValueError, RecursionError):
        if isinstance(found := json.loads(state or b"{}"), dict):
            return found
    return {}
