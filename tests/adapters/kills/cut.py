"""Work on the disk that is cut off at its n-th look at it, in the middle of that where it is a write."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

_CALLS = ("open", "write", "fsync", "ftruncate", "link")
_PATH_CALLS = ("mkdir", "rmdir", "unlink", "rename", "replace", "chmod")
_TAKES_NO_ROOM = ("ftruncate", "rmdir", "unlink", "chmod")
_MAY_GO_WELL_LATER = ("fsync", "rename", "replace")
_Call = Callable[..., Any]


def ends_at(step: int) -> None:
    """This process ends without a word, as when it is killed."""
    left = iter(range(step, -1, -1))

    def look(name: str, call: _Call, arguments: tuple[Any, ...]) -> None:
        if next(left, 0) == 0:
            _half(name, call, arguments)
            os._exit(9)

    for place, name in _places():
        setattr(place, name, _watched(name, getattr(place, name), look))


@dataclass
class Disk:
    """How often it was looked at, and the names of the calls that it refused."""

    looks: int = 0
    refused: list[str] = field(default_factory=list)


@contextmanager
def full_from(step: int) -> Iterator[Disk]:
    """A disk with no room from the n-th look on."""
    disk = Disk()

    def look(name: str, call: _Call, arguments: tuple[Any, ...]) -> None:
        disk.looks += 1
        full = disk.looks == step + 1 or (disk.looks > step and name not in _MAY_GO_WELL_LATER)
        if full and _takes_room(name, arguments):
            disk.refused.append(name)
            _half(name, call, arguments)
            raise OSError(
                errno.ENOSPC,
                "No space left on device",
                None if isinstance(arguments[0], int) else str(arguments[0]),
            )

    with pytest.MonkeyPatch.context() as patch:
        for place, name in _places():
            patch.setattr(place, name, _watched(name, getattr(place, name), look))
        yield disk


def _places() -> list[tuple[Any, str]]:
    return [*((os, name) for name in _CALLS if hasattr(os, name)), *((Path, name) for name in _PATH_CALLS)]


def _watched(name: str, call: _Call, look: Callable[[str, _Call, tuple[Any, ...]], None]) -> _Call:
    def step(*arguments: Any, **named: Any) -> Any:
        look(name, call, arguments)
        return (
            None if name == "fsync" else call(*arguments, **named)
        )  # what ends is a process, not the machine

    return step


def _half(name: str, call: _Call, arguments: tuple[Any, ...]) -> None:
    if name == "write":
        call(arguments[0], arguments[1][: len(arguments[1]) // 2])


def _takes_room(name: str, arguments: tuple[Any, ...]) -> bool:
    """Opening does where it makes the file."""
    return bool(arguments[1] & os.O_CREAT) if name == "open" else name not in _TAKES_NO_ROOM
