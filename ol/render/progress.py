"""Says that work goes on: a bar on a terminal once it has taken a second, or a line a stage."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from ol.ports import Progress

_PATIENCE_S = 1.0


def progress(plain: bool = False) -> Progress:
    """The bar where standard error is a terminal; a line a stage with --plain or NO_COLOR there; else nothing."""
    if sys.stderr is None:  # as after `ol check 2>&-`
        return SilentProgress()
    if plain:
        return LineProgress()
    if not sys.stderr.isatty():
        return SilentProgress()
    bare = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return LineProgress() if bare else BarProgress()


class SilentProgress:
    def begin(self, what: str, total: int, of: str = "run") -> None: ...
    def step(self, what: str = "") -> None: ...
    def end(self) -> None: ...


class LineProgress(SilentProgress):
    """A line as a stage begins, and one for each step that has something to say."""

    def begin(self, what: str, total: int, of: str = "run") -> None:
        self._line(f"{what}: {total} {of}{'' if total == 1 else 's'}")

    def step(self, what: str = "") -> None:
        if what:
            self._line(f"  {what}")

    def _line(self, text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


class BarProgress:
    """Appears after a second and leaves no trace."""

    def __init__(self) -> None:
        self._bar: tuple[RichProgress, TaskID] | None = None
        self._what, self._total, self._done, self._since = "", 0, 0, 0.0

    def begin(self, what: str, total: int, of: str = "run") -> None:
        self._what, self._total, self._done, self._since = what, total, 0, time.monotonic()

    def step(self, what: str = "") -> None:
        self._done += 1
        if self._bar is None and time.monotonic() - self._since > _PATIENCE_S:
            self._bar = self._drawn()
        if self._bar is not None:
            bar, task = self._bar
            bar.update(task, completed=self._done, description=f"{self._what} {what}".rstrip())

    def end(self) -> None:
        if self._bar is not None:
            self._bar[0].stop()
            self._bar = None

    def _drawn(self) -> tuple[RichProgress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        bar = Progress(*columns, console=Console(file=sys.stderr), transient=True)
        bar.start()
        return bar, bar.add_task(self._what, total=self._total)
