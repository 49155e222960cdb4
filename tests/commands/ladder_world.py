"""A student on the course `ladder`: real files, journal and runs, and a lock, so that passes are remembered."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from ol.adapters.course.files import CourseFiles
from ol.adapters.journal.files import JournalFiles
from ol.adapters.values import TrustedValues
from ol.adapters.workspace.files import WorkspaceFiles
from ol.adapters.workspace.settings import Settings
from ol.commands.check import Options, check
from ol.commands.start import start
from ol.domain.course import CourseModule
from ol.domain.report import GateResult, Report
from ol.ports import Ports, Runner
from tests.fakes import FakeClock, FakeForeground, FakeMemo, FakeProgress

OWN = "python/tests/f1-draws/test_draws.py"  # the student's copy of the given test of F1
LADDER = Path(__file__).resolve().parents[1] / "courses" / "ladder"
FILLED = (LADDER / "course/exemplars/F1/test_draws.py").read_text(encoding="utf-8")
WRITTEN = (LADDER / "course/exemplars/F2/test_middle.py").read_text(encoding="utf-8")


@dataclass
class Climber:
    """`root` holds the course and the workspace alike."""

    root: Path
    runner: Runner
    memo: FakeMemo = field(default_factory=FakeMemo)

    @staticmethod
    def at(root: Path, runner: Runner) -> Climber:
        shutil.copytree(LADDER, root, ignore=shutil.ignore_patterns("__pycache__"))
        return Climber(root, runner).locks()

    @property
    def ports(self) -> Ports:
        catalog = CourseFiles(self.root)
        return Ports(
            catalog=catalog,
            workspace=WorkspaceFiles(self.root, catalog.course, Settings(self.root / ".ol")),
            runner=self.runner,
            values=TrustedValues(),
            foreground=FakeForeground(),
            journal=JournalFiles(self.root / "journals", self.root / ".ol"),
            memo=self.memo,
            clock=FakeClock(),
            progress=FakeProgress(),
        )

    def module(self, id: str) -> CourseModule:
        return self.ports.catalog.course.module(id)

    def starts(self, id: str) -> tuple[str, ...]:
        return start(self.ports, self.module(id)).lines

    def builds(self, id: str) -> Climber:
        """The reference's units as the student's."""
        for unit in self.module(id).units:
            self.put(f"python/tinystep/{unit}", self.ports.catalog.reference(unit))
        return self

    def locks(self) -> Climber:
        """The course as it lies there."""
        return self.put("course/course.lock", CourseFiles(self.root).lock_of_today().text())

    def put(self, path: str, text: str) -> Climber:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
        return self

    def check(self, id: str, **options: object) -> Report:
        return check(self.ports, self.module(id), Options(**{"jobs": 2, **options}))  # type: ignore[arg-type]


def before_blanks(root: Path, runner: Runner) -> Climber:
    """Whoever has built F0 and F1, and filled in nothing yet."""
    climber = Climber.at(root, runner)
    for id in ("F0", "F1"):
        climber.starts(id)
        climber.builds(id)
    return climber


def gates(report: Report) -> dict[str, GateResult]:
    return {gate.gate: gate for gate in report.gates}


def slugs(gate: GateResult) -> list[str]:
    return [reason.slug for reason in gate.reasons]
