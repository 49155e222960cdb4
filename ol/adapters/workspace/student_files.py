"""Reading a student's files as they are: no link is followed, nothing but plain files is opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ol.domain.errors import WorkRefused
from ol.domain.file import File, is_plain_name

LARGEST = 16 << 20
LARGEST_SOURCE = 1 << 20  # it is parsed, which takes a thousand times its size
_JUNCTION = 0xA0000003  # a Windows folder that is a link in all but name


def read(root: Path, path: Path, largest: int = LARGEST) -> File | None:
    """The file at `path` below `root`, named as seen from there; None where there is none."""
    name = path.relative_to(root).as_posix()
    return File(name, _content(path, name, largest)) if is_plain(root, path) else None


def is_plain(root: Path, path: Path) -> bool:
    """Whether a plain file is there. WorkRefused for a link, or anything else in its or a folder's place."""
    name = path.relative_to(root).as_posix()
    info = _status(path, name) if _is_folder(root, path.parent) else None
    if info is None:
        return False
    refuse_link(info, name)
    if not stat.S_ISREG(info.st_mode):
        what = "a folder" if stat.S_ISDIR(info.st_mode) else "no plain file"
        raise WorkRefused("not-a-file", f"{name} is {what} where a file must be.", "Move it away.")
    return True


def folder(root: Path, path: Path) -> tuple[File, ...]:
    """Every file of a folder, named below it and sorted; what tools leave behind is passed over."""
    if not _is_folder(root, path):
        return ()
    shown = path.relative_to(root).as_posix()
    found = sorted(place.relative_to(path).as_posix() for place in _files(path, shown))
    return tuple(File(name, _content(path / name, f"{shown}/{name}")) for name in found)


def _is_folder(root: Path, path: Path) -> bool:
    """Whether it is there, and no link or file stands on the way or in its place."""
    parts = path.relative_to(root).parts
    for depth in range(1, len(parts) + 1):
        name = "/".join(parts[:depth])
        info = _status(root.joinpath(*parts[:depth]), name)
        if info is None:
            return False
        refuse_link(info, name)
        if not stat.S_ISDIR(info.st_mode):
            told = f"{name} is a file where a folder must be."
            raise WorkRefused("not-a-folder", told, "Move it away.")
    return True


def refuse_link(info: os.stat_result, name: str) -> None:
    if stat.S_ISLNK(info.st_mode) or getattr(info, "st_reparse_tag", 0) == _JUNCTION:
        told = f"{name} is a link; ol takes only files of your own."
        raise WorkRefused("link", told, "Put the file itself in its place.")


def _files(path: Path, shown: str) -> Iterator[Path]:
    for place in sorted(path.iterdir()):
        if place.name.startswith(".") or place.name == "__pycache__" or place.suffix == ".pyc":
            continue
        _refuse_odd_name(shown, place.name)
        name = f"{shown}/{place.name}"
        info = place.lstat()
        refuse_link(info, name)
        if stat.S_ISDIR(info.st_mode):
            yield from _files(place, name)
        elif stat.S_ISREG(info.st_mode):
            yield place
        else:
            raise WorkRefused("not-a-file", f"{name} is no plain file.", "Move it away.")


def _refuse_odd_name(folder: str, name: str) -> None:
    """A name that could stand in no journal, no report or no other system's folder."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:
        shown = os.fsencode(name).decode("utf-8", "backslashreplace")
        told = f"The name of {folder}/{shown} is not UTF-8."
        raise WorkRefused("name-not-utf8", told, "Give it a plain name.") from error
    if not is_plain_name(name):
        told = f"In {folder} there is {name!r}: not every system can have such a name, nor can a journal."
        step = "Give it a plain name: short, without `\\` or `:` or what cannot be seen."
        raise WorkRefused("odd-name", told, step)


def _status(path: Path, name: str) -> os.stat_result | None:
    try:
        return path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(name, error) from error


def _content(path: Path, name: str, largest: int = LARGEST) -> bytes:
    largest = min(largest, LARGEST_SOURCE) if path.suffix == ".py" else largest
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as stream:
            content = stream.read(largest + 1)
    except OSError as error:
        raise unreadable(name, error) from error
    if len(content) > largest:
        told = f"{name} is larger than {largest >> 20} MB."
        raise WorkRefused("file-too-large", told, "Make it smaller, or have the test make what it needs.")
    return content


def unreadable(name: str, error: OSError) -> WorkRefused:
    told = f"{name} cannot be read: {error.strerror}."
    return WorkRefused("unreadable", told, "Mend the rights of the file and its folders.")
