from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

from ol.domain.course import ModuleId
from ol.domain.journal.entry import Entry, FunctionRecord, Link, Phase, UnitRecord
from ol.domain.journal.green import Open, why_no_green, why_not_all_pass
from ol.domain.journal.history import story
from ol.domain.suite import Outcome, Stage
from ol.domain.telling.listing import Listing
from tests.made import case, completed, failed

A1 = ModuleId("A1")
NOTHING = Listing({}, {})
RED = Entry(
    at=datetime(2026, 1, 2, tzinfo=timezone.utc),
    module=A1,
    phase=Phase.RED,
    functions={
        "test_x.py::test_a": FunctionRecord("a", Outcome.FAILED, "assertion"),
        "test_x.py::test_b": FunctionRecord("b", Outcome.FAILED, "assertion"),
    },
    units={"tiny.a1": UnitRecord("1", "1")},
    seq=1,
)
STORY = story([Link("c", "c1", RED, {"c": 1})])


def passing(**outcomes: Outcome) -> Entry:
    functions = {
        f"test_x.py::test_{name}": FunctionRecord(name, outcome) for name, outcome in outcomes.items()
    }
    return replace(RED, phase=Phase.GREEN, functions=functions, units={"tiny.a1": UnitRecord("2", "2")})


@pytest.mark.parametrize(
    ("run", "slug"),
    [
        (completed("test_a", failed("test_b")), "green-failing"),
        (completed("test_a", case("test_b", Outcome.ERROR, Stage.TEARDOWN)), "green-failing"),
        (completed("test_a", case("test_b", Outcome.SKIPPED)), "green-not-proved"),
        (completed("test_a", case("test_b", Outcome.XFAILED)), "green-not-proved"),
        (completed("test_a", case("test_b", Outcome.XPASSED)), "green-not-proved"),
        (completed("test_a", case("test_b", Outcome.NOT_RUN)), "green-not-proved"),
        (completed("test_a", deselected=1), "green-deselected"),
    ],
)
def test_a_green_is_every_case_passed_and_none_left_out(run, slug: str):
    reason = why_not_all_pass(run, NOTHING)
    assert reason is not None
    assert (reason.slug, bool(reason.next_step)) == (slug, True)


def test_all_passed_is_enough():
    assert why_not_all_pass(completed("test_a", "test_b"), NOTHING) is None


def test_a_test_that_pytest_did_not_run_is_gone():
    found = Open.of(STORY, passing(a=Outcome.PASSED, b=Outcome.NOT_RUN))
    assert [history.id for history in found.present] == ["test_x.py::test_a"]
    assert [history.id for history in found.gone] == ["test_x.py::test_b"]
    assert found.phase is Phase.GREEN


def test_one_open_red_must_remain():
    now = passing(c=Outcome.PASSED)
    reason = why_no_green(A1, Open.of(STORY, now), now)
    assert reason is not None
    assert reason.slug == "green-none-left"
    assert why_no_green(A1, Open.of(STORY, passing(a=Outcome.PASSED)), passing(a=Outcome.PASSED)) is None


def test_without_an_open_red_it_is_a_refactor():
    now = passing(c=Outcome.PASSED)
    found = Open.of(story([]), now)
    assert (found.phase, found.present, found.gone) == (Phase.REFACTOR, (), ())
    assert why_no_green(A1, found, now) is None
