"""The course's files as their author has them: `Authoring` of the ports."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ol.adapters import safe_write
from ol.adapters.course import faults as course_faults
from ol.adapters.course import goldens
from ol.adapters.course import lock as course_lock
from ol.adapters.course.files import CourseFiles
from ol.adapters.course.toml_values import decode
from ol.adapters.own_sources import own_sources
from ol.domain.authoring import bar_record, golden, lock
from ol.domain.authoring.bar_record import BarRecord
from ol.domain.authoring.golden import Comparison, GoldenRecord
from ol.domain.authoring.lock import Lock
from ol.domain.course import ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.file import File


@dataclass(frozen=True, slots=True)
class _GoldensTable:
    goldens: Mapping[str, GoldenRecord] = field(default_factory=dict)


class AuthorFiles:
    """The course in `root`, read anew and written whole."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files = CourseFiles(root, trusts_lock=False)

    def faults(self) -> tuple[CourseWrong, ...]:
        return course_faults.faults(self._files)

    def locked(self) -> Lock | None:
        with suppress(CourseWrong):
            return course_lock.written(self._files.tree)
        return None

    def lock_of_today(self) -> Lock:
        return self._files.lock_of_today()

    def hashes(self) -> Mapping[str, str]:
        return self._files.tree.hashes(lock.ROOTS)

    def harness(self) -> str:
        return self._harness

    @cached_property
    def _harness(self) -> str:
        return own_sources()

    def file(self, path: str) -> File | None:
        return File(path, self._files.tree.read(path)) if self._files.tree.has(path) else None

    def write(self, path: str, content: bytes) -> None:
        safe_write.replace(self._root / path, content)

    def golden_records(self) -> Mapping[str, GoldenRecord]:
        """Empty where the manifest is not there yet. CourseWrong for one that cannot be read."""
        file = self.file(golden.MANIFEST)
        return decode(_GoldensTable, file.content, golden.MANIFEST).goldens if file else {}

    def bar_records(self, id: ModuleId) -> Mapping[str, BarRecord]:
        path = bar_record.path(id)
        file = self.file(path)
        return decode(dict[str, BarRecord], file.content, path) if file else {}

    def has_torch(self) -> bool:
        return goldens.has_torch()

    def made(self, folder: Path, name: str) -> File | None:
        path = folder / name
        return File(name, path.read_bytes()) if path.is_file() else None

    def compare(self, got: File, expected: File, rtol: float, atol: float) -> Comparison:
        return goldens.compare(got, expected, rtol, atol)
