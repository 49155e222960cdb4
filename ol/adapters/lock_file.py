"""A lock between processes on one file, gone when its holder is: flock on POSIX, msvcrt elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ol.domain.errors import HarnessFault

_PATIENCE_S = 20.0
_PAUSE_S = 0.01

if sys.platform == "win32":
    import msvcrt

    def _try(fd: int) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

    def _release(fd: int) -> None:
        os.lseek(fd, 0, os.SEEK_SET)
        msvcrt.locking(fd, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _release(fd: int) -> None:
        fcntl.flock(fd, fcntl.LOCK_UN)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock. HarnessFault when another process does not let go of it for twenty seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _wait(fd, path)
        try:
            yield
        finally:
            _release(fd)
    finally:
        os.close(fd)


def _wait(fd: int, path: Path) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return _try(fd)
        except (BlockingIOError, PermissionError) as error:  # held by another: POSIX and Windows
            if time.monotonic() > deadline:
                told = f"Another ol holds {path} and does not let go."
                raise HarnessFault("locked", told, "End it, then run the command again.") from error
        time.sleep(_PAUSE_S)
