"""What a command that was stopped may leave: nothing that runs, no scratch, no part of a file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ol.adapters.journal.files import JournalFiles
from ol.domain.course import ModuleId
from ol.domain.journal.entry import JournalState
from tests.cli.student import Student, Told, tree

_IMPATIENT_S = 0.05
A_PART = re.compile(r"(^|/)\.[^/]+\.[0-9a-f]{8}$")
_BEGUN = """
import signal
import sys
from ol.__main__ import main
install = signal.signal
install(signal.SIGINT, signal.default_int_handler)  # which a shell's background would have it ignore

def installed(number, handler):  # from its first handler on, `ol` answers for Ctrl-C
    install(number, handler)
    signal.signal = install
    print("begun", flush=True)

signal.signal = installed
main()
"""


def interrupted(student: Student, delay: float, *words: str) -> Told:
    """A command that hears Ctrl-C `delay` seconds after it began, as a terminal sends it, and twice, as people do."""
    command = subprocess.Popen(
        [sys.executable, "-c", _BEGUN, *words],
        cwd=student.root,
        env=student.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    assert command.stdout is not None and command.stdout.readline() == "begun\n"
    time.sleep(delay)
    os.killpg(command.pid, signal.SIGINT)
    time.sleep(_IMPATIENT_S)
    os.killpg(command.pid, signal.SIGINT)
    out, err = command.communicate(timeout=60)
    return Told(command.returncode, out, err)


def leaves_nothing_running(student: Student) -> bool:
    """No process of its runs and no scratch; a server that outlives `ol` has a moment to clear up."""
    return _until(lambda: not _processes_in(student.temporary) and not list(student.temporary.iterdir()))


def journal(student: Student, module: str) -> JournalState:
    """Found whole: not even a torn line."""
    state = JournalFiles(student.root / "journals", student.root / ".ol").read(ModuleId(module))
    assert not (state.faults or state.missing or state.lost)
    return state


def parts(student: Student) -> list[str]:
    """Files that never got their name."""
    return [name for name in tree(student.root) if A_PART.search(name)]


def one_sentence(told: Told, slug: str) -> None:
    """On standard error alone: the sentence, the next step, the slug."""
    assert told.out == ""
    lines = told.err.strip().splitlines()
    assert lines[0].startswith("ol: ") and lines[0].endswith(".")
    assert lines[-1] == f"    [{slug}]" and len(lines) <= 3, told.err


def _processes_in(folder: Path) -> list[str]:
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_text("utf-8").replace("\0", " ")
            if f"{folder}/ol-" in command or f"{folder}/ol-" in str((place / "cwd").readlink()):
                found.append(command)
        except OSError:
            continue
    return found


def _until(condition: Callable[[], bool], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
