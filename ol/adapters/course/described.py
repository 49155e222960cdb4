"""A folder of the course with a TOML file for each id, as a mapping: a file is read when it is asked for."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import TypeVar

from ol.adapters.course.tree import CourseTree
from ol.domain.course import ModuleId

T = TypeVar("T")


class Described(Mapping[ModuleId, T]):
    """A wrong file hinders only who asks for it: the ids are known by the files' names."""

    def __init__(self, tree: CourseTree, folder: str) -> None:
        self._tree = tree
        stems = [path.stem for path in (tree.root / "course" / folder).glob("*.toml")]
        self._ids = tuple(ModuleId(stem) for stem in sorted(stems, key=_natural))
        self._read: dict[ModuleId, T] = {}

    def __iter__(self) -> Iterator[ModuleId]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, id: ModuleId) -> T:
        if id not in self._ids:
            raise KeyError(id)
        if id not in self._read:
            self._read[id] = self._checked(id)
        return self._read[id]

    @abstractmethod
    def _checked(self, id: ModuleId) -> T:
        """The file of an id that is there. CourseWrong where it cannot be right."""


def _natural(stem: str) -> list[tuple[int, str]]:
    """L2.2 before L10.1."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", stem)]
