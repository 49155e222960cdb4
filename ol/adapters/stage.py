"""`Stage` of the ports: where milestones are played, judged and logged."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from ol.adapters import command_line, judge, step_logs
from ol.domain.file import File
from ol.domain.milestone.judged import Judgement, Work
from ol.domain.milestone.milestone import Milestone, Step, folder
from ol.domain.milestone.played import StepRun
from ol.ports import CommandLine


class ScratchStage:
    """`root` is the course's; `memory` holds the logs. The steps may read the course's corpora, no more of it."""

    def __init__(self, root: Path, memory: Path) -> None:
        self._root = root.resolve()
        self._memory = memory
        self._closed = threading.Event()

    def __enter__(self) -> ScratchStage:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()  # steps of other threads end now

    def command_line(self, tree: Sequence[File], package: str) -> AbstractContextManager[CommandLine]:
        readable = [self._root / "course" / "corpora"]
        return command_line.command_line(tree, package, readable, self._closed.is_set)

    def judged(self, milestone: Milestone, work: Work, calls: Sequence[str]) -> tuple[Judgement, ...]:
        return judge.judged(self._root, f"{folder(milestone.id)}/judge.py", work, calls)

    def log(
        self, milestone: Milestone, began: datetime, step: Step, words: Sequence[str], run: StepRun
    ) -> Path:
        return step_logs.log(self._memory, milestone.id, began, step.name, words, run)
