"""Colours only where they are wanted, and nothing that a student prints steers the terminal."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.cli.student import REFERENCE, Student

ESCAPE = "\x1b"


def on_a_terminal(student: Student, *words: str, **environment: str) -> str:
    """What the command writes where standard output and error are a terminal."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "ol", *words],
        cwd=student.root,
        env=student.environment() | {"TERM": "xterm-256color"} | environment,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    told = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        told += piece
    process.wait(timeout=60)
    os.close(ours)
    return told.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("words", "environment", "coloured"),
    [
        (("tests",), {}, True),
        (("tests", "L9.9"), {}, True),
        (("tests",), {"NO_COLOR": "1"}, False),
        (("tests", "L9.9"), {"NO_COLOR": "1"}, False),
        (("tests", "--plain"), {}, False),
        (("tests",), {"TERM": "dumb"}, False),
        (("tests", "--json"), {}, False),
    ],
    ids=["as it is", "an error", "NO_COLOR", "NO_COLOR, an error", "--plain", "a dumb one", "--json"],
)
def test_colour_is_for_terminals_that_want_it(
    words: tuple[str, ...], environment: dict[str, str], coloured: bool, started: Student
) -> None:
    assert (ESCAPE in on_a_terminal(started, *words, **environment)) is coloured


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_without_colour_nothing_is_redrawn_while_it_works(done: Student) -> None:
    told = on_a_terminal(done, "mutate", "--no-cache", NO_COLOR="1")
    assert ESCAPE not in told
    assert "\r" not in told.replace("\r\n", "")
    assert "L2.2 PASSED — 12/12 mutants" in told


def test_into_a_pipe_there_is_no_escape_code_and_no_colour_says_more(done: Student) -> None:
    told = done.typed("tests", "--smoke", CLICOLOR_FORCE="1", FORCE_COLOR="1")
    assert ESCAPE not in told.out + told.err
    assert done.typed("tests", "--smoke", "--plain").out == told.out


def test_what_a_student_prints_cannot_steer_the_terminal(started: Student) -> None:
    shouting = REFERENCE.replace("    if context < 1:", "    print('\\x1b[2J')\n    if context < 1:")
    told = started.writes(shouting.replace("sequence[context:]", "sequence[:]")).ol("tests", "--plain")
    assert told.code == 1
    assert "it printed" in told.out
    assert ESCAPE not in told.out
