"""Where milestones are played."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ol.domain.file import File
    from ol.domain.milestone.judged import Judgement, Work
    from ol.domain.milestone.milestone import Milestone, Step
    from ol.domain.milestone.played import Limits, StepRun


class CommandLine(Protocol):
    """One command line in a folder of its own, where a step finds what the steps before it left."""

    def step(self, argv: Sequence[str], limits: Limits) -> StepRun:
        """`python -m <package>` on these words, confined; its whole process tree is ended and reaped."""

    def file(self, name: str) -> File | None:
        """What a step left. None where that is no plain file, or larger than any model."""


class Stage(Protocol):
    """Where milestones are played: command lines, the judge of what they left, and the logs of their steps."""

    def command_line(self, tree: Sequence[File], package: str) -> AbstractContextManager[CommandLine]:
        """A merged tree laid out in scratch; files are named by their path below the package."""

    def judged(self, milestone: Milestone, work: Work, calls: Sequence[str]) -> tuple[Judgement, ...]:
        """A judgement for each call, where no student code runs. WorkRefused where what was saved takes too long."""

    def log(
        self, milestone: Milestone, began: datetime, step: Step, argv: Sequence[str], run: StepRun
    ) -> Path:
        """Keep what a step said. Only so much of it, and only so many of the milestone's last runs."""
