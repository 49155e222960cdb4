"""Reading a course's files: whatever cannot be read makes the course wrong, and is named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ol.domain.authoring import lock
from ol.domain.code.syntax import must_parse
from ol.domain.errors import CourseWrong, WorkRefused
from ol.domain.file import File
from ol.domain.sentence import sentence


@dataclass(frozen=True, slots=True)
class CourseTree:
    """Paths are posix paths below `root`, the folder that holds `course/` and `oracle/`."""

    root: Path
    _hashes: dict[tuple[str, int, int], str] = field(default_factory=dict)

    def has(self, path: str) -> bool:
        return (self.root / path).is_file()

    def read(self, path: str) -> bytes:
        try:
            return (self.root / path).read_bytes()
        except FileNotFoundError as error:
            raise CourseWrong(
                "course-file-missing", f"{path} is missing.", "Restore it, or write it."
            ) from error
        except OSError as error:
            told = f"{path} cannot be read: {error.strerror}."
            raise CourseWrong("course-file-unreadable", told, "Mend the file or its rights.") from error

    def text(self, path: str) -> str:
        try:
            return File(path, self.read(path)).text()
        except WorkRefused as error:
            raise CourseWrong(error.slug, error.message, "Save the file as UTF-8.") from error

    def python(self, path: str) -> str:
        """A source text that parses."""
        text = self.text(path)
        try:
            must_parse(text)
        except SyntaxError as error:
            told = sentence(f"{path}, line {error.lineno}, does not parse: {error.msg}")
            raise CourseWrong("course-unreadable", told, "Mend that line.") from error
        return text

    def folder(self, folder: str) -> tuple[File, ...]:
        """Every file of a folder, named below it; none where the folder is not there."""
        return tuple(File(path.removeprefix(f"{folder}/"), self.read(path)) for path in self.paths([folder]))

    def paths(self, places: Iterable[str]) -> list[str]:
        """The files of these places that a lock covers, sorted."""
        found: set[Path] = set()
        for place in (self.root / place for place in places):
            found |= {place} if place.is_file() else {each for each in place.rglob("*") if each.is_file()}
        return sorted(filter(lock.covered, (path.relative_to(self.root).as_posix() for path in found)))

    def hashes(self, places: Iterable[str]) -> dict[str, str]:
        return {path: self.hash(path) for path in self.paths(places)}

    def hash(self, path: str) -> str:
        """Read once for as long as the file stays as it is: a command asks for the same ones often."""
        status = (self.root / path).stat()
        key = (path, status.st_size, status.st_mtime_ns)
        if key not in self._hashes:
            self._hashes[key] = File(path, self.read(path)).sha256
        return self._hashes[key]
