"""Hands the terminal to a program and waits: `ol tests --debug`, and the programs of `ol oracle`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ol.adapters import process


class TerminalForeground:
    """`Foreground` of the ports: the user's own environment, on the real files, without limits.

    Units are taken from `python/` of the workspace, then from the reference, as in plain pytest there.
    """

    def __init__(self, course_root: Path, workspace_root: Path) -> None:
        self._course_root = course_root.resolve()
        self._workspace_root = workspace_root.resolve()

    def pytest(self, arguments: Sequence[str], paths: Sequence[Path]) -> int:
        """pytest on `paths`, with the terminal as its own; its exit code."""
        settings = ["--import-mode=importlib", "-p", "no:cacheprovider", f"--rootdir={self._workspace_root}"]
        own_path = ["-o", "pythonpath="]  # the settings above the tests would put the reference first
        asked = ["-m", "pytest", *settings, *own_path, *arguments, *map(str, paths)]
        return process.in_terminal(asked, folder=self._workspace_root, environment=self._environment())

    def program(self, script: Path, arguments: Sequence[str]) -> tuple[int, str]:
        """Run a course program to its end: exit code and what it wrote on standard error."""
        asked = [str(script), *arguments]
        return process.to_its_end(asked, folder=self._course_root, environment=self._environment())

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A folder that is gone afterwards."""
        with tempfile.TemporaryDirectory(prefix="ol-", ignore_cleanup_errors=True) as made:
            yield Path(made).resolve()

    def _environment(self) -> dict[str, str]:
        course = self._course_root / "course"
        first = [self._workspace_root / "python", course / "reference", course / "tests"]
        known = [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []
        path = os.pathsep.join([*map(str, first), *known])
        return os.environ | {"PYTHONPATH": path, "OL_COURSE_ROOT": str(self._course_root)}
