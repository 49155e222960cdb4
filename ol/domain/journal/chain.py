"""A chain: lines that each name the hash of the line before, and what a damaged one still holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ol.domain.journal.entry import Entry, Fault
from ol.domain.journal.line import LineWrong, read, sha256

_NAME = re.compile(r"[0-9A-Za-z-]+")
_OURS, _BASE, _MIDDLE, _THEIRS = b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>"


@dataclass(frozen=True, slots=True)
class Chain:
    """The lines before the first bad one, each with its hash; `good` counts their bytes."""

    lines: tuple[tuple[str, Entry], ...]
    good: int
    fault: Fault | None = None

    @property
    def head(self) -> str:
        """The last line's hash, empty for a chain of none."""
        return self.lines[-1][0] if self.lines else ""


def is_name(chain: str) -> bool:
    """Whether ol could have called a chain so."""
    return _NAME.fullmatch(chain) is not None


def read_chain(file: str, content: bytes) -> Chain:
    """`file` is the name to tell a fault with. A carriage return before a newline is no part of a line."""
    lines: list[tuple[str, Entry]] = []
    good = 0
    for number, raw in enumerate(content.split(b"\n"), 1):
        end = min(good + len(raw) + 1, len(content))
        if end == good:
            break
        line = raw.removesuffix(b"\r")
        try:
            entry = read(line)
            _follows(lines, entry)
        except LineWrong as wrong:
            text = "is a git conflict" if line.startswith(_OURS) else str(wrong)
            torn = good + len(raw) == len(content)
            return Chain(tuple(lines), good, Fault(file, number, text, torn))
        lines.append((sha256(line), entry))
        good = end
    return Chain(tuple(lines), good)


def conflict_sides(content: bytes) -> tuple[bytes, bytes] | None:
    """The two texts between git's conflict marks; None where there is none."""
    ours: list[bytes] = []
    theirs: list[bytes] = []
    both = [ours, theirs]
    sides = both
    for line in content.splitlines(keepends=True):
        if line.startswith(_OURS):
            sides = [ours]
        elif line.startswith(_BASE):
            sides = []
        elif line.startswith(_MIDDLE):
            sides = [theirs]
        elif line.startswith(_THEIRS):
            sides = both
        else:
            for side in sides:
                side.append(line)
    return None if ours == theirs else (b"".join(ours), b"".join(theirs))


def after_common_lines(theirs: bytes, ours: bytes) -> bytes:
    """What `theirs` has after the lines that both begin with."""
    mine, other = ours.splitlines(keepends=True), theirs.splitlines(keepends=True)
    common = 0
    while common < min(len(mine), len(other)) and mine[common] == other[common]:
        common += 1
    return b"".join(other[common:])


def _follows(lines: Sequence[tuple[str, Entry]], entry: Entry) -> None:
    if not lines:
        return
    head, last = lines[-1]
    if entry.previous != head or entry.seq != last.seq + 1:
        raise LineWrong("does not follow the line before it: one was taken out, put in or changed")
