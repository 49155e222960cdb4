"""What the commands need of the outside world. `ol/wiring.py` wires each to an adapter; tests wire fakes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from ol.ports.course import Authoring, Catalog
from ol.ports.playing import CommandLine, Stage
from ol.ports.running import Foreground, Progress, Runner, Values
from ol.ports.work import Journal, Memo, Workspace

__all__ = [
    "Authoring", "Catalog", "Clock", "CommandLine", "Foreground", "Journal", "Memo", "Ports", "Progress", "Runner",
    "Stage", "Values", "Workspace",
]  # fmt: skip


class Clock(Protocol):
    def now(self) -> datetime:
        """The present in UTC."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Every door a command may open, wired once, by `ol/wiring.py`."""

    catalog: Catalog
    workspace: Workspace
    runner: Runner
    values: Values
    foreground: Foreground
    journal: Journal
    memo: Memo
    clock: Clock
    progress: Progress
