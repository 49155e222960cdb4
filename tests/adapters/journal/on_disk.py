"""Short ways to write and read a journal on disk, for tests."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

from ol.adapters.journal.files import JournalFiles
from ol.domain.course import ModuleId
from ol.domain.file import File
from ol.domain.journal.entry import Entry, JournalState, Phase

FILE = File("a", b"some text")
A1 = ModuleId("A1")
AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)


def files(root: Path) -> JournalFiles:
    return JournalFiles(root / "journals", root / ".ol")


def entry(number: int = 0, **more) -> Entry:
    return Entry(
        at=AT + timedelta(minutes=number), module=A1, phase=Phase.RED, versions={"n": str(number)}, **more
    )


def append(root: Path, number: int) -> Entry:
    """As a command does: it names the heads that it read."""
    journal = files(root)
    return journal.append(A1, entry(number, heads=journal.read(A1).heads), ())


def only_chain(root: Path) -> Path:
    (path,) = (root / "journals" / "A1").glob("*.jsonl")
    return path


def places(state: JournalState) -> list[tuple[str, int]]:
    return [(link.entry.versions["n"], link.entry.seq) for link in state.links]
