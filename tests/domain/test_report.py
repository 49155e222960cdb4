"""The last line of a report: what did not pass, and what was not the student's own or not proved."""

from __future__ import annotations

import pytest

from ol.domain.course import ModuleId
from ol.domain.report import GateResult, Report, Source, Verdict

GATE = GateResult("course tests", Verdict.PASSED, "2/2 course tests")


def last_line(source: Source, needs: int) -> str:
    sources = {ModuleId(f"A.{number}"): source for number in range(needs)}
    return Report("check", ModuleId("B.1"), (GATE,), "1", "", sources).last_line


@pytest.mark.parametrize(
    ("needs", "told"), [(0, ""), (3, " [assisted: A.0, A.1, A.2 from the reference]"), (4, "4 needs from")]
)
def test_needs_from_the_reference_are_named_up_to_three_and_counted_beyond(needs: int, told: str) -> None:
    assert last_line(Source.REFERENCE, needs).startswith("B.1 PASSED — 2/2 course tests")
    assert told in last_line(Source.REFERENCE, needs)


def test_so_are_the_unverified() -> None:
    assert last_line(Source.UNVERIFIED, 2).endswith(" [unverified: A.0, A.1]")
    assert last_line(Source.UNVERIFIED, 11).endswith(" [unverified: 11 needs]")


def test_what_is_the_students_own_is_not_told() -> None:
    assert last_line(Source.STUDENT, 2) == "B.1 PASSED — 2/2 course tests"
