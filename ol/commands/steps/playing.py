"""The steps of a milestone typed one after the other, each looked at before the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from ol.commands.steps.shown import shown
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.milestone.expected import faults
from ol.domain.milestone.judged import Work
from ol.domain.milestone.milestone import Milestone, Step
from ol.domain.milestone.played import Limits
from ol.domain.report import GateResult, Reason, Verdict
from ol.ports import CommandLine, Ports, Stage


@dataclass(frozen=True, slots=True)
class Words:
    """What stands for each placeholder, and the two seeds that are drawn anew."""

    of: Mapping[str, str]

    @staticmethod
    def drawn(ports: Ports, milestone: Milestone, smoke: bool, seed: int) -> Words:
        root = ports.catalog.root.resolve()
        inputs = {name: str(root / path) for name, path in milestone.inputs.items()}
        return Words({**inputs, **milestone.words(smoke), "fresh": str(seed), "other": str(seed + 1)})

    def argv(self, step: Step) -> list[str]:
        return [word.format_map(self.of) for word in step.argv]


@dataclass(slots=True)
class Played:
    """What came of the steps, up to the first that did not do what it should."""

    words: Words
    said: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    reference_said: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    files: dict[str, File] = field(default_factory=dict)
    reference_files: dict[str, File] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    reasons: list[Reason] = field(default_factory=list)
    unconfined: tuple[str, ...] = ()
    done: int = 0

    def gate(self, milestone: Milestone) -> GateResult:
        verdict = Verdict.FAILED if self.reasons else Verdict.PASSED
        summary = f"{self.done}/{len(milestone.steps)} steps"
        return GateResult("steps", verdict, summary, tuple(self.reasons), tuple(self.lines))

    def work(self) -> Work:
        left, right = tuple(self.files.values()), tuple(self.reference_files.values())
        return Work(left, self.said, self.words.of, right, self.reference_said)


@dataclass(frozen=True, slots=True)
class Playing:
    """`tree` is judged; `reference` is told the same words where a step says so, when the student's have ended."""

    ports: Ports
    stage: Stage
    milestone: Milestone
    words: Words
    tree: Sequence[File]
    reference: Sequence[File]

    def played(self) -> Played:
        found, package = Played(self.words), self.ports.catalog.course.package
        began = self.ports.clock.now()
        compared = [step for step in self.milestone.steps if step.reference]
        self.ports.progress.begin(self.milestone.id, len(self.milestone.steps) + len(compared), "step")
        try:
            with self.stage.command_line(self.tree, package) as own:
                self._own(own, began, found)
            if not found.reasons and compared:
                with self.stage.command_line(self.reference, package) as other:
                    self._reference(other, compared, found)
        finally:
            self.ports.progress.end()
        return found

    def _own(self, own: CommandLine, began: datetime, found: Played) -> None:
        for step in self.milestone.steps:
            argv = self.words.argv(step)
            run = own.step(argv, Limits.of(step.limit_s))
            words = ["python", "-m", self.ports.catalog.course.package, *argv]
            log = self.stage.log(self.milestone, began, step, words, run)
            found.files |= _left(own, step)
            found.unconfined = run.unconfined
            found.lines.append(f"{run.seconds:6.1f} s  {step.name}")
            self.ports.progress.step(f"{step.name}: {run.seconds:.1f} s")
            found.reasons += _told(faults(step, run, found.files, found.said), words, shown(self.ports, log))
            if found.reasons:
                return
            found.said[step.name] = run.fields or {}
            found.done += 1

    def _reference(self, other: CommandLine, compared: Sequence[Step], found: Played) -> None:
        """CourseWrong where it does not do what is asked of students."""
        for step in compared:
            run = other.step(self.words.argv(step), Limits.of(step.limit_s))
            found.reference_files |= _left(other, step)
            self.ports.progress.step(f"{step.name}, by the reference: {run.seconds:.1f} s")
            for reason in faults(step, run, found.reference_files, {}):
                told = f"The reference fails {self.milestone.id}: {reason.text}."
                raise CourseWrong("reference-step", told, f"`ol verify {self.milestone.id}` says more.")
            found.reference_said[step.name] = run.fields or {}


def _left(line: CommandLine, step: Step) -> dict[str, File]:
    files = {name: line.file(name) for name in step.files}
    return {name: file for name, file in files.items() if file is not None}


def _told(reasons: Any, words: Sequence[str], log: str) -> list[Reason]:
    """The words that were typed, and where all that was said lies."""
    return [
        replace(reason, detail=(f"typed     {' '.join(words)}", f"log       {log}")) for reason in reasons
    ]
