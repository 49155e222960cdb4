"""The journal as a gate of `ol check`: facts from the ports, judged by the domain."""

from __future__ import annotations

from dataclasses import replace

from ol.domain.code.identity import identify
from ol.domain.course import CourseModule, Policy
from ol.domain.errors import WorkRefused
from ol.domain.journal.gate import NAME, judge_journal
from ol.domain.report import GateResult, Reason, Verdict
from ol.ports import Ports


def journal_gate(ports: Ports, module: CourseModule) -> GateResult:
    """Judged on the files as they are; nothing is run."""
    try:
        folder = identify(ports.workspace.tests(module))
    except WorkRefused as error:
        return GateResult(NAME, Verdict.FAILED, "journal not judged", (Reason.of(error),))
    return judge_journal(ports.journal.read(module.id), folder, _policy(ports, module))


def _policy(ports: Ports, module: CourseModule) -> Policy:
    """A manifest may ask for another share than the course."""
    policy = ports.catalog.course.policy
    return policy if module.seen_red_min is None else replace(policy, seen_red_min=module.seen_red_min)
