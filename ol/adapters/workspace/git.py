"""What git holds of a folder. Without git, or outside a repository, nothing can be said."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ol.adapters import process

_LIMIT_S = 20.0
_CALM = ("-c", "core.fsmonitor=false")  # a repository's settings could name a program to run


def uncommitted(root: Path, folders: Sequence[str]) -> tuple[str, ...] | None:
    """Files of these folders, named below `root`, that no commit holds as they are; None without git."""
    prefix = _git(root, "rev-parse", "--show-prefix")
    states = _git(
        root, "status", "--porcelain", "-z", "--no-renames", "-uall", "--ignored=matching", "--", *folders
    )
    if prefix is None or states is None:
        return None
    below = prefix.decode("utf-8", "surrogateescape").rstrip("\n")
    return tuple(sorted(path.removeprefix(below) for path in _paths(states) if not _left_behind(path)))


def _paths(states: bytes) -> Iterator[str]:
    """Of lines `XY path`, ended by null bytes."""
    for line in states.decode("utf-8", "surrogateescape").split("\0"):
        if line:
            yield line[3:]


def _left_behind(path: str) -> bool:
    parts = path.rstrip("/").split("/")
    return any(part == "__pycache__" or part.startswith(".") for part in parts[:-1]) or parts[-1].endswith(
        (".pyc", "__pycache__")
    )


def _git(root: Path, *arguments: str) -> bytes | None:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    return process.output_of(
        ["git", *_CALM, *arguments], folder=root, environment=environment, limit_s=_LIMIT_S
    )
