"""A report on the course itself: a proof in the place of each gate, of one module or of many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ol.domain.course import Course, ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.exit_code import ExitCode
from ol.domain.report import GateResult, Reason, Report, Verdict

_WHOLE = ModuleId("course")


@dataclass(frozen=True, slots=True)
class Ruling:
    """What one proof found of one module: it holds where it was tried and no reason is against it."""

    summary: str
    reasons: tuple[Reason, ...] = ()
    notes: tuple[str, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)
    tried: bool = True
    remembered: bool = False  # from an earlier proof of the same files

    @property
    def verdict(self) -> Verdict:
        if self.reasons:
            return Verdict.FAILED
        return Verdict.PASSED if self.tried else Verdict.BLOCKED

    @staticmethod
    def of(error: CourseWrong) -> Ruling:
        """A file that a proof could not even read."""
        return Ruling("cannot be read", (Reason.of(error),))


@dataclass(frozen=True, slots=True)
class CourseReport(Report):
    """`module` is what was proved, or `course`, and then how many. What does not hold is the course's fault: code 5."""

    modules: int = 0
    milestones: int = 0

    @staticmethod
    def on(
        command: str,
        course: Course,
        lock: str,
        ids: Sequence[ModuleId],
        gates: Sequence[GateResult],
        notes: tuple[str, ...] = (),
    ) -> CourseReport:
        """`ids`: of the modules and milestones that were proved."""
        milestones = sum(id in course.milestones for id in ids)
        return CourseReport(
            command,
            ids[0] if len(ids) == 1 else _WHOLE,
            tuple(gates),
            course.version,
            lock,
            notes=notes,
            modules=len(ids) - milestones,
            milestones=milestones,
        )

    @property
    def last_line(self) -> str:
        """`L2.2 PROVED — needs agree, …`, or `course 2026.1 PROVED — 14 modules and 1 milestone hold`."""
        subject = f"course {self.course_version}" if self.module == _WHOLE else self.module
        if not self.passed:
            wrong = (gate for gate in self.gates if gate.verdict is Verdict.FAILED)
            return f"{subject} WRONG — {', '.join(f'{gate.gate}: {gate.summary}' for gate in wrong)}"
        if self.module == _WHOLE:
            parts = [(self.modules, "module"), (self.milestones, "milestone")]
            return f"{subject} PROVED — {' and '.join(counted(*part) for part in parts if part[0])} hold"
        return f"{subject} PROVED — {', '.join(gate.summary for gate in self.gates if gate.summary)}"


def counted(number: int, what: str) -> str:
    """`1 golden`, `2 goldens`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def proof(name: str, rulings: Mapping[ModuleId, Ruling]) -> GateResult:
    """What one proof found of each module, as one gate."""
    wrong = [ruling for ruling in rulings.values() if ruling.verdict is not Verdict.PASSED]
    failed = any(ruling.verdict is Verdict.FAILED for ruling in wrong)
    alone = next(iter(rulings.values())) if len(rulings) == 1 else None
    return GateResult(
        name,
        Verdict.FAILED if failed else Verdict.BLOCKED if wrong else Verdict.PASSED,
        alone.summary if alone else f"{len(rulings) - len(wrong)}/{len(rulings)} modules",
        tuple(reason for ruling in wrong for reason in ruling.reasons),
        alone.notes if alone else _all_notes(rulings),
        cached=all(ruling.remembered for ruling in rulings.values()),
        exit_code=ExitCode.COURSE_WRONG if wrong else None,
        fields={id: dict(ruling.fields) for id, ruling in rulings.items() if ruling.fields},
    )


def _all_notes(rulings: Mapping[ModuleId, Ruling]) -> tuple[str, ...]:
    """Each module's under its id."""
    told = [(f"{id}: {ruling.summary}", *ruling.notes) for id, ruling in rulings.items() if ruling.notes]
    return tuple(line for lines in told for line in lines)
