"""Writes that are on the disk, whole, when they return; where one fails, all is as it was."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_BINARY = getattr(os, "O_BINARY", 0)


def create(path: Path, content: bytes) -> None:
    """Write a file that is not there. FileExistsError, and nothing is made, where the name is taken."""
    fd = _opened(path, os.O_CREAT | os.O_EXCL)
    try:
        _write(fd, path, content)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def replace(path: Path, content: bytes) -> None:
    """Write a file in one step: a reader finds the old content or the new, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = beside(path)
    try:
        create(temporary, content)
        temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


@contextmanager
def appended(path: Path, content: bytes) -> Iterator[None]:
    """Add to the end of a file, which may be new, for as long as the block goes well: else it is cut off again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.stat().st_size if path.exists() else None
    try:
        _write(_opened(path, os.O_CREAT | os.O_APPEND), path, content)
        sync_folder(path.parent)
        yield
    except BaseException:
        with suppress(OSError):
            path.unlink() if before is None else truncate(path, before)
        raise


def append(path: Path, content: bytes) -> None:
    with appended(path, content):
        pass


def truncate(path: Path, size: int) -> None:
    with _closing(_opened(path, 0), path) as fd:
        os.ftruncate(fd, size)
        os.fsync(fd)


def beside(path: Path) -> Path:
    """A name of its own in the same folder, which every reader of student files passes over."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}")


def sync_folder(folder: Path) -> None:
    """Make new names last. Windows has no such call and needs none."""
    if os.name != "posix":
        return
    with _closing(os.open(folder, os.O_RDONLY), folder) as fd:
        os.fsync(fd)


def _opened(path: Path, flags: int) -> int:
    return os.open(path, os.O_WRONLY | _BINARY | flags, 0o644)


def _write(fd: int, path: Path, content: bytes) -> None:
    with _closing(fd, path):
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.fsync(fd)


@contextmanager
def _closing(fd: int, path: Path) -> Iterator[int]:
    """An error names the file, which the system's own does not."""
    try:
        yield fd
    except OSError as error:
        error.filename = os.fspath(path)
        raise
    finally:
        os.close(fd)
