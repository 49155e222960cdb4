"""Which files of a course the proofs of one module hang on: what they are remembered under."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ol.domain.course import Course, CourseModule

_BY_VALUE = ("course/course.toml", "oracle/manifest.toml")  # only parts of them matter to a module
_OF_NEEDS = ("course/wheats/", "course/bars/", "oracle/")  # beside their reference: a run may use them


def scope(course: Course, module: CourseModule, hashes: Mapping[str, str]) -> dict[str, str]:
    """Of the hash of each course file those of the module, of the code below it, and of what no module owns.

    Every contract counts: what a unit may import is told by all of them.
    """
    closure = course.closure(module.id)
    below = {each.id for each in closure}
    units = {f"course/reference/{course.package}/{unit}" for each in closure for unit in each.units}
    owned = {
        f"course/reference/{course.package}/{unit}": each.id
        for each in course.modules.values()
        for unit in each.units
    }
    found: dict[str, str] = {}
    for path, sha256 in hashes.items():
        owner = owned.get(path) or _owner(course, path)
        hers = owner in (None, module.id) or (owner in below and path.startswith(_OF_NEEDS))
        if path not in _BY_VALUE and (hers or path in units):
            found[path] = sha256
    return found


def _owner(course: Course, path: str) -> str | None:
    """The module or milestone whose id a path bears: `course/tests/L2.2/test_nplm.py`, `course/mutants/L2.2.toml`."""
    return next((name for name in _names(path) if name in course.modules or name in course.milestones), None)


def _names(path: str) -> Iterator[str]:
    root, *parts = path.split("/")
    named = parts[0] if root == "oracle" else parts[1] if len(parts) > 1 else ""
    yield named
    yield named.rpartition(".")[0]
