"""The text behind a traceback's frames, from the sources that `ol` holds: never from a child."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ol.domain.code.syntax import lines_of
from ol.domain.file import File
from ol.domain.suite import Frame


@dataclass(frozen=True, slots=True)
class Text:
    """A file as its reader knows it: the path to show, and its text."""

    path: str
    text: str

    def line(self, number: int) -> str:
        lines = lines_of(self.text)
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def texts(folder: str, files: Iterable[File]) -> dict[str, Text]:
    """The Python files of a folder, by their path below it."""
    return {
        file.name: Text(f"{folder}/{file.name}", file.text()) for file in files if file.name.endswith(".py")
    }


@dataclass(frozen=True, slots=True)
class Listing:
    """`units` by dotted name, `tests` by path below the test folder; `own`: units of the module at hand.

    `modules`: which module each of the student's units is of, where a next step is to name it.
    """

    units: Mapping[str, Text]
    tests: Mapping[str, Text]
    own: frozenset[str] = frozenset()
    modules: Mapping[str, str] = field(default_factory=dict)

    def in_unit(self, frame: Frame) -> bool:
        return frame.file.strip("<>") in self.units

    def in_own(self, frame: Frame) -> bool:
        return frame.file.strip("<>") in self.own

    def in_tests(self, frame: Frame) -> bool:
        return frame.file.startswith("tests/")

    def text(self, frame: Frame) -> Text | None:
        if self.in_tests(frame):
            return self.tests.get(frame.file.removeprefix("tests/"))
        return self.units.get(frame.file.strip("<>"))

    def last_own(self, frames: Sequence[Frame]) -> Frame | None:
        """The innermost frame that is no library's: in a unit or in a test."""
        return next((f for f in reversed(frames) if self.in_unit(f) or self.in_tests(f)), None)

    def place(self, frame: Frame) -> str:
        """`python/tinyllm/lm/nplm.py:57, in forward`."""
        text = self.text(frame)
        return f"{text.path if text else frame.file}:{frame.line}, in {frame.function}"

    def line(self, frame: Frame) -> str:
        """The source line, "" where it is not ours to show."""
        text = self.text(frame)
        return text.line(frame.line) if text else ""
