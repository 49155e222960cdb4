"""A copy of the tiny course that a test may spoil."""

from __future__ import annotations

import shutil
from pathlib import Path

from ol.adapters.course.files import CourseFiles

TINY = Path(__file__).parents[1] / "courses" / "tiny"


def copied(to: Path) -> Path:
    """The root of the copy."""
    shutil.copytree(TINY, to, ignore=shutil.ignore_patterns("__pycache__"))
    return to


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def catalog(root: Path) -> CourseFiles:
    """Read afresh: nothing of an earlier reading is remembered."""
    return CourseFiles(root)
