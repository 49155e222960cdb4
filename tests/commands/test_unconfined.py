"""What the kernel could not keep student code from is in the report of every verb that grades."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ol.commands.check import check
from ol.commands.mutate import mutate
from ol.commands.steps import gates
from ol.commands.tests import tests as run_tests
from ol.domain.course import CourseModule
from ol.domain.report import GateResult, Report, Verdict
from ol.ports import Ports
from ol.render.json import ReportJson
from ol.render.json import told as as_json
from ol.render.text import plain
from tests.commands.mutate_desk import desk as desk_of_mutate
from tests.commands.tests_desk import desk as desk_of_tests
from tests.fakes import Desk
from tests.made import completed

NOTE = "note: the kernel here does not keep student code from: the network, signals to other processes (Linux 6.12"
VERBS: dict[str, tuple[Callable[[Ports, CourseModule], Report], Callable[[], Desk]]] = {
    "tests": (run_tests, lambda: desk_of_tests(completed("test_add", "test_sub"))),
    "mutate": (mutate, desk_of_mutate),
    "check": (check, lambda: desk_of_tests(completed("test_add", "test_sub"))),
}


@pytest.fixture(autouse=True)
def complete_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = GateResult("journal", Verdict.PASSED, "journal complete")
    monkeypatch.setattr(gates, "journal_gate", lambda ports, module: judged)


@pytest.mark.parametrize("verb", VERBS)
def test_it_is_noted_once_and_by_name(verb: str) -> None:
    command, desk = VERBS[verb]
    made = desk()
    made.runner.unconfined = ("network", "signals")
    report = command(made.ports(), made.module("A.1"))
    assert plain(report).count(NOTE) == 1
    told = as_json(report)
    assert isinstance(told, ReportJson) and told.unconfined == ("network", "signals")


@pytest.mark.parametrize("verb", VERBS)
def test_where_all_is_kept_nothing_is_said(verb: str) -> None:
    command, desk = VERBS[verb]
    made = desk()
    report = command(made.ports(), made.module("A.1"))
    assert "kernel" not in plain(report) and report.unconfined == ()
