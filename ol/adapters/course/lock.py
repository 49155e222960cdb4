"""The course's files against `course.lock`."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ol.adapters.course.toml_values import decode
from ol.adapters.course.tree import CourseTree
from ol.domain.authoring import lock
from ol.domain.authoring.lock import Lock
from ol.domain.course import Course, CourseModule

PYTHON = sys.version_info[:2]


@dataclass(frozen=True, slots=True)
class _LockTable:
    version: str
    files: Mapping[str, str]
    python: tuple[int, ...] = ()


def lock_hash(tree: CourseTree) -> str:
    return hashlib.sha256(tree.read(lock.PATH)).hexdigest() if tree.has(lock.PATH) else ""


def written(tree: CourseTree) -> Lock | None:
    """The lock as it lies there; None without one. CourseWrong for one that cannot be read."""
    if not tree.has(lock.PATH):
        return None
    table = decode(_LockTable, tree.read(lock.PATH), lock.PATH)
    return Lock(table.version, table.files, _made(tree), table.python)


def tampered(
    tree: CourseTree, locked: Lock, package: str, modules: Iterable[CourseModule]
) -> tuple[str, ...]:
    """Paths that differ from the lock, of what a verdict on these modules hangs on."""
    places = lock.scope(package, modules)
    return locked.differing(tree.hashes(places), places)


def lock_of_today(tree: CourseTree, course: Course) -> Lock:
    """What `ol verify --lock` writes."""
    made = _made(tree)
    found = tree.hashes(lock.ROOTS)
    files = {path: sha256 for path, sha256 in found.items() if path not in made}
    return Lock(course.version, files, made, PYTHON)


def _made(tree: CourseTree) -> dict[str, str]:
    named: dict[str, str] = {}
    for path in tree.paths(["course/corpora"]):
        if path.endswith(f"/{lock.SUMS}"):
            named |= lock.sums(path, tree.text(path))
    return named
