"""`ol demo`: a student's whole session, played in scratch with the reference as the student's code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ol.commands import tdd
from ol.commands.check import check
from ol.commands.mutate import mutate
from ol.commands.start import start
from ol.commands.steps.together import Silent
from ol.domain.code.contract import contract
from ol.domain.code.stub import stub
from ol.domain.course import CourseModule
from ol.domain.errors import WrongRequest
from ol.domain.exit_code import ExitCode
from ol.domain.report import Answer, Page, Report
from ol.ports import Ports

_SHOWN = 8  # lines of an answer


class Step(NamedTuple):
    """A command as it is typed, or what the student does between two; `play` does it."""

    heading: str
    play: Callable[[], Answer | None]


def demo(ports: Ports) -> Page:
    """Every step by the same functions as the real commands; passed only when the check at its end is."""
    module = _module(ports)
    session = _Session(replace(ports, progress=Silent()), module)
    lines = [f"A student's session on {module.id}, {module.title}, in a scratch workspace."]
    code = ExitCode.FAILED
    ports.progress.begin("demo", len(session.steps))
    try:
        for step in session.steps:
            ports.progress.step(step.heading)
            answer = step.play()
            lines += ["", step.heading, *(f"    {line}" for line in _shortly(answer))]
            code = answer.exit_code if answer is not None else code
            if _refused(answer):
                break
    finally:
        ports.progress.end()
    lines[-1:] = ["", lines[-1].strip()]  # the report's last line, on its own
    return Page("demo", tuple(lines), {"module": module.id, "passed": code is ExitCode.PASSED}, code)


def _module(ports: Ports) -> CourseModule:
    """Of those with a journal, a mutation grade and exemplar tests that earn it, the one that builds on most."""
    course = ports.catalog.course
    asking = [id for id, rung in course.rungs.items() if rung.journal and rung.graded_by_mutation]
    whole = [each for each in course.in_order() if each.rung in asking and ports.catalog.exemplars(each)]
    if whole:
        return max(whole, key=lambda module: len(course.closure(module.id)))
    told = "No module of this course has a journal, a mutation grade and exemplar tests to play with."
    raise WrongRequest("nothing-to-play", told, "Write exemplar tests for one; `ol verify` proves them.")


@dataclass(frozen=True, slots=True)
class _Session:
    """One student at work on one module: each test is seen red before the code that makes it pass."""

    ports: Ports
    module: CourseModule

    @property
    def steps(self) -> tuple[Step, ...]:
        ports, module = self.ports, self.module
        return (
            Step(f"$ ol start {module.id} --ref-deps", lambda: start(ports, module, ref_deps="failing")),
            Step(f"$ ol tdd red {module.id}", lambda: tdd.red(ports, module)),
            Step("Write the code: the reference's, here.", self._write_code),
            Step(f"$ ol tdd green {module.id}", lambda: tdd.green(ports, module)),
            Step(f"$ ol mutate {module.id}", lambda: mutate(ports, module)),
            Step(
                "Too few. Write more tests, and put the stub back: each is to be seen red.", self._write_tests
            ),
            Step(f"$ ol tdd red {module.id}", lambda: tdd.red(ports, module)),
            Step("Bring the code back.", self._write_code),
            Step(f"$ ol tdd green {module.id}", lambda: tdd.green(ports, module)),
            Step(f"$ ol mutate {module.id}", lambda: mutate(ports, module)),
            Step(f"$ ol check {module.id}", lambda: check(ports, module)),
        )

    def _write_code(self) -> None:
        self._write_units({unit: self.ports.catalog.reference(unit) for unit in self.module.units})

    def _write_tests(self) -> None:
        """The exemplar tests in the place of those there, and the stub in the place of the code."""
        catalog, module = self.ports.catalog, self.module
        folder = self.ports.workspace.tests_path(module)
        there = {folder / file.name for file in self.ports.workspace.tests(module)}
        self._put({folder / file.name: file.content for file in catalog.exemplars(module)}, there)
        contracts = {unit: contract(unit, catalog.contract(unit)) for unit in module.units}
        self._write_units({unit: stub(promise, module.id) for unit, promise in contracts.items()})

    def _write_units(self, texts: Mapping[str, str]) -> None:
        paths = {self.ports.workspace.unit_path(unit): text.encode("utf-8") for unit, text in texts.items()}
        self._put(paths, set(paths))

    def _put(self, files: Mapping[Path, bytes], there: set[Path]) -> None:
        """As an editor saves: what was there is put away first, for nothing is ever overwritten."""
        for path in files.keys() & there:
            self.ports.workspace.renew(path, files[path])
        self.ports.workspace.create(list(files.items()))


def _refused(answer: Answer | None) -> bool:
    """Nothing was recorded: what comes next would not be the session that was meant."""
    return isinstance(answer, Report) and answer.command.startswith("tdd")


def _shortly(answer: Answer | None) -> Iterator[str]:
    """A page's first lines, notes aside; of a report, what does not pass and its last line."""
    if isinstance(answer, Page):
        lines = [line for line in answer.lines if line.strip() and not line.startswith("note:")]
        yield from lines[:_SHOWN]
        yield from ["…"] if len(lines) > _SHOWN else []
    elif answer is not None:
        reasons = [reason for gate in answer.gates for reason in gate.reasons]
        yield from (f"- {reason.text}" for reason in reasons[: _SHOWN - 1])
        yield answer.last_line
