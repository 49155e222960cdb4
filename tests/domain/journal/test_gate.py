from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

from ol.domain.code.identity import FolderIdentity
from ol.domain.course import ModuleId, Policy
from ol.domain.journal.entry import Entry, Fault, FileRecord, FunctionRecord, JournalState, Link, Phase
from ol.domain.journal.gate import judge_journal
from ol.domain.journal.history import History, Red
from ol.domain.journal.log import log_lines
from ol.domain.journal.seen_red import SeenRed
from ol.domain.report import GateResult, Verdict
from ol.domain.suite import Outcome

A1 = ModuleId("A1")
FOLDER = FolderIdentity(
    {"test_a.py::test_x": "x1", "test_a.py::test_y": "y1"}, {"test_a.py": "r1", "data.txt": "d1"}
)
AT = datetime(2026, 1, 2, 3, 4, tzinfo=timezone.utc)


def entry(phase: Phase, folder: FolderIdentity = FOLDER, failed: tuple[str, ...] = ()) -> Entry:
    functions = {
        id: FunctionRecord(hash, Outcome.FAILED, "assertion")
        if id in failed
        else FunctionRecord(hash, Outcome.PASSED)
        for id, hash in folder.functions.items()
    }
    files = {name: FileRecord("00", rest) for name, rest in folder.rests.items()}
    return Entry(at=AT, module=A1, phase=phase, functions=functions, files=files)


def state(*entries: Entry, **more) -> JournalState:
    links = tuple(
        Link("a", f"a{seq}", replace(each, seq=seq), {"a": seq}) for seq, each in enumerate(entries, 1)
    )
    return JournalState(A1, links, "a", **more)


RED = entry(Phase.RED, failed=("test_a.py::test_x",))
GREEN = entry(Phase.GREEN)


def judged(journal: JournalState, folder: FolderIdentity = FOLDER, share: float = 0.0) -> GateResult:
    return judge_journal(journal, folder, Policy(seen_red_min=share))


def slugs(gate: GateResult) -> list[str]:
    assert gate.verdict is Verdict.FAILED
    assert all(reason.next_step for reason in gate.reasons)
    return [reason.slug for reason in gate.reasons]


def test_a_red_and_its_green_are_complete():
    gate = judged(state(RED, GREEN))
    assert gate.verdict is Verdict.PASSED
    assert gate.summary == "journal complete"
    assert gate.notes == ("2 tests: 1 seen red, 1 booked as refactor",)
    assert gate.fields == {"tests": 2, "seen": 1, "stub_only": 0, "earlier": 0, "open": []}


def test_nothing_on_record():
    assert slugs(judged(state())) == ["journal-empty"]


def test_a_journal_that_is_gone_names_git():
    gate = judged(state(lost="20260102-ab"))
    assert slugs(gate) == ["journal-gone"]
    assert "git checkout journals" in gate.reasons[0].next_step


def test_a_red_without_a_green():
    assert slugs(judged(state(RED))) == ["journal-no-green"]


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        (
            FolderIdentity({**FOLDER.functions, "test_a.py::test_y": "y2"}, FOLDER.rests),
            "test_a.py::test_y was edited",
        ),
        (
            FolderIdentity({**FOLDER.functions, "test_a.py::test_z": "z"}, FOLDER.rests),
            "test_a.py::test_z is new",
        ),
        (FolderIdentity({"test_a.py::test_x": "x1"}, FOLDER.rests), "test_a.py::test_y is gone"),
        (FolderIdentity(FOLDER.functions, {**FOLDER.rests, "test_a.py": "r2"}), "test_a.py was edited"),
        (FolderIdentity(FOLDER.functions, {**FOLDER.rests, "data.txt": "d2"}), "data.txt was edited"),
        (FolderIdentity(FOLDER.functions, {"test_a.py": "r1"}), "data.txt is gone"),
        (FolderIdentity(FOLDER.functions, {**FOLDER.rests, "more.txt": "m"}), "more.txt is new"),
    ],
)
def test_whatever_differs_from_the_last_green_is_named(folder: FolderIdentity, told: str):
    gate = judged(state(RED, GREEN), folder)
    assert slugs(gate) == ["journal-not-booked"]
    assert gate.reasons[0].detail == (told,)


GONE = FolderIdentity({"test_a.py::test_y": "y1"}, FOLDER.rests)
ABANDON_FIRST = "`ol tdd abandon A1` (the tests of every open red are gone), then `ol tdd green A1`"


@pytest.mark.parametrize("before", [(RED,), (RED, GREEN, RED)])
def test_where_the_tests_of_every_open_red_are_gone_they_are_abandoned_first(before: tuple[Entry, ...]):
    (reason,) = judged(state(*before), GONE).reasons
    assert reason.next_step.startswith(ABANDON_FIRST)


@pytest.mark.parametrize(
    "functions", [{"test_a.py::test_x": "x2"}, {"test_b.py::test_x": "x1"}, {"test_a.py::test_new": "x1"}]
)
def test_a_test_that_was_edited_moved_or_renamed_is_not_gone(functions: dict[str, str]):
    (reason,) = judged(state(RED), FolderIdentity(functions, FOLDER.rests)).reasons
    assert reason.next_step == "`ol tdd green A1`."


def test_an_inherited_test_with_an_open_red_is_there_as_long_as_its_file_is():
    id = "test_a.py::TestB::test_inherited"
    record = FunctionRecord(FOLDER.hash_of(id), Outcome.FAILED, "assertion")
    journal = state(replace(RED, functions={id: record}))
    assert judged(journal).reasons[0].next_step == "`ol tdd green A1`."
    assert judged(journal, FolderIdentity({}, {})).reasons[0].next_step.startswith(ABANDON_FIRST)


def test_an_inherited_test_is_no_change_of_its_own():
    id = "test_a.py::TestB::test_inherited"
    green = replace(
        GREEN, functions={**GREEN.functions, id: FunctionRecord(FOLDER.hash_of(id), Outcome.PASSED)}
    )
    assert judged(state(RED, green)).verdict is Verdict.PASSED
    edited = FolderIdentity(FOLDER.functions, {**FOLDER.rests, "test_a.py": "r2"})
    assert judged(state(RED, green), edited).reasons[0].detail == ("test_a.py was edited",)


def test_each_file_with_tests_must_have_been_seen_red():
    folder = FolderIdentity(
        {**FOLDER.functions, "test_b.py::test_z": "z"}, {**FOLDER.rests, "test_b.py": "b"}
    )
    gate = judged(state(RED, GREEN, entry(Phase.REFACTOR, folder)), folder)
    assert slugs(gate) == ["journal-unseen-file"]
    assert "test_b.py" in gate.reasons[0].text
    assert "`ol tdd red A1`" in gate.reasons[0].next_step


@pytest.mark.parametrize(("share", "passes"), [(0.5, True), (0.51, False)])
def test_the_share_that_a_course_asks_for(share: float, passes: bool):
    gate = judged(state(RED, GREEN), share=share)
    assert (gate.verdict is Verdict.PASSED) == passes
    if not passes:
        assert slugs(gate) == ["journal-few-red"]
        assert gate.reasons[0].next_step.startswith("1 more: ")


def test_a_rename_that_was_tried_in_a_red_and_undone_costs_no_history():
    renamed = FolderIdentity({"test_a.py::test_other": "x1", "test_a.py::test_y": "y1"}, FOLDER.rests)
    later = entry(Phase.RED, renamed, failed=("test_a.py::test_y",))
    assert judged(state(RED, GREEN, later)).notes == ("2 tests: 1 seen red, 1 booked as refactor",)


def test_a_missing_snapshot_is_named():
    gate = judged(state(RED, GREEN, missing=("ab" * 32, "cd" * 32)))
    assert slugs(gate) == ["journal-object-missing"]
    assert f"journals/objects/ab/{'ab' * 32}" in gate.reasons[0].text
    assert gate.reasons[0].detail == (f"journals/objects/cd/{'cd' * 32}",)


def test_a_damaged_line_refuses_and_a_torn_one_does_not():
    fault = Fault("journals/A1/a.jsonl", 3, "was edited")
    assert slugs(judged(state(RED, GREEN, faults=(fault,)))) == ["journal-damaged"]
    gate = judged(state(RED, GREEN, faults=(replace(fault, torn=True),)))
    assert gate.verdict is Verdict.PASSED
    assert "never finished" in gate.notes[1]


def test_a_function_that_pytest_left_alone_is_not_counted():
    green = replace(GREEN, functions={**GREEN.functions, "test_a.py::test_y": FunctionRecord("y1")})
    assert judged(state(RED, green)).notes == ("1 test: 1 seen red, 0 booked as refactor",)


def test_the_line_of_the_report():
    assert SeenRed(14, 11, 3, 1).line == (
        "14 tests: 11 seen red (3 on the stub only, 1 in an earlier version), 3 booked as refactor"
    )
    assert SeenRed(14, 10, 10, 0).line == "14 tests: 10 seen red (10 on the stub only), 4 booked as refactor"


def test_seen_red_counts_histories():
    red = Red(state(RED).links[0], "test_a.py::test_x", "x1", "stub")
    histories = [History("x", "x1", None, (red,)), History("y", "y2", None, (red,)), History("z")]
    assert SeenRed.of(histories) == SeenRed(3, 2, 2, 1)


def test_the_log_tells_each_entry_and_what_is_open():
    lines = log_lines(state(RED, GREEN, replace(RED)))
    assert lines[0] == "2026-01-02 03:04  red       1 of 2 fail: test_a.py::test_x  [a]"
    assert lines[1] == "2026-01-02 03:04  green     2 pass  [a]"
    assert lines[3:] == ("open: test_a.py::test_x", "2 tests: 1 seen red, 1 booked as refactor")
    assert log_lines(state()) == ("Nothing is on record for A1.",)
