"""`course.lock`: the sha256 of every course file, so that an edited one is seen before it counts.

The lock covers everything below `course/` and `oracle/` but itself. A file that a program of the course
makes, and a `SHA256SUMS` beside it names, is not in the lock: it may be absent, but not different.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ol.domain.authoring.toml_text import quoted
from ol.domain.course import CourseModule

PATH = "course/course.lock"
SUMS = "SHA256SUMS"
ROOTS = ("course", "oracle")
_RULES = ("course/course.toml", "course/contracts/")
_WHOLE_COURSE = ("course/course.toml", "course/tests/frozen/", "course/corpora/", "oracle/manifest.toml")
_OF_A_MODULE = (
    "course/modules/{id}.toml",
    "course/tests/{id}/",
    "course/probes/{id}.py",
    "course/answers/{id}.py",
    "course/given/{id}/",
    "course/mutants/{id}.toml",
    "course/matrix/{id}.toml",
    "course/wheats/{id}/",
    "course/bars/{id}.toml",
    "course/milestones/{id}.toml",
    "course/milestones/{id}/",
    "course/oracle/{id}/",
    "oracle/{id}/",
)


@dataclass(frozen=True, slots=True)
class Lock:
    """Paths are posix paths below the course root. `made` are those that a `SHA256SUMS` names.

    `python`: major and minor of the one that it was written with; empty where it does not say.
    """

    version: str
    files: Mapping[str, str]
    made: Mapping[str, str] = field(default_factory=dict)
    python: tuple[int, ...] = ()

    def parses_in(self, python: tuple[int, ...]) -> bool:
        """Whether the sources that parsed when it was written do here: a newer Python reads what an older one does."""
        return () < self.python <= python

    def differing(self, found: Mapping[str, str], scope: tuple[str, ...]) -> tuple[str, ...]:
        """Paths of the scope that were changed, added or removed. `found`: the hash of each path there is."""
        expected = {**self.made, **self.files}
        changed = {path for path, sha256 in found.items() if expected.get(path) != sha256}
        removed = self.files.keys() - found.keys()
        return tuple(sorted(path for path in changed | removed if path.startswith(scope)))

    def new_rules_under(self, before: Lock) -> tuple[str, ...]:
        """Files that say what student code may be, changed since an earlier lock of the same version.

        By the version alone does a replay tell what older rules allowed from what none ever did.
        """
        if self.version != before.version:
            return ()
        return before.differing(self.files, _RULES)

    def hash_of(self, scope: tuple[str, ...]) -> str:
        """Of what the lock says of the files of the scope."""
        named = {**self.made, **self.files}
        said = sorted(each for each in named.items() if each[0].startswith(scope))
        return hashlib.sha256(repr(said).encode("utf-8")).hexdigest()

    def text(self) -> str:
        """The lock as TOML, the same for the same course and Python on every machine."""
        lines = [f"{quoted(path)} = {quoted(sha256)}" for path, sha256 in sorted(self.files.items())]
        head = [f"version = {quoted(self.version)}", f"python = {list(self.python)}"]
        return "\n".join([*head, "", "[files]", *lines, ""])


def scope(package: str, modules: Iterable[CourseModule]) -> tuple[str, ...]:
    """Where the files lie that a verdict on these modules can hang on: paths, and folders with a slash."""
    own = [each.format(id=module.id) for module in modules for each in _OF_A_MODULE]
    units = [unit for module in modules for unit in module.units]
    contracts = [f"course/contracts/py/{package}/{unit}i" for unit in units]
    references = [f"course/reference/{package}/{unit}" for unit in units]
    return (*_WHOLE_COURSE, *own, *contracts, *references)


def covered(path: str) -> bool:
    """Whether the lock covers a path: not itself, nor what tools leave behind."""
    parts = path.split("/")
    left_behind = any(part.startswith(".") or part == "__pycache__" for part in parts) or path.endswith(
        ".pyc"
    )
    return parts[0] in ROOTS and path != PATH and not left_behind


def sums(path: str, text: str) -> dict[str, str]:
    """The files that one `SHA256SUMS` names, by path below the course root."""
    folder = path.removesuffix(SUMS)
    rows = (line.split(None, 1) for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return {folder + name.strip().lstrip("*"): sha256 for sha256, name in rows}
