"""An answer as lines of text. A style is decoration: every line means the same without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ol.domain.errors import OlError
from ol.domain.report import Answer, GateResult, Page, Reason, Verdict
from ol.domain.telling.unconfined import remark

_STYLES = {
    Verdict.PASSED: "green",
    Verdict.FAILED: "red",
    Verdict.BLOCKED: "yellow",
    Verdict.INCONCLUSIVE: "yellow",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line and how it may be coloured: a style of rich, or none."""

    text: str = ""
    style: str = ""


def told(answer: Answer) -> Iterator[Line]:
    """A report gate by gate, its last line last; a page as it is."""
    if isinstance(answer, Page):
        yield from (Line(text) for text in answer.lines)
        return
    for gate in answer.gates:
        yield from _gate(gate)
        yield Line()
    yield from (Line(f"note: {note}") for note in (*answer.notes, remark(answer.unconfined)) if note)
    yield Line(answer.last_line, f"bold {_STYLES[Verdict.PASSED if answer.passed else Verdict.FAILED]}")


def told_error(error: OlError) -> Iterator[Line]:
    return told_fault(error.slug, error.message, error.next_step)


def told_fault(slug: str, message: str, next_step: str = "") -> Iterator[Line]:
    """The sentence, the next step, and the slug by which docs/messages.md says more."""
    yield Line(f"ol: {message}", "bold red")
    if next_step:
        yield Line(f"    {next_step}")
    yield Line(f"    [{slug}]", "dim")


def _gate(gate: GateResult) -> Iterator[Line]:
    cached = " (cached)" if gate.cached else ""
    summary = f": {gate.summary}" if gate.summary else ""
    yield Line(f"{gate.verdict.value.upper()} {gate.gate}{cached}{summary}", _STYLES[gate.verdict])
    yield from (Line(f"  {note}", "dim") for note in gate.folded or gate.notes)
    for reason in gate.reasons:
        yield from _reason(reason)


def _reason(reason: Reason) -> Iterator[Line]:
    yield Line(f"  - {reason.text} [{reason.slug}]", "bold")
    yield from (Line(f"      {line}") for line in reason.detail)
    if reason.next_step:
        yield Line(f"    → {reason.next_step}")


def plain(answer: Answer) -> str:
    """The whole answer without styles."""
    return "\n".join(line.text for line in told(answer)) + "\n"
