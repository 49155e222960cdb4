"""Writing files so that none is lost: never over an existing one, or whole in its place."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ol.adapters import durable
from ol.adapters.uninterrupted import uninterrupted
from ol.domain.errors import WrongRequest


@uninterrupted()
def create(files: Sequence[tuple[Path, bytes]]) -> tuple[Path, ...]:
    """Write those of the files that are not there, all of them or none; the ones that were are returned."""
    left: list[Path] = []
    made: list[Path] = []
    try:
        for path, content in files:
            made += _make_folders(path.parent)
            if _place(path, content):
                made.append(path)
                durable.sync_folder(path.parent)
            else:
                left.append(path)
    except BaseException as error:
        _take_back(made)
        if isinstance(error, OSError):
            raise cannot_write(error) from error
        raise
    return tuple(left)


@uninterrupted()
def replace(path: Path, content: bytes) -> None:
    """Put new content in a file's place in one step, with the rights that the old one had."""
    with told():
        rights = path.stat().st_mode if path.exists() else None
        durable.replace(path, content)
        if rights is not None:
            path.chmod(rights)


@uninterrupted()
def append(path: Path, content: bytes) -> None:
    """Add to the end of a file, all of it or nothing."""
    with told():
        durable.append(path, content)


@uninterrupted()
def renew(path: Path, content: bytes, kept: Path) -> None:
    """Move a file to a place where there is none, and write another in its stead: both, or neither."""
    with told():
        folders = _make_folders(kept.parent)
        try:
            _refuse_taken(kept)
            path.rename(kept)
            with _moved_back_on_failure(path, kept):
                durable.sync_folder(kept.parent)
                _place(path, content)
                durable.sync_folder(path.parent)
        except BaseException:
            _take_back(folders)
            raise


def _refuse_taken(path: Path) -> None:
    """A rename would put out what lies there, where the platform lets it."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(path))


@contextmanager
def told() -> Iterator[None]:
    """What the disk refuses, as one sentence that names the file."""
    try:
        yield
    except OSError as error:
        raise cannot_write(error) from error


def cannot_write(error: OSError) -> WrongRequest:
    """It is the file that was to be there in the end, where the disk names the one made on the way to it."""
    told = f"{error.filename2 or error.filename or 'A file'} cannot be written: {error.strerror}."
    step = "Mend the rights or the space of that folder"
    if isinstance(error, (FileExistsError, NotADirectoryError, IsADirectoryError)):
        step = "Something else stands there, or in the place of its folder: move that away"
    return WrongRequest("cannot-write", told, f"{step}; no file was lost.")


def _place(path: Path, content: bytes) -> bool:
    """Whether the file could take its name; False when something had it already, were it only just now."""
    if os.path.lexists(path):
        return False
    with _written(path, content) as written:
        try:
            _name_if_free(written, path, content)
        except FileExistsError:
            return False
    return True


def _name_if_free(written: Path, path: Path, content: bytes) -> None:
    """A hard link fails where the name is taken; without hard links, so does an exclusive opening."""
    try:
        os.link(written, path)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError, AttributeError):
        durable.create(path, content)


@contextmanager
def _moved_back_on_failure(path: Path, kept: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        kept.rename(path)
        raise


@contextmanager
def _written(path: Path, content: bytes) -> Iterator[Path]:
    """The content in a file of its own beside `path`, on the disk; gone afterwards if it is still there."""
    beside = durable.beside(path)
    try:
        durable.create(beside, content)
        yield beside
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; the ones that were not there, outermost first."""
    absent = [each for each in (folder, *folder.parents) if not each.exists()][::-1]
    folder.mkdir(parents=True, exist_ok=True)
    return absent


def _take_back(made: list[Path]) -> None:
    for path in reversed(made):
        with suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink()
