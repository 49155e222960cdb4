"""What some attacks do that no file can say: forge what `ol` wrote, hashes and all."""

from __future__ import annotations

import marshal
import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

import pytest

from ol.adapters.memo import MemoFiles
from ol.adapters.scratch import RUN_PREFIX
from ol.domain.journal import line
from ol.domain.journal.entry import Entry
from tests.attacks.desk import Desk
from tests.cli.student import lock

_LEAVING_S = 10.0


def nothing_got_out(at: Path) -> None:
    """`got-out` is what those attacks make that would write or run outside a run."""
    assert [*at.rglob("got-out")] == []


def nothing_runs_on(desk: Desk) -> None:
    """No process of a run is left, in whichever session; one that nobody waits for may be at its end still."""
    runs, until = f"{desk.runner._base}/{RUN_PREFIX}", time.monotonic() + _LEAVING_S
    while left := [place for place in map(_working_folder, _processes()) if place.startswith(runs)]:
        assert time.monotonic() < until, left
        time.sleep(0.05)


def _processes() -> Iterator[Path]:
    return Path("/proc").glob("[0-9]*")


def _working_folder(process: Path) -> str:
    with suppress(OSError):
        return str((process / "cwd").readlink())
    return ""


def a_lock_to_fit(desk: Desk) -> None:
    lock(desk.root)


def a_memo_of_passes(desk: Desk) -> None:
    """Every answer that a check asks for; where the work holds the course itself, that is believed."""
    asked: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MemoFiles, "get", lambda self, key: asked.append(key))
        desk.json("check", "--cached")
    memo = MemoFiles(desk.root / ".ol" / "cache")
    for key in asked:
        memo.put(key, b"")
    assert desk.json("check", "--cached")["passed"], "the forgery works on its owner's machine"


def a_memo_of_noise(desk: Desk) -> None:
    desk.json("mutate")
    for path in (desk.root / ".ol" / "cache").iterdir():
        path.write_bytes(path.read_bytes()[::-1])


def a_line_edited(desk: Desk) -> None:
    path = _chain(desk)
    told = path.read_bytes()
    path.write_bytes(told.replace(b'"phase":"red"', b'"phase":"green"', 1))
    assert path.read_bytes() != told


def a_line_taken_out(desk: Desk) -> None:
    path = _chain(desk)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))


def a_red_made_up(desk: Desk) -> None:
    """The code was there first: the red claims to have failed on it."""
    red, green = _entries(desk)
    _rewrite(desk, [replace(red, units=green.units), green])


def a_name_that_leads_out(desk: Desk) -> None:
    red, green = _entries(desk)
    files = {f"../../../{'../' * 4}got-out": record for record in red.files.values()}
    _rewrite(desk, [replace(red, files={**files, **red.files}), green])


def snapshots_swapped(desk: Desk) -> None:
    one, other, *_ = sorted(path for path in (desk.root / "journals/objects").rglob("*") if path.is_file())
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


def _chain(desk: Desk) -> Path:
    (path,) = (desk.root / "journals" / "A1").glob("*.jsonl")
    return path


def _entries(desk: Desk) -> list[Entry]:
    return [line.read(each) for each in _chain(desk).read_bytes().splitlines()]


def _rewrite(desk: Desk, entries: Sequence[Entry]) -> None:
    """A chain of these, each with the hash of the line before."""
    lines: list[bytes] = []
    for entry in entries:
        previous = line.sha256(lines[-1]) if lines else ""
        lines.append(line.written(replace(entry, previous=previous)))
    _chain(desk).write_bytes(b"\n".join([*lines, b""]))


def bytecode_of_the_exemplars(desk: Desk) -> None:
    """Where Python itself would look for it, of the size and time of the source beside it."""
    source = desk.student.tests / "test_calc.py"
    exemplars = desk.root / "course/exemplars/A1/test_calc.py"
    code = compile(exemplars.read_text(encoding="utf-8"), str(source), "exec")
    at = source.stat()
    head = MAGIC_NUMBER + struct.pack("<3I", 0, int(at.st_mtime), at.st_size)
    cached = Path(cache_from_source(str(source)))
    cached.parent.mkdir()
    cached.write_bytes(head + marshal.dumps(code))
    cached.with_name(f"test_calc.{sys.implementation.cache_tag}-pytest-{pytest.__version__}.pyc").write_bytes(
        head + marshal.dumps(code)
    )


def a_repository_that_runs_a_program(desk: Desk) -> None:
    """Whoever asks git for the state of the work runs it."""
    root = desk.root
    program = root / "runs.sh"
    program.write_text(f"#!/bin/sh\ntouch '{root}/got-out'\ncat\n", encoding="utf-8", newline="\n")
    program.chmod(0o755)
    git = ("git", "-C", str(root), "-c", "user.name=s", "-c", "user.email=s@example.org")
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "python"], check=True)
    subprocess.run([*git, "commit", "-qm", "work"], check=True)
    (root / ".gitattributes").write_text("* filter=runs\n", encoding="utf-8")
    for name in ("filter.runs.clean", "core.fsmonitor"):
        subprocess.run([*git, "config", name, str(program)], check=True)
    os.utime(desk.student.unit, (0, 0))


def the_reference_copied(desk: Desk) -> None:
    reference = desk.root / "course/reference" / desk.student.package / desk.student.unit_name
    desk.student.writes(reference.read_text(encoding="utf-8"))


def a_story_played_afterwards(desk: Desk) -> None:
    code = desk.student.unit.read_text(encoding="utf-8")
    shutil.rmtree(desk.root / "journals")
    shutil.rmtree(desk.root / ".ol")
    desk.student.unit.unlink()
    desk.does("start", "A1", "--ref-deps")
    desk.does("tdd", "red")
    desk.student.writes(code)
    desk.does("tdd", "green")


def a_nest(desk: Desk) -> None:
    desk.student.writes(desk.student.unit.read_text(encoding="utf-8") + f"\nDEEP = {'-' * 100_000}1\n")


def a_chain(desk: Desk) -> None:
    desk.student.writes(desk.student.unit.read_text(encoding="utf-8") + f"\nLONG = np{'.a' * 100_000}\n")


def a_list_without_end(desk: Desk) -> None:
    desk.student.writes(desk.student.unit.read_text(encoding="utf-8") + f"\nLONG = [{'0,' * 600_000}]\n")
