"""A student of the course `probed`: real files, real runs, a workspace that is one unit in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ol.adapters.course.files import CourseFiles
from ol.adapters.values import TrustedValues
from ol.commands.check import Options, check
from ol.commands.steps.sources import survey
from ol.commands.steps.values import values_gate
from ol.domain.course import ModuleId
from ol.domain.report import GateResult, Report
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from ol.ports import Ports, Runner
from tests.fake_files import FakeWorkspace
from tests.fakes import FakeClock, FakeForeground, FakeJournal, FakeMemo, FakeProgress

PROBED = Path(__file__).resolve().parents[1] / "courses" / "probed"
RIGHT = (PROBED / "course/reference/tinyarr/scale.py").read_text(encoding="utf-8")
ADDED = RIGHT.replace("* factor", "+ factor")


@dataclass
class Watched:
    """A runner that keeps what was asked and given, and in which order."""

    runner: Runner
    seen: list[tuple[str, RunRequest, SuiteRun | None]] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runner, name)

    def run(self, request: RunRequest) -> SuiteRun:
        self.seen.append(("begins", request, None))
        run = self.runner.run(request)
        self.seen.append(("ended", request, run))
        return run


@dataclass
class Student:
    runner: Runner
    root: Path = PROBED
    memo: FakeMemo = field(default_factory=FakeMemo)
    clock: FakeClock = field(default_factory=FakeClock)

    def ports(self, unit: str) -> Ports:
        return Ports(
            catalog=CourseFiles(self.root),
            workspace=FakeWorkspace(units={"scale.py": unit}),
            runner=self.runner,
            values=TrustedValues(),
            foreground=FakeForeground(),
            journal=FakeJournal(),
            memo=self.memo,
            clock=self.clock,
            progress=FakeProgress(),
        )

    def check(self, unit: str, **options: object) -> Report:
        ports = self.ports(unit)
        return check(ports, ports.catalog.course.modules[ModuleId("P1")], Options(**options))  # type: ignore[arg-type]


def gate(student: Student, unit: str, seed: int | None = None, cached: bool = False) -> GateResult:
    """The values gate alone, on what survey finds."""
    ports = student.ports(unit)
    module = ports.catalog.course.modules[ModuleId("P1")]
    return values_gate(ports, survey(ports, module), seed, cached)


def gates(report: Report) -> dict[str, GateResult]:
    return {gate.gate: gate for gate in report.gates}
