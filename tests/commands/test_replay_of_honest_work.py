"""Whatever a student does, what `ol tdd` recorded of it comes out again."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ol.commands.steps.replay import replay_gate
from ol.domain.journal.replay import runs
from ol.domain.report import Verdict
from tests.commands.test_journal_no_dead_end import _ACTIONS, Student, _act, _finish


@settings(deadline=None, max_examples=100)
@given(st.lists(_ACTIONS, max_size=14))
def test_an_honest_journal_is_never_called_forged(actions: list[tuple]) -> None:
    student = Student()
    for action in actions:
        _act(student, action)
    _finish(student)
    student.desk.catalog.references["a1.py"] = "VALUE: int = 1\n"
    links = student.desk.journal.links  # type: ignore[attr-defined]
    gate = replay_gate(student.desk.ports(), student.desk.module("A1"))
    assert gate.verdict is Verdict.PASSED, gate.reasons
    assert gate.fields["held"] == gate.fields["entries"] == len(runs(links)) > 0
