"""Scratch folders: one for the life of a runner, one below it for each run, gone when it ends."""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from time import monotonic, sleep

from ol.adapters.uninterrupted import uninterrupted
from ol.domain.errors import HarnessFault, WrongRequest
from ol.domain.file import File, leads_out

RUN_PREFIX = "run-"
_PLACES = ("tests", "home", "tmp", "work")
_ENDING_S = 20.0
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


@uninterrupted()
def base() -> tempfile.TemporaryDirectory[str]:
    """A folder for all runs of a command, with the empty settings that pytest is configured by."""
    try:
        made = tempfile.TemporaryDirectory(prefix="ol-", ignore_cleanup_errors=True)
        root = Path(made.name)
        (root / "empty").mkdir()
        (root / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    except OSError as error:
        raise no_place(error) from error
    return made


def no_place(error: OSError) -> WrongRequest:
    told = f"There is no place for temporary files: {error.strerror}."
    return WrongRequest("no-scratch", told, "Make space there, or set TMPDIR to a folder that has some.")


def full_disk(error: Exception) -> WrongRequest | None:
    """A disk that is full is no fault of ol. What comes this far is scratch: other files have their sentence."""
    return no_place(error) if isinstance(error, OSError) and error.errno in _FULL else None


@contextmanager
def folder(base: Path, tests: Iterable[File]) -> Iterator[Path]:
    """A run's own folder, holding its private copy of the tests; its name tells nothing."""
    with tempfile.TemporaryDirectory(prefix=RUN_PREFIX, dir=base, ignore_cleanup_errors=True) as made:
        root = Path(made)
        for place in _PLACES:
            (root / place).mkdir()
        for file in tests:
            path = root / "tests" / inside(file.name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
        yield root


def wait_until_free(base: Path) -> None:
    """Wait for the runs that still have a folder here, though not for ever."""
    gives_up_at = monotonic() + _ENDING_S
    while any(base.glob(f"{RUN_PREFIX}*")) and monotonic() < gives_up_at:
        sleep(0.01)


def inside(name: str) -> PurePosixPath:
    """The name of a test file, refused when it could lead out of the folder."""
    if leads_out(name):
        raise HarnessFault("unsafe-name", f"A test file is called {name!r}, which leads out of its folder.")
    return PurePosixPath(name)
