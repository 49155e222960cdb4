"""Where things lie: the workspace, found by walking up, and the user's cache."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ol.domain.errors import WrongRequest

if TYPE_CHECKING:
    from ol.domain.course import Course


def find_workspace(start: Path, course: Course, otherwise: Path | None = None) -> Path:
    """The nearest folder upward that holds a student's work; `otherwise` where there is none."""
    marks = (f"python/{course.package}", "journals", ".ol")
    if found := nearest(start, marks):
        return found
    if otherwise is not None:
        return otherwise.resolve()
    told = f"There is no {marks[0]}, {marks[1]}/ or {marks[2]}/ in {start} or above it."
    first = next((module.id for module in course.in_order() if module.graded), "ID")
    step = f"Go to your workspace, or begin one here with `ol start {first}`."
    raise WrongRequest("no-workspace", told, step)


def nearest(start: Path, marks: Collection[str]) -> Path | None:
    """The first folder, from `start` upward, that holds a folder of one of these names."""
    upward = (start.resolve(), *start.resolve().parents)
    return next((folder for folder in upward if any((folder / mark).is_dir() for mark in marks)), None)


def settings_folder(workspace: Path, trusted: bool) -> Path:
    """`.ol/`; with a trusted course elsewhere one in the user's cache, as the workspace's is not believed."""
    if not trusted:
        return workspace / ".ol"
    of_this_one = hashlib.sha256(os.fsencode(workspace.resolve())).hexdigest()[:16]
    return user_cache(sys.platform, os.environ, Path.home()) / "ol" / of_this_one


def user_cache(platform: str, environment: Mapping[str, str], home: Path) -> Path:
    """The folder that a user's programs keep their caches in, by the custom of the platform."""
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if platform == "darwin":
        return home / "Library" / "Caches"
    named = environment.get("XDG_CACHE_HOME", "")
    return Path(named) if named.startswith("/") else home / ".cache"
