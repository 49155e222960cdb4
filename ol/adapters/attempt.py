"""One request carried out once, in one child: laid out, begun, watched to its end."""

from __future__ import annotations

import marshal
import os
import secrets
import tempfile
import threading
from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO, Protocol

from ol.adapters import compiled, scratch
from ol.adapters.account import Account
from ol.adapters.ending import Ending, Refused
from ol.adapters.verdict import Seen
from ol.domain.errors import HarnessFault
from ol.domain.file import File
from ol.domain.run import RunRequest
from ol.domain.suite import Budget

RECORDS_BYTES = 64 << 20
TAIL_BYTES = 4096
STUCK_BYTES = 1 << 16
_TICK_S = 0.1
_WALL_GRACE_S = 2.0  # at its wall limit a child ends itself and tells where it stood; unless it hinders that
_DYING_S = 20.0
_COMPILING_S = 20.0


class Running(Protocol):
    @property
    def results(self) -> int:
        """The file descriptor that records come out of."""

    def wait(self, seconds: float) -> Ending | None: ...
    def end(self) -> None: ...


class Shape(Protocol):
    @property
    def name(self) -> str: ...
    def begin(self, request: IO[bytes], output: IO[bytes], package: str) -> Running: ...


@dataclass(frozen=True, slots=True)
class Attempt:
    account: Account
    seen: Seen


def attempt(
    request: RunRequest,
    shape: Shape,
    base: Path,
    package: str,
    stopped: Callable[[], bool],
    codes: Mapping[str, bytes] | None,
) -> Attempt:
    """`codes` are of the test files, as far as they are made; None: compile them, and run nothing."""
    nonce = secrets.token_hex(16)
    with (
        scratch.folder(base, request.tests) as folder,
        (folder / "output").open("w+b") as output,
        (folder / "stuck").open("w+b") as stuck,
    ):
        with tempfile.TemporaryFile(dir=base) as asked:
            asked.write(marshal.dumps(_asked(request, codes, folder, package, nonce)))
            asked.seek(0)
            running = shape.begin(asked, output, package)
        pump = Pump(running.results)
        ending, bound = _watched(running, pump, output, request.budget, stopped)
        seen = Seen(ending, bound, _end_of(stuck, STUCK_BYTES), _end_of(output, TAIL_BYTES))
        return Attempt(Account(nonce).read(pump.taken()), seen)


def codes_of(
    tests: tuple[File, ...], shape: Shape, base: Path, package: str, stopped: Callable[[], bool]
) -> Mapping[str, bytes]:
    """The code of the test files, made in a child that runs none of it; none unless it ended as it should."""
    request = RunRequest(tests, {}, Budget.unmeasured(_COMPILING_S))
    try:
        tried = attempt(request, shape, base, package, stopped, None)
    except Refused:
        return {}
    if tried.seen.ending.code != 0 or tried.account.wrong:
        return {}
    return {name: b64decode(code) for name, code in tried.account.codes.items()}


def _asked(
    request: RunRequest, codes: Mapping[str, bytes] | None, folder: Path, package: str, nonce: str
) -> dict[str, object]:
    budget = request.budget
    return {
        "nonce": nonce,
        "folder": str(folder),
        "package": package,
        "units": compiled.units(request.sources),
        "codes": None if codes is None else dict(codes),
        "select": None if request.select is None else list(request.select),
        "keyword": request.keyword,
        "shuffle_seed": request.shuffle_seed,
        "stop_at_first": request.stop_at_first,
        "course_root": None if request.course_root is None else str(request.course_root),
        "cpu_s": budget.cpu_s,
        "wall_s": budget.wall_s,
        "case_s": budget.case_s,
        "memory_bytes": budget.memory_bytes,
        "file_bytes": budget.file_bytes,
    }


def _watched(
    running: Running, pump: Pump, output: IO[bytes], budget: Budget, stopped: Callable[[], bool]
) -> tuple[Ending, str]:
    """How the run ended, and the bound that it was ended for, if it was."""
    gives_up_at = monotonic() + budget.wall_s + _WALL_GRACE_S

    def bound_hit() -> str:
        if pump.flooded or os.fstat(output.fileno()).st_size > budget.output_bytes:
            return "output"
        return "wall" if monotonic() > gives_up_at else ""

    while (ending := running.wait(_TICK_S)) is None:
        bound = bound_hit()
        if bound or stopped():
            return _ended(running), bound
    return ending, bound_hit()


def _ended(running: Running) -> Ending:
    running.end()
    ending = running.wait(_DYING_S)
    if ending is None:
        raise HarnessFault("run-does-not-end", "A run was told to end, and did not.", "Try once more.")
    return ending


class Pump(threading.Thread):
    """Takes a run's records as they come, up to a bound. Their end is not awaited: a stray may hold it."""

    def __init__(self, fd: int) -> None:
        super().__init__(daemon=True)
        self._fd = fd
        self._blocks: list[bytes] = []
        self._size = 0
        self.start()

    @property
    def flooded(self) -> bool:
        return self._size > RECORDS_BYTES

    def run(self) -> None:
        while not self.flooded and (block := os.read(self._fd, 1 << 16)):
            self._blocks.append(block)
            self._size += len(block)
        os.close(self._fd)

    def taken(self) -> bytes:
        self.join(1.0)
        return b"".join(self._blocks)


def _end_of(file: IO[bytes], bytes: int) -> str:
    file.seek(max(0, os.fstat(file.fileno()).st_size - bytes))
    return file.read(bytes).decode("utf-8", "replace")
