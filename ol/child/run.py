"""One run, from the start of its child to pytest's first look at the tests: files, limits, confinement."""

from __future__ import annotations

import faulthandler
import os
import pdb
import signal
import sys
import tempfile
from contextlib import suppress
from math import inf
from operator import itemgetter
from pathlib import Path
from time import monotonic

import numpy.random

from ol.child import confinement, overlay, sandbox
from ol.child.records import Records
from ol.child.request import Request

OUTPUT_BYTES = 4_096


class Run:
    """A request being carried out in this process, and its ways out: records, output, where it was stuck."""

    def __init__(self, request: Request, results_fd: int) -> None:
        self.request = request
        self.records = Records(results_fd, request.nonce)
        self._ends_at = monotonic() + request.wall_s
        self._watched_until = 0.0

    def enter(self) -> None:
        """Make this process the run's own. Student code runs only after it."""
        self._stuck = (self.request.root / "stuck").open("ab")
        self._output = (self.request.root / "output").open("rb")
        redirect(self.request.root / "output")
        self._stdout, self._stderr = sys.stdout, sys.stderr
        sys.breakpointhook = pdb.set_trace = no_debugger
        surround(self.request)
        overlay.install(self.request.package, self.request.units)
        sandbox.limit(self.request.cpu_s, self.request.memory_bytes, self.request.file_bytes)
        faulthandler.enable(2)
        if sys.platform != "win32":
            faulthandler.register(signal.SIGXCPU, file=self._stuck, all_threads=False, chain=True)
        self.unconfined = confinement.confine(confinement.of_a_run(self.request))

    def watch(self) -> str:
        """Bound what begins now by a case's time or by what is left of the wall's, and say which it is.

        Setting the alarm costs a thread. One set a moment ago does for this case too, at most a tenth late.
        """
        now = monotonic()
        if now >= self._watched_until:
            slack = self.request.case_s / 10
            left = max(self._ends_at - now, 0.01)
            self._limit, seconds = min(
                ("case", self.request.case_s + slack), ("wall", left), key=itemgetter(1)
            )
            self._watched_until = now + slack if self._limit == "case" else inf
            faulthandler.dump_traceback_later(seconds, exit=True, file=self._stuck)
        return self._limit

    def output_size(self) -> int:
        self.flush()
        return os.fstat(self._output.fileno()).st_size

    def output(self, begin: int) -> str:
        """The end of what was printed since the output had this size."""
        self._output.seek(max(begin, self.output_size() - OUTPUT_BYTES))
        return self._output.read(OUTPUT_BYTES).decode("utf-8", "replace")

    def say(self, line: str) -> None:
        with suppress(OSError, ValueError):
            self._stderr.write(f"{line}\n")

    def flush(self) -> None:
        for stream in (self._stdout, self._stderr):
            with suppress(OSError, ValueError):  # student code closed it
                stream.flush()


def redirect(output: Path) -> None:
    """Nothing to read; everything printed, by Python or below it, goes to the run's output file."""
    for fd, path, flags in ((0, os.devnull, os.O_RDONLY), (1, output, os.O_WRONLY | os.O_APPEND)):
        opened = os.open(path, flags)
        os.dup2(opened, fd)
        os.close(opened)
    os.dup2(1, 2)
    sys.stdout, sys.stderr = (
        open(fd, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
        for fd in (1, 2)
    )


def no_debugger(*_: object, **__: object) -> None:
    raise RuntimeError("a run has no terminal to debug in; plain pytest and `ol tests --debug` have one")


def surround(request: Request) -> None:
    """A home, a temporary folder and a working folder of its own; the frozen kit for course tests."""
    home, temporary = str(request.root / "home"), str(request.root / "tmp")
    os.environ.update(HOME=home, USERPROFILE=home, TMPDIR=temporary, TEMP=temporary, TMP=temporary)
    tempfile.tempdir = None
    os.chdir(request.root / "work")
    if request.course_root is not None:
        os.environ["OL_COURSE_ROOT"] = request.course_root
        sys.path.append(str(Path(request.course_root) / "course" / "tests"))
    numpy.random.seed(
        int.from_bytes(os.urandom(4), "little")
    )  # seeded anew: else unseeded draws are the same in every fork
