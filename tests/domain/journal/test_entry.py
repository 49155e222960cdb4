from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

from ol.domain.course import ModuleId
from ol.domain.journal.entry import (
    Entry,
    Fault,
    FileRecord,
    FunctionRecord,
    JournalState,
    Link,
    Phase,
    UnitRecord,
    same_tests,
    same_to_a_run,
)
from ol.domain.suite import Outcome

ENTRY = Entry(
    at=datetime(2026, 1, 2, tzinfo=timezone.utc),
    module=ModuleId("A1"),
    phase=Phase.RED,
    functions={"test_a.py::test_a": FunctionRecord("h", Outcome.FAILED, "stub")},
    files={"test_a.py": FileRecord("s", "r")},
    units={"tiny.mine": UnitRecord("m1", "code"), "tiny.theirs": UnitRecord("t1")},
    versions={"python": "3.11"},
)


def test_an_entry_is_the_same_to_a_run_whatever_its_outcome_its_time_and_its_files_bytes():
    passed = FunctionRecord("h", Outcome.PASSED)
    again = replace(
        ENTRY,
        at=datetime(2026, 1, 3, tzinfo=timezone.utc),
        functions={"test_a.py::test_a": passed},
        files={"test_a.py": FileRecord("restyled", "r")},
        units={"tiny.mine": UnitRecord("restyled", "code"), "tiny.new": UnitRecord("n", "n")},
    )
    assert same_to_a_run(ENTRY, again)
    assert same_tests(ENTRY, again)


@pytest.mark.parametrize(
    "change",
    [
        {"functions": {"test_a.py::test_a": FunctionRecord("edited")}},
        {"functions": {"test_a.py::test_b": FunctionRecord("h")}},
        {"functions": {}},
        {"files": {"test_a.py": FileRecord("s", "edited")}},
        {"files": {**ENTRY.files, "data.txt": FileRecord("d", "d")}},
        {"units": {"tiny.mine": UnitRecord("m1", "edited")}},
        {"units": {"tiny.theirs": UnitRecord("t2")}},
        {"versions": {"python": "3.12"}},
    ],
)
def test_an_entry_is_another_when_a_run_can_see_a_difference(change: dict):
    assert not same_to_a_run(ENTRY, replace(ENTRY, **change))
    assert same_tests(ENTRY, replace(ENTRY, **change)) == bool(change.keys() & {"units", "versions"})


def test_an_entry_names_the_objects_that_a_replay_needs():
    assert ENTRY.objects == {"s", "m1"}  # the reference's unit is the course's to keep


def test_a_state_knows_its_heads_and_what_was_booked_last():
    entries = [replace(ENTRY, seq=1), replace(ENTRY, seq=2, phase=Phase.GREEN), replace(ENTRY, seq=3)]
    links = tuple(Link("a", f"a{each.seq}", each, {"a": each.seq}) for each in entries)
    state = JournalState(ModuleId("A1"), links)
    assert state.heads == {"a": "a3"}
    assert state.last_booked == entries[1]
    assert JournalState(ModuleId("A1")).last_booked is None


def test_a_torn_line_is_no_damage():
    torn, edited = Fault("a", 9, "torn", torn=True), Fault("a", 2, "was edited")
    assert JournalState(ModuleId("A1"), faults=(torn, edited)).damage == (edited,)
