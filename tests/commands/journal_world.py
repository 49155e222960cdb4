"""A student at work on the tiny course: real files, a real journal, real runs."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

from ol.adapters.course.files import CourseFiles
from ol.adapters.journal.files import JournalFiles
from ol.adapters.values import TrustedValues
from ol.adapters.workspace.files import WorkspaceFiles
from ol.adapters.workspace.settings import Settings
from ol.commands import tdd
from ol.commands.steps.journal_gate import journal_gate
from ol.domain.code.contract import contract
from ol.domain.code.stub import stub
from ol.domain.course import CourseModule, ModuleId
from ol.domain.journal.entry import JournalState
from ol.domain.report import Answer, GateResult, Page, Report, Verdict
from ol.ports import Ports, Runner
from tests.fakes import FakeForeground, FakeMemo, FakeProgress

TINY = Path(__file__).resolve().parents[1] / "courses" / "tiny"
_START = datetime(2026, 1, 2, 9, 0, tzinfo=timezone.utc)

RIGHT = (TINY / "course/reference/tinycalc/calc.py").read_text(encoding="utf-8")
CONTRACT = (TINY / "course/contracts/py/tinycalc/calc.pyi").read_text(encoding="utf-8")
STUB = stub(contract("calc.py", CONTRACT), ModuleId("A1"))
GIVEN = (TINY / "course/given/A1/test_calc.py").read_text(encoding="utf-8")
MEAN = "def test_mean():\n    assert mean([1.0, 3.0]) == 2.0\n\n"
CLAMP = "def test_clamp():\n    assert clamp(2.0, 0.0, 1.0) == 1.0\n\n"
RUNNING = """def test_running():
    running = Running()
    running.add(2.0)
    assert running.mean() == 2.0

"""
IMPORTS = "import pytest\nfrom tinycalc.calc import Running, clamp, mean\n\n"


def stub_but(name: str, body: str) -> str:
    """The stub with the body of one function written."""
    text, count = re.subn(rf'raise NotImplementedError\("A1: {name} [^"]*"\)', body, STUB)
    assert count == 1
    return text


class TickingClock:
    """A minute passes at each look; worlds share it, so that later is later."""

    def __init__(self) -> None:
        self._time = _START

    def now(self) -> datetime:
        self._time += timedelta(minutes=1)
        return self._time


@dataclass
class World:
    """A workspace of one student; `clone` and `copy` make another."""

    root: Path
    runner: Runner
    clock: TickingClock
    seen_red_min: float = 0.0
    stale: str = "count"

    @property
    def ports(self) -> Ports:
        catalog = CourseFiles(TINY)
        course = catalog.course
        policy = replace(course.policy, seen_red_min=self.seen_red_min, stale=self.stale)
        object.__setattr__(catalog, "course", replace(course, policy=policy))
        return Ports(
            catalog=catalog,
            workspace=WorkspaceFiles(self.root, course, Settings(self.root / ".ol")),
            runner=self.runner,
            values=TrustedValues(),
            foreground=FakeForeground(),
            journal=JournalFiles(self.root / "journals", self.root / ".ol"),
            memo=FakeMemo(),
            clock=self.clock,
            progress=FakeProgress(),
        )

    @property
    def module(self) -> CourseModule:
        return self.ports.catalog.course.module("A1")

    @property
    def tests(self) -> Path:
        return self.root / "python" / "tests" / "a1-calc"

    @property
    def unit(self) -> Path:
        return self.root / "python" / "tinycalc" / "calc.py"

    def code(self, text: str) -> World:
        _write(self.unit, text)
        _write(self.unit.with_name("num.py"), "def total(values):\n    return sum(values, 0.0)\n")
        return self

    def test(self, name: str, text: str) -> World:
        _write(self.tests / name, text)
        return self

    def red(self) -> Answer:
        return tdd.red(self.ports, self.module)

    def green(self) -> Answer:
        return tdd.green(self.ports, self.module)

    def abandon(self, *tests: str) -> Answer:
        return tdd.abandon(self.ports, self.module, tests)

    def gate(self) -> GateResult:
        return journal_gate(self.ports, self.module)

    def state(self) -> JournalState:
        return self.ports.journal.read(self.module.id)

    def phases(self) -> list[str]:
        return [link.entry.phase.value for link in self.state().links]

    def copy(self, to: Path) -> World:
        shutil.copytree(self.root, to)
        return replace(self, root=to)

    def git(self, *arguments: str) -> str:
        identity = ("-c", "user.name=A Student", "-c", "user.email=student@example.org")
        told = subprocess.run(
            ["git", *identity, *arguments], cwd=self.root, capture_output=True, text=True, encoding="utf-8"
        )
        assert told.returncode == 0, told.stdout + told.stderr
        return told.stdout


def started(world: World) -> World:
    return world.code(STUB).test("test_calc.py", GIVEN)


def at_green(world: World) -> World:
    started(world).red()
    world.code(RIGHT).green()
    return world


def recorded(answer: Answer) -> str:
    """The phase that was written down."""
    assert isinstance(answer, Page), answer
    return str(answer.fields.get("phase", "nothing"))


def refused(answer: Answer) -> str:
    """The slug of the first reason, which has a sentence and a next step."""
    assert isinstance(answer, Report), answer
    assert answer.exit_code == 1
    reason = answer.gates[0].reasons[0]
    assert reason.text and reason.next_step, reason
    return reason.slug


def complete(gate: GateResult) -> str:
    """The report's line of a gate that passed."""
    assert gate.verdict is Verdict.PASSED, gate.reasons
    assert gate.summary == "journal complete"
    return gate.notes[0]


def refusals(gate: GateResult) -> list[str]:
    assert gate.verdict is Verdict.FAILED
    assert all(reason.next_step for reason in gate.reasons)
    return [reason.slug for reason in gate.reasons]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")
