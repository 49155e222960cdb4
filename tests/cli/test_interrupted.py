"""Ctrl-C at random points of whole commands: exit 130, nothing half-written, nothing left running."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ol import cli
from tests.cli.ended import interrupted, journal, leaves_nothing_running, parts
from tests.cli.student import TINY, Student, begun, course_in, tree

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a group of processes hears Ctrl-C on POSIX alone")

SEED = 7
POINTS = 5
POINTS_OF_LONG = 2
EXEMPLARS = (TINY / "course/exemplars/A1/test_calc.py").read_text(encoding="utf-8")
RIGHT = (TINY / "course/reference/tinycalc/calc.py").read_text(encoding="utf-8")
COMMANDS = {
    "start": ("start", "A1"),
    "red": ("tdd", "red"),
    "green": ("tdd", "green"),
    "mutate": ("mutate",),
    "verify": ("verify", "--no-cache", "-j", "2"),  # two modules, each in a thread
}


def before(command: str, calc: Student, at: Path) -> Student:
    """Somebody who is about to give this command."""
    if command == "start":
        student = begun(at / "new", tiny=True)
        course_in(student.root, TINY)
        return student
    if command == "green":
        calc.does("tdd", "red")
        return calc.writes(RIGHT)
    return calc.has_tests(EXEMPLARS)


@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_at_any_point_leaves_nothing_half_done(command: str, calc: Student, tmp_path: Path) -> None:
    words = COMMANDS[command]
    student = before(command, calc, tmp_path)
    whole = student.copied(tmp_path / "whole")
    expected, took = timed(whole, *words)
    chance = random.Random(SEED)
    heard, points = 0, POINTS_OF_LONG if command == "verify" else POINTS
    for attempt in range(8 * points):  # where others use the machine too, the command may have ended before
        mine = student.copied(tmp_path / str(attempt))
        told = interrupted(mine, took * (heard + chance.random()) / points, *words)
        assert told.code in (130, expected), told.err
        assert "Traceback" not in told.err and (told.code != 130 or "ol: Interrupted." in told.err)
        assert leaves_nothing_running(mine)
        assert parts(mine) == []
        written_whole(mine, whole, student)
        code, took = timed(mine, *words)
        assert code == expected
        journal(mine, "A1")
        heard += told.code == 130
        if heard == points:
            break
    assert heard == points


def timed(student: Student, *words: str) -> tuple[int, float]:
    began = time.perf_counter()
    code = student.ol(*words).code
    return code, time.perf_counter() - began


def written_whole(mine: Student, whole: Student, before: Student) -> None:
    """A student's files are as they were or as they were to be; of the journal, no entry is lost."""
    were, to_be, are = (tree(each.root / "python") for each in (before, whole, mine))
    assert all(content in (were.get(name), to_be.get(name)) for name, content in are.items())
    assert were.keys() <= are.keys()
    entries = [len(journal(each, "A1").links) for each in (before, mine, whole)]
    assert entries == sorted(entries)


SWALLOWED = """
import signal, sys, threading, time, weakref
from ol import cli
from ol.__main__ import main

begin = threading.Thread.start

def start(thread):
    begin(thread)
    time.sleep(float(sys.argv[1]))

def run(_):
    class Lock: pass
    lock = Lock()
    callback = weakref.ref(lock, lambda _: signal.raise_signal(signal.SIGINT))
    del lock
    time.sleep(60)

signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread.start = start
cli.run = run
main()
"""


@pytest.mark.parametrize("stays_s", [0.0, 0.3], ids=["at once", "on a busy machine"])
def test_ctrl_c_that_python_drops_in_a_callback_is_heard_all_the_same(tmp_path: Path, stays_s: float) -> None:
    root = Path(__file__).resolve().parents[2]
    told = subprocess.run(
        [sys.executable, "-c", SWALLOWED, str(stays_s)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )
    assert (told.returncode, told.stderr) == (130, "ol: Interrupted.\n")


def test_ctrl_c_in_another_exception_s_clothes_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def while_a_class_is_made(_: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise RuntimeError("Error calling __set_name__") from error

    monkeypatch.setattr(cli, "_answer", while_a_class_is_made)
    assert cli.run(["status"]) == 130
    assert capsys.readouterr().err == "ol: Interrupted.\n    [interrupted]\n"
