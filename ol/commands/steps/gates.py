"""The gates of `ol check`, in the order they are tried. A new gate is one class and one item of `GATES`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from ol.commands.mutate import NAME as MUTATION
from ol.commands.mutate import Options, blanks_to_mend, mutation_gate
from ol.commands.steps.blame import blame, own_needs
from ol.commands.steps.blanks import blanks_gate
from ol.commands.steps.contracts import contracts
from ol.commands.steps.course_tests import course_tests_gate
from ol.commands.steps.journal_gate import journal_gate
from ol.commands.steps.passing import recalled
from ol.commands.steps.replay import replay_gate
from ol.commands.steps.sources import Resolved, told_of
from ol.commands.steps.told_tests import NAME as COURSE_TESTS
from ol.commands.steps.values import NAME as VALUES
from ol.commands.steps.values import not_compared, values_gate
from ol.domain.code.contract import breaches
from ol.domain.code.imports import forbidden_in_units
from ol.domain.course import CourseModule, Rung
from ol.domain.errors import NotReady, OlError, WorkRefused
from ol.domain.exit_code import ExitCode
from ol.domain.grading.blanks import NAME as BLANKS
from ol.domain.journal.gate import NAME as JOURNAL
from ol.domain.journal.replay_gate import NAME as REPLAY
from ol.domain.report import GateResult, Reason, Source, Verdict
from ol.ports import Ports


@dataclass(frozen=True, slots=True)
class Ground:
    """What every gate stands on.

    `cached`: a remembered pass of the course tests will do. `replay`: the journal's runs are made again.
    """

    ports: Ports
    module: CourseModule
    resolved: Resolved
    mutation: Options
    cached: bool = False
    replay: bool = False

    @property
    def rung(self) -> Rung:
        return self.ports.catalog.course.rungs[self.module.rung]


class Gate(Protocol):
    @property
    def name(self) -> str: ...
    def asked(self, ground: Ground) -> bool:
        """Whether the module's rung asks for it."""

    def run(self, ground: Ground) -> GateResult: ...


class ContractGate:
    """The public surface equals the contract, and nothing outside it is imported; read, not run."""

    name = "contract"

    def asked(self, ground: Ground) -> bool:
        return True

    def run(self, ground: Ground) -> GateResult:
        ports, module = ground.ports, ground.module
        promised, course = contracts(ports, module), ports.catalog.course
        files = {unit: file for unit in module.units if (file := ports.workspace.unit(unit)) is not None}
        reasons = [
            _named(reason, module)
            for unit, file in files.items()
            for reason in breaches(promised[course.dotted(unit)], file)
        ]
        reasons += forbidden_in_units(list(files.values()), course.imports, course.package, promised)
        if reasons:
            return GateResult(self.name, Verdict.FAILED, "contract broken", tuple(dict.fromkeys(reasons)))
        return GateResult(self.name, Verdict.PASSED, "")


def _named(reason: Reason, module: CourseModule) -> Reason:
    """With the id in the command: where a contract has grown, another module may have been started since."""
    step = reason.next_step.replace("`ol start --missing`", f"`ol start {module.id} --missing`")
    return replace(reason, next_step=step)


class NeedsGate:
    """Every module below is there and passes its own course tests."""

    name = "needs"

    def asked(self, ground: Ground) -> bool:
        return bool(ground.module.needs)

    def run(self, ground: Ground) -> GateResult:
        origin, broken = ground.resolved.origin, ground.resolved.broken
        needs = [id for id in origin if id != ground.module.id and id not in broken]
        notes = tuple(
            f"{source.value}: {', '.join(ids)}"
            for source in Source
            if (ids := [id for id in needs if origin[id] is source])
        )
        if not broken:
            return GateResult(self.name, Verdict.PASSED, "", notes=notes)
        reasons = tuple(Reason(why.slug, told_of(id, why), why.next_step) for id, why in broken.items())
        return GateResult(self.name, Verdict.BLOCKED, f"needs {', '.join(broken)}", reasons, notes)


class CourseTestsGate:
    """The course tests pass on the student's unit and needs; where not, which side is at fault."""

    name = COURSE_TESTS

    def asked(self, ground: Ground) -> bool:
        return True

    def run(self, ground: Ground) -> GateResult:
        if not ground.module.graded:
            told = "the course has no tests for it yet"
            return GateResult(self.name, Verdict.INCONCLUSIVE, told, exit_code=ExitCode.BLOCKED)
        if ground.resolved.broken:
            why = tuple(blame(ground.ports, ground.resolved))
            return GateResult(self.name, Verdict.BLOCKED, "course tests blocked", why)
        if ground.cached and _known_to_pass(ground):
            count = len(ground.module.tests)
            return GateResult(self.name, Verdict.PASSED, f"{count}/{count} course tests", cached=True)
        found = course_tests_gate(ground.ports, ground.resolved)
        if found.verdict is not Verdict.FAILED or not own_needs(ground.resolved):
            return found
        at_fault = blame(ground.ports, ground.resolved, found.fields.get("passed"))
        return replace(found, reasons=(*found.reasons, *at_fault))


class ValuesGate:
    """What the unit gives on fresh inputs is what the reference gives, compared in another process."""

    name = VALUES

    def asked(self, ground: Ground) -> bool:
        return bool(ground.module.probes)

    def run(self, ground: Ground) -> GateResult:
        if ground.resolved.broken:
            return not_compared(Verdict.BLOCKED, "needs")
        return values_gate(ground.ports, ground.resolved, ground.mutation.seed, ground.cached)


class BlanksGate:
    """What the student worked out by hand is what the reference gives."""

    name = BLANKS

    def asked(self, ground: Ground) -> bool:
        return bool(ground.module.blanks)

    def run(self, ground: Ground) -> GateResult:
        return blanks_gate(ground.ports, ground.module, ground.cached)


class JournalGate:
    """Every test file was seen red before its green."""

    name = JOURNAL

    def asked(self, ground: Ground) -> bool:
        return ground.rung.journal

    def run(self, ground: Ground) -> GateResult:
        return journal_gate(ground.ports, ground.module)


class ReplayGate:
    """Every run on record comes out again, made from its snapshots."""

    name = REPLAY

    def asked(self, ground: Ground) -> bool:
        return ground.replay and ground.rung.journal

    def run(self, ground: Ground) -> GateResult:
        return replay_gate(ground.ports, ground.module, ground.mutation.jobs)


class MutationGate:
    """The student's tests catch enough of the faults, once no blank of them is open or wrong."""

    name = MUTATION

    def asked(self, ground: Ground) -> bool:
        return ground.rung.graded_by_mutation

    def run(self, ground: Ground) -> GateResult:
        if blanks_to_mend(ground.ports, ground.module, cached=True):
            told = "Your tests are not tried on the faults while a blank is open or wrong."
            raise WorkRefused("blanks-first", told, "Fill the blanks in rightly first.")
        return mutation_gate(ground.ports, ground.module, ground.mutation)


GATES: tuple[Gate, ...] = (
    ContractGate(),
    NeedsGate(),
    CourseTestsGate(),
    ValuesGate(),
    BlanksGate(),
    JournalGate(),
    ReplayGate(),
    MutationGate(),
)


def results(ground: Ground) -> Iterator[GateResult]:
    """Of every gate asked for: what stops one leaves the others to run."""
    for gate in GATES:
        if gate.asked(ground):
            try:
                yield gate.run(ground)
            except (NotReady, WorkRefused) as error:
                yield _stopped(gate, error)


def _stopped(gate: Gate, error: OlError) -> GateResult:
    verdict = Verdict.BLOCKED if isinstance(error, NotReady) else Verdict.FAILED
    return GateResult(gate.name, verdict, f"{gate.name} not tried", (Reason.of(error),))


def _known_to_pass(ground: Ground) -> bool:
    found = recalled(ground.ports, ground.module, ground.resolved.units)
    return found is not None and found.passes
