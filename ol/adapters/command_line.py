"""A command line in a merged tree, laid out in scratch: a confined child a step, watched to its end."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import IO

from ol.adapters import process
from ol.adapters.ending import Ending
from ol.adapters.scratch import inside, no_place
from ol.adapters.workspace import student_files
from ol.domain.errors import HarnessFault, WorkRefused
from ol.domain.file import File
from ol.domain.milestone.played import Limits, StepRun
from ol.domain.suite import Frame

LARGEST = 256 << 20
_PLACES = ("tree", "work", "home", "tmp")
_SHAPE = "keep" if sys.platform == "linux" else "step"
_TICK_S, _GRACE_S, _KEEPING_S, _DYING_S = 0.1, 2.0, 10.0, 20.0
_CPU_SIGNALS = (getattr(signal, "SIGXCPU", 0), getattr(signal, "SIGKILL", 0))
_FRAME = re.compile(r'^  File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)$', re.MULTILINE)


class ConfinedCommandLine:
    """`CommandLine` of the ports. `readable` are files of the course that its steps may read."""

    def __init__(
        self, base: Path, package: str, readable: Sequence[Path], stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self._base = base
        self._stopped = stopped
        self._package = package
        self._readable = [str(path) for path in readable]

    def step(self, argv: Sequence[str], limits: Limits) -> StepRun:
        began = monotonic()
        with self._stream("stdout") as out, self._stream("stderr") as err, self._stream("stuck") as stuck:
            ending, bound = self._watched(self._begun(argv, limits, out, err), limits, (out, err))
            seconds = monotonic() - began
            stood = _read(stuck, 1 << 16)
            return StepRun(
                ending.code,
                seconds,
                _read(out, limits.output_bytes),
                _read(err, limits.output_bytes),
                bound or _bound_of(ending, stood, limits),
                tuple(self._frames(stood)),
                self._unconfined(),
            )

    def file(self, name: str) -> File | None:
        work = self._base / "work"
        try:
            return student_files.read(work, work / inside(name), LARGEST)
        except WorkRefused:  # a link, a folder, or more than any model is
            return None

    def _begun(
        self, argv: Sequence[str], limits: Limits, out: IO[bytes], err: IO[bytes]
    ) -> tuple[subprocess.Popen[bytes], str]:
        for name in ("facts", "ended"):
            (self._base / name).unlink(missing_ok=True)
        mark = secrets.token_hex(8)
        with tempfile.TemporaryFile(dir=self._base) as asked:
            asked.write(json.dumps(self._asked(argv, limits)).encode("ascii"))
            asked.seek(0)
            child = process.start(
                [str(process.CHILD), _SHAPE, str(self._base)],
                folder=self._base,
                environment=process.hermetic() | {"OL_RUN": mark},
                stdin=asked,
                stdout=out,
                stderr=err,
            )
        return child, f"OL_RUN={mark}"

    def _asked(self, argv: Sequence[str], limits: Limits) -> dict[str, object]:
        return {
            "package": self._package,
            "argv": list(argv),
            "base": str(self._base),
            "readable": self._readable,
            "wall_s": limits.wall_s,
            "cpu_s": limits.cpu_s,
            "memory_bytes": limits.memory_bytes,
            "file_bytes": limits.file_bytes,
        }

    def _watched(
        self, begun: tuple[subprocess.Popen[bytes], str], limits: Limits, said: Sequence[IO[bytes]]
    ) -> tuple[Ending, str]:
        """How it ended, and the bound that it was ended for; nothing of it is left, whatever comes."""
        child, mark = begun
        gives_up_at = monotonic() + limits.wall_s + _GRACE_S
        bound, ending = "", None
        try:
            while not bound and (ending := process.ending(child, _TICK_S)) is None:
                if any(os.fstat(stream.fileno()).st_size > limits.output_bytes for stream in said):
                    bound = "output"
                elif monotonic() > gives_up_at:
                    bound = "wall"
                elif self._stopped():
                    raise HarnessFault("run-stopped", "A step was stopped before its end.", "Run it again.")
        finally:
            ending = ending or self._ended(child)
            process.end(child, mark)
        ending = ending or process.ending(child, _DYING_S)
        if ending is None:
            raise HarnessFault("run-does-not-end", "A step was told to end, and did not.", "Try once more.")
        return self._of_the_step(ending), bound

    def _ended(self, child: subprocess.Popen[bytes]) -> Ending | None:
        """A keeper is told to end what it keeps, and to reap it."""
        if _SHAPE == "keep":
            child.terminate()
            return process.ending(child, _KEEPING_S)
        return None

    def _of_the_step(self, ending: Ending) -> Ending:
        """What the keeper saw of it; its own ending where it kept nothing, or was ended itself."""
        try:
            told = json.loads((self._base / "ended").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return ending
        return Ending(ending.pid, told["code"], told["cpu_s"], told["peak_bytes"])

    def _stream(self, name: str) -> IO[bytes]:
        return (self._base / name).open("w+b")

    def _frames(self, stood: str) -> Iterator[Frame]:
        """Outermost first; files of the tree by their path below the package."""
        tree = f"{self._base / 'tree' / self._package}{os.sep}"
        for each in reversed(list(_FRAME.finditer(stood))):
            if each["file"].startswith(tree):
                own = each["file"].removeprefix(tree).replace(os.sep, "/")
                yield Frame(own, int(each["line"]), each["function"])

    def _unconfined(self) -> tuple[str, ...]:
        """HarnessFault where the child did not come so far as to say it."""
        try:
            return tuple(json.loads((self._base / "facts").read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            told = (self._base / "stderr").read_bytes()[-400:].decode("utf-8", "replace").strip()
            raise HarnessFault("run-not-begun", f"A step ended before it began: {told}") from error


@contextmanager
def command_line(
    tree: Sequence[File],
    package: str,
    readable: Sequence[Path],
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[ConfinedCommandLine]:
    """The tree laid out, and gone afterwards."""
    try:
        made = tempfile.TemporaryDirectory(prefix="ol-", ignore_cleanup_errors=True)
    except OSError as error:
        raise no_place(error) from error
    with made as name:
        base = Path(name).resolve()
        for place in _PLACES:
            (base / place).mkdir()
        for file in tree:
            path = base / "tree" / package / inside(file.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
        yield ConfinedCommandLine(base, package, readable, stopped)


def _bound_of(ending: Ending, stood: str, limits: Limits) -> str:
    """A step ends itself at its limits, and tells where it stood."""
    if "Timeout (" in stood:
        return "wall"
    return "cpu" if -ending.code in _CPU_SIGNALS and ending.cpu_s >= limits.cpu_s else ""


def _read(stream: IO[bytes], most: int) -> str:
    """The end of what was written."""
    stream.seek(max(0, os.fstat(stream.fileno()).st_size - most))
    return stream.read(most).decode("utf-8", "replace")
