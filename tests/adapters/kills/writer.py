"""A student's folder written to without end, by the real adapters: what the kill tests kill.

A line in a diary says what the next deed will be, and another that it is done; so whoever killed the writer knows
what must be on disk, and the one deed that may be cut short.
"""

from __future__ import annotations

import json
import os
import random
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ol.adapters.memo import MemoFiles
from ol.adapters.workspace.files import WorkspaceFiles
from ol.adapters.workspace.settings import Settings
from ol.domain.course import ModuleId
from ol.domain.file import File
from ol.domain.journal.entry import FileRecord
from tests.adapters.journal import on_disk
from tests.fakes import Desk
from tests.made import module

UNITS = ("one.py", "lm/two.py", "lm/three.py")
DEEDS = ("record", "record", "record", "create", "renew", "extend", "start", "memo")
_COURSE = Desk.of(module("A.1", *UNITS, slug="a-1")).catalog.course


@dataclass(frozen=True)
class Deed:
    """Its name is in all that it writes, so that no two contents are alike; `lines` makes them long or short."""

    do: str
    name: str
    unit: str
    lines: int

    @property
    def text(self) -> str:
        return f"# {self.name}\n" * self.lines


def workspace(root: Path) -> WorkspaceFiles:
    return WorkspaceFiles(root, _COURSE, Settings(root / ".ol"))


def memo(root: Path) -> MemoFiles:
    return MemoFiles(root / ".ol" / "cache")


def diary(root: Path) -> Path:
    return root.with_name(f"{root.name}.diary")


def noted(root: Path) -> list[str]:
    """The diary's whole lines. A kill between two pages tears a line: that deed has not begun, or has just ended."""
    whole, newline, _ = (diary(root).read_bytes() if diary(root).exists() else b"").rpartition(b"\n")
    return (whole + newline).decode().splitlines()


def write(root: Path, seed: str, waits: bool, tells: int) -> None:
    """For ever, with a byte to `tells` as each deed begins.

    Without waiting for the disk other instants are met, and a kill takes nothing from the system.
    """
    if not waits:
        os.fsync = lambda fd: None
    chance = random.Random(seed)
    notes = _opened(root)
    for number in range(sys.maxsize):
        deed = _chosen(root, chance, f"{seed}.{number}")
        os.write(notes, json.dumps(asdict(deed)).encode() + b"\n")
        os.write(tells, b".")
        carry_out(root, deed)
        os.write(notes, b"done\n")


def _opened(root: Path) -> int:
    """The diary, to be gone on with after its last whole line."""
    whole = "".join(f"{line}\n" for line in noted(root))
    notes = os.open(diary(root), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.ftruncate(notes, len(whole.encode()))
    return notes


def _chosen(root: Path, chance: random.Random, name: str) -> Deed:
    unit, do = chance.choice(UNITS), chance.choice(DEEDS)
    needs_it = do in ("renew", "extend") and workspace(root).unit(unit) is None
    return Deed("create" if needs_it else do, name, unit, chance.choice((1, 40, 4000)))


def carry_out(root: Path, deed: Deed) -> None:
    desk, content = workspace(root), deed.text.encode()
    path = desk.unit_path(deed.unit)
    if deed.do == "record":
        _record(root, deed.name, File("test_a.py", content))
    elif deed.do == "create":
        desk.create([(desk.unit_path(unit), content) for unit in UNITS])
    elif deed.do == "renew":
        desk.renew(path, content)
    elif deed.do == "extend":
        desk.append(path, deed.text)
    elif deed.do == "start":
        desk.remember_start(ModuleId(deed.unit), deed.name)
    else:
        memo(root).put(deed.unit, content)


def _record(root: Path, name: str, file: File) -> None:
    """As a command does: it names the heads that it read."""
    journal = on_disk.files(root)
    entry = on_disk.entry(
        files={file.name: FileRecord(file.sha256, name)}, heads=journal.read(on_disk.A1).heads
    )
    journal.append(on_disk.A1, replace(entry, versions={"n": name}), [file])
