"""A disk that does not take it, and a folder that may not be written: one sentence, exit 2, nothing half there."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.ended import journal, leaves_nothing_running, one_sentence, parts
from tests.cli.student import TINY, Student, Told, begun, course_in, tree

pytestmark = pytest.mark.skipif(os.name != "posix", reason="limits and rights are POSIX's")

_PR_CAPBSET_DROP, _CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 24, 1, 2
RIGHT = (TINY / "course/reference/tinycalc/calc.py").read_text(encoding="utf-8")


def ol(student: Student, prepare: Callable[[], object], *words: str) -> Told:
    """The command in a process that something is done to first."""
    done = subprocess.run(
        [sys.executable, "-m", "ol", *words],
        cwd=student.root,
        env=student.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        preexec_fn=prepare,
        check=False,
    )
    return Told(done.returncode, done.stdout, done.stderr)


# ---- a disk that is full: the system cuts a write at the limit, as a full disk does, and refuses the next


def room_for(size: int) -> Callable[[], None]:
    """Files of so many bytes and no more, for the command and all that it starts."""

    def limit() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.parametrize(
    ("words", "size", "slug"),
    [
        ("start A1", 0, "cannot-write"),
        ("start A1", 20, "cannot-write"),
        ("start A1", 2000, "cannot-write"),
        ("tdd red", 0, "no-scratch"),
        ("tdd red", 2000, "no-scratch"),
        ("tdd green", 2000, "no-scratch"),
        ("mutate", 2000, "no-scratch"),
    ],
)
def test_what_finds_no_room_is_told_in_a_sentence(
    words: str, size: int, slug: str, calc: Student, tmp_path: Path
) -> None:
    student = newcomer(tmp_path) if words == "start A1" else calc
    if words == "tdd green":
        student.does("tdd", "red")
        student.writes(RIGHT)
    before, entries = tree(student.root / "python"), len(journal(student, "A1").links)
    told = ol(student, room_for(size), *words.split())
    assert told.code == 2
    one_sentence(told, slug)
    after = len(journal(student, "A1").links)
    assert (tree(student.root / "python"), after) == (before, entries)
    assert parts(student) == [] and leaves_nothing_running(student)
    assert student.ol(*words.split()).code in (0, 1)
    journal(student, "A1")


def newcomer(at: Path) -> Student:
    """A copy of the tiny course, and nothing started."""
    student = begun(at / "new", tiny=True)
    course_in(student.root, TINY)
    return student


# ---- folders that may not be written


def as_anybody() -> None:
    """Root may write where it must not; without that right it is a user like any other."""
    if sys.platform == "linux" and os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for right in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            assert libc.prctl(_PR_CAPBSET_DROP, right, 0, 0, 0) == 0


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
    for each in folders:
        each.chmod(0o555)
    try:
        yield
    finally:
        for each in folders:
            each.chmod(0o755)


@pytest.mark.parametrize("place", [".", "python"])
def test_start_in_a_folder_that_may_not_be_written(place: str, tmp_path: Path) -> None:
    student = newcomer(tmp_path)
    (student.root / "python").mkdir()
    before = tree(student.root)
    with read_only(student.root / place):
        told = ol(student, as_anybody, "start", "A1")
    assert told.code == 2 and "python/tinycalc cannot be written: Permission denied." in told.err
    one_sentence(told, "cannot-write")
    assert tree(student.root) == before


@pytest.mark.parametrize("place", ["journals", ".ol"])
@pytest.mark.parametrize("phase", ["red", "green"])
def test_an_entry_in_a_folder_that_may_not_be_written(phase: str, place: str, calc: Student) -> None:
    calc.does("tdd", "red")
    before = journal(calc, "A1").links
    calc.writes(RIGHT if phase == "green" else calc.unit.read_text("utf-8") + "# more\n")
    with read_only(calc.root / place):
        told = ol(calc, as_anybody, "tdd", phase)
    assert told.code == 2 and "Permission denied" in told.err
    one_sentence(told, "cannot-write")
    assert journal(calc, "A1").links == before
    calc.does("tdd", phase)
    assert len(journal(calc, "A1").links) == len(before) + 1


@pytest.mark.parametrize("words", ["tests", "mutate", "check", "status"])
def test_what_only_reads_says_the_same_in_a_folder_that_may_not_be_written(words: str, calc: Student) -> None:
    expected = calc.copied(calc.home).ol(words)
    before = tree(calc.root)
    with read_only(calc.root):
        told = ol(calc, as_anybody, words)
    assert (told.code, told.last) == (expected.code, expected.last)
    assert tree(calc.root) == before
