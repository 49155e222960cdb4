from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone

from ol.domain.course import ModuleId
from ol.domain.journal.entry import Entry, FunctionRecord, Link, Phase
from ol.domain.journal.history import followed, story
from ol.domain.suite import Outcome

START = datetime(2026, 1, 2, tzinfo=timezone.utc)
FAILED, PASSED, NOT_RUN = Outcome.FAILED, Outcome.PASSED, Outcome.NOT_RUN


def entry(phase: Phase, **functions: tuple[str, Outcome] | tuple[str, Outcome, str]) -> Entry:
    """Functions by bare name: hash, outcome, cause."""
    records = {
        f"test_a.py::{name}": FunctionRecord(
            hash, outcome, *(cause or (["assertion"] if outcome is FAILED else []))
        )
        for name, (hash, outcome, *cause) in functions.items()
    }
    return Entry(at=START, module=ModuleId("A1"), phase=phase, functions=records)


def in_a_row(
    *entries: Entry, chain: str = "a", past: dict[str, int] | None = None, seq: int = 0
) -> list[Link]:
    links = []
    for each in entries:
        seq += 1
        at = START + timedelta(minutes=seq)
        links.append(
            Link(chain, f"{chain}{seq}", replace(each, seq=seq, at=at), {**(past or {}), chain: seq})
        )
    return links


def test_a_function_is_followed_by_name_and_hash_then_by_a_hash_of_its_own_then_by_name():
    before = {"test_a.py::test_1": "h1", "test_a.py::test_2": "h2", "test_a.py::test_3": "h3"}
    now = {"test_b.py::test_1": "h1", "test_a.py::test_9": "h2", "test_a.py::test_3": "edited"}
    assert followed(before, now) == {
        "test_b.py::test_1": "test_a.py::test_1",
        "test_a.py::test_9": "test_a.py::test_2",
        "test_a.py::test_3": "test_a.py::test_3",
    }


def test_a_copy_has_no_history_of_its_own():
    assert followed({"test_a.py::test_1": "h"}, {"test_a.py::test_1": "h", "test_b.py::test_2": "h"}) == {
        "test_a.py::test_1": "test_a.py::test_1"
    }


def test_two_functions_with_one_body_keep_their_names_in_a_renamed_file():
    before = {"test_a.py::test_1": "h", "test_a.py::test_2": "h"}
    now = {"test_b.py::test_1": "h", "test_b.py::test_2": "h"}
    assert followed(before, now) == {
        "test_b.py::test_1": "test_a.py::test_1",
        "test_b.py::test_2": "test_a.py::test_2",
    }


def test_a_hash_that_two_share_is_no_trace():
    before = {"test_a.py::test_1": "h", "test_a.py::test_2": "h"}
    assert followed(before, {"test_b.py::test_8": "h", "test_b.py::test_9": "h"}) == {}


def test_a_new_test_under_an_old_name_does_not_take_the_history_that_moved_on():
    before = {"test_a.py::test_1": "h1"}
    assert followed(before, {"test_a.py::test_1": "new", "test_a.py::test_2": "h1"}) == {
        "test_a.py::test_2": "test_a.py::test_1"
    }


def test_a_green_closes_the_reds_that_it_saw_pass():
    told = story(
        in_a_row(entry(Phase.RED, x=("h", FAILED)), entry(Phase.GREEN, x=("h", PASSED), y=("i", PASSED)))
    )
    assert not told.open
    assert told.of("test_a.py::x").seen_red
    assert not told.of("test_a.py::y").seen_red


def test_a_refactor_closes_nothing():
    told = story(in_a_row(entry(Phase.RED, x=("h", FAILED)), entry(Phase.REFACTOR, x=("h", PASSED))))
    assert [history.id for history in told.open] == ["test_a.py::x"]


def test_an_abandoned_red_counts_for_nothing():
    told = story(
        in_a_row(
            entry(Phase.RED, x=("h", FAILED)),
            entry(Phase.ABANDON, x=("h", NOT_RUN)),
            entry(Phase.GREEN, x=("h", PASSED)),
        )
    )
    assert not told.of("test_a.py::x").seen_red


def test_an_abandon_leaves_what_a_green_closed_before():
    told = story(
        in_a_row(
            entry(Phase.RED, x=("h", FAILED)),
            entry(Phase.GREEN, x=("h", PASSED)),
            entry(Phase.RED, x=("h", FAILED)),
            entry(Phase.ABANDON, x=("h", NOT_RUN)),
        )
    )
    assert not told.open
    assert told.of("test_a.py::x").seen_red


def test_an_edit_afterwards_is_an_earlier_version_until_the_new_one_is_seen_red():
    edited = in_a_row(
        entry(Phase.RED, x=("h1", FAILED)),
        entry(Phase.GREEN, x=("h1", PASSED)),
        entry(Phase.REFACTOR, x=("h2", PASSED)),
    )
    assert story(edited).of("test_a.py::x").earlier_version
    more = in_a_row(entry(Phase.RED, x=("h2", FAILED)), entry(Phase.GREEN, x=("h2", PASSED)), seq=3)
    assert not story(edited + more).of("test_a.py::x").earlier_version


def test_stub_only_until_a_red_of_another_cause():
    stub = in_a_row(entry(Phase.RED, x=("h", FAILED, "stub")), entry(Phase.GREEN, x=("h", PASSED)))
    assert story(stub).of("test_a.py::x").stub_only
    more = in_a_row(entry(Phase.RED, x=("h", FAILED, "unit")), entry(Phase.GREEN, x=("h", PASSED)), seq=2)
    assert not story(stub + more).of("test_a.py::x").stub_only


def test_a_green_drops_the_open_reds_of_tests_that_are_gone_and_they_can_not_come_back_closed():
    told = story(
        in_a_row(
            entry(Phase.RED, x=("h", FAILED), y=("i", FAILED)),
            entry(Phase.GREEN, x=("h", PASSED)),
            entry(Phase.REFACTOR, x=("h", PASSED), y=("i", PASSED)),
        )
    )
    assert not told.open
    assert not told.of("test_a.py::y").seen_red


def test_a_test_taken_out_and_put_back_keeps_what_was_seen_of_it():
    told = story(
        in_a_row(
            entry(Phase.RED, x=("h", FAILED), y=("i", FAILED)),
            entry(Phase.GREEN, x=("h", PASSED), y=("i", PASSED)),
            entry(Phase.REFACTOR, x=("h", PASSED)),
            entry(Phase.REFACTOR, x=("h", PASSED), y=("i", PASSED)),
        )
    )
    assert told.of("test_a.py::y").seen_red


def test_a_green_of_another_clone_neither_closes_nor_drops_what_it_did_not_know():
    mine = in_a_row(entry(Phase.RED, x=("h", FAILED)))
    other = in_a_row(entry(Phase.RED, z=("k", FAILED)), entry(Phase.GREEN, z=("k", PASSED)), chain="b")
    told = story([mine[0], *other])
    assert [history.id for history in told.open] == ["test_a.py::x"]
    both = entry(Phase.GREEN, x=("h", PASSED), z=("k", PASSED))
    merged = in_a_row(both, past={"b": 2}, seq=1)
    assert not story([mine[0], *other, *merged]).open
    assert story([mine[0], *other, *merged]).of("test_a.py::x").seen_red


def test_an_abandon_of_another_clone_drops_nothing_that_it_did_not_know():
    mine = in_a_row(entry(Phase.RED, x=("h", FAILED)))
    other = in_a_row(entry(Phase.ABANDON, x=("h", NOT_RUN)), chain="b")
    assert [history.id for history in story([*mine, *other]).open] == ["test_a.py::x"]


def test_a_green_that_did_not_run_a_test_closes_nothing_of_it():
    told = story(in_a_row(entry(Phase.RED, x=("h", FAILED)), entry(Phase.GREEN, x=("h", NOT_RUN))))
    assert not told.open
    assert not told.of("test_a.py::x").seen_red


def test_a_rename_and_a_later_edit_keep_the_history():
    told = story(
        in_a_row(
            entry(Phase.RED, x=("h1", FAILED)),
            entry(Phase.GREEN, renamed=("h1", PASSED)),
            entry(Phase.REFACTOR, renamed=("h2", PASSED)),
        )
    )
    assert told.of("test_a.py::renamed").seen_red
    assert not told.of("test_a.py::x").seen_red
