"""What a command answers: a `Report` of gates, or a `Page` of plain lines. Facts are stored, conclusions derived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias

from ol.domain.course import ModuleId
from ol.domain.errors import OlError
from ol.domain.exit_code import ExitCode

_NAMED = 3  # needs that a last line names


class Verdict(Enum):
    PASSED = "passed"
    FAILED = "failed"
    BLOCKED = "blocked"
    INCONCLUSIVE = "inconclusive"


class Source(Enum):
    """Where a module of the closure was taken from."""

    STUDENT = "student"
    REFERENCE = "reference"
    UNVERIFIED = "unverified"  # the student's, but the course has no tests for it yet


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a gate did not pass, or a remark on one that did. `detail` holds further lines, ready to print."""

    slug: str
    text: str
    next_step: str = ""
    detail: tuple[str, ...] = ()

    @staticmethod
    def of(error: OlError) -> Reason:
        """What stopped an answer, as a part of one."""
        return Reason(error.slug, error.message, error.next_step)


@dataclass(frozen=True, slots=True)
class GateResult:
    gate: str
    verdict: Verdict
    summary: str  # `17/17 course tests`: a clause of the report's last line
    reasons: tuple[Reason, ...] = ()
    notes: tuple[str, ...] = ()  # lines that do not weigh: a matrix, a slow-suite remark
    folded: tuple[str, ...] = ()  # the notes as a reader wants them, where they are many
    cached: bool = False
    exit_code: ExitCode | None = None  # where the verdict's usual code is not the right one
    fields: Mapping[str, Any] = field(default_factory=dict)  # for --json: plain builtins only

    @property
    def code(self) -> ExitCode:
        return self.exit_code if self.exit_code is not None else _USUAL_CODE[self.verdict]


_USUAL_CODE = {
    Verdict.PASSED: ExitCode.PASSED,
    Verdict.FAILED: ExitCode.FAILED,
    Verdict.BLOCKED: ExitCode.BLOCKED,
    Verdict.INCONCLUSIVE: ExitCode.FAILED,
}


@dataclass(frozen=True, slots=True)
class Report:
    command: str
    module: ModuleId
    gates: tuple[GateResult, ...]
    course_version: str
    lock: str  # the lock file's sha256, "" where the course has none
    sources: Mapping[ModuleId, Source] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    unconfined: tuple[str, ...] = ()  # what the kernel could not keep student code from, by name

    @property
    def passed(self) -> bool:
        return bool(self.gates) and all(gate.verdict is Verdict.PASSED for gate in self.gates)

    @property
    def exit_code(self) -> ExitCode:
        return ExitCode.worst(gate.code for gate in self.gates)

    @property
    def assisted_by(self) -> tuple[ModuleId, ...]:
        return tuple(id for id, source in self.sources.items() if source is Source.REFERENCE)

    @property
    def unverified(self) -> tuple[ModuleId, ...]:
        return tuple(id for id, source in self.sources.items() if source is Source.UNVERIFIED)

    @property
    def last_line(self) -> str:
        """`L2.2 PASSED — 17/17 course tests, 8/8 probes, journal complete, 12/12 mutants … [assisted: …]`."""
        verdict = "PASSED" if self.passed else "BLOCKED" if self.exit_code is ExitCode.BLOCKED else "FAILED"
        told = self.gates if self.passed else [g for g in self.gates if g.verdict is not Verdict.PASSED]
        line = f"{self.module} {verdict} — {', '.join(gate.summary for gate in told if gate.summary)}"
        if self.assisted_by:
            line += f" [assisted: {_some(self.assisted_by)} from the reference]"
        if self.unverified:
            line += f" [unverified: {_some(self.unverified)}]"
        return line


def _some(needs: Sequence[ModuleId]) -> str:
    """By name where they are few; `sources` names them all."""
    return ", ".join(needs) if len(needs) <= _NAMED else f"{len(needs)} needs"


@dataclass(frozen=True, slots=True)
class Page:
    """An answer that is no verdict on work: paths, a story, a table. `fields` is the same for --json."""

    command: str
    lines: tuple[str, ...]
    fields: Mapping[str, Any] = field(default_factory=dict)
    exit_code: ExitCode = ExitCode.PASSED


Answer: TypeAlias = "Report | Page"
