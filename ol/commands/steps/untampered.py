"""The course's files are what course.lock says, or nothing is graded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ol.domain.course import CourseModule
from ol.domain.errors import Tampered
from ol.ports import Ports


def untampered(ports: Ports, module: CourseModule, *others: CourseModule) -> None:
    """Tampered, naming the files, when one of the closure's differs from the lock, or of these others."""
    needs = ports.catalog.course.below(module.needs)
    changed = ports.catalog.tampered((*needs, module, *others))
    if changed:
        step = "Bring them back with `git checkout -- course oracle`; authors run `ol verify --lock`."
        raise Tampered("tampered", _told(changed), step)


def warnings(ports: Ports, modules: Iterable[CourseModule]) -> tuple[str, ...]:
    """The same as a remark, for the commands that grade nothing."""
    changed = ports.catalog.tampered(modules)
    return (f"note: {_told(changed)}",) if changed else ()


def _told(changed: Sequence[str]) -> str:
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    return f"Course files differ from course.lock: {', '.join(changed[:3])}{more}."
