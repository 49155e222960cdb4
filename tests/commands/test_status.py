"""`ol status`: every module's state, from files and what is remembered."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ol.commands.status import status
from ol.commands.steps.passing import course_run, remember
from ol.commands.steps.sources import survey
from ol.commands.steps.standing import State, standings
from ol.domain.errors import WorkRefused
from ol.domain.journal.entry import JournalState
from ol.domain.report import Page, Source
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from tests.fakes import Desk
from tests.made import completed, failed, module

STUB = 'def f():\n    raise NotImplementedError("A.1: f is not written yet")\n'
GOOD = "def f():\n    return 1\n"
BAD = "def f():\n    return 2\n"
CONTRACT = "def f() -> int: ...\n"
UNITS = ("a1.py", "a2.py", "a3.py")


def passes_unless_bad(request: RunRequest) -> SuiteRun:
    return completed(failed("test_it")) if BAD in request.sources.values() else completed("test_it")


def desk(units: Mapping[str, str], *, graded: bool = True) -> Desk:
    """A.1 <- A.2 <- A.3 of a rung that asks for a journal; `units` are the student's."""
    more = {} if graded else {"tests": ()}
    modules = (module("A.1", **more), module("A.2", needs=("A.1",), **more), module("A.3", needs=("A.2",)))
    made = Desk.of(*modules, answer=passes_unless_bad)
    made.catalog.references = dict.fromkeys(UNITS, GOOD + "# the reference\n")
    made.catalog.contracts = dict.fromkeys(UNITS, CONTRACT)
    made.workspace.units = dict(units)
    made.journal.states = {each.id: JournalState(each.id) for each in modules}
    return made


def state_of(made: Desk, id: str) -> State:
    course = made.catalog.course
    return standings(made.ports(), course.in_order())[course.module(id).id].state


def lines(made: Desk) -> tuple[str, ...]:
    page = status(made.ports())
    assert isinstance(page, Page) and made.runner.requests == []
    return page.lines


@pytest.mark.parametrize(
    ("units", "state"),
    [
        ({}, State.NOT_STARTED),
        ({"a1.py": STUB}, State.STUB),
        ({"a1.py": "def f(:\n"}, State.UNREADABLE),
        ({"a1.py": GOOD}, State.STALE),
    ],
)
def test_a_module_s_state_is_read_from_its_files(units: Mapping[str, str], state: State) -> None:
    assert state_of(desk(units), "A.1") is state


def test_a_module_partly_written_is_unfinished() -> None:
    made = desk({"a1.py": STUB})
    made.catalog.contracts["a1.py"] = CONTRACT + "def g() -> int: ...\n"
    made.workspace.units["a1.py"] += "def g(): return 1\n"
    assert state_of(made, "A.1") is State.UNFINISHED
    assert any("1 of 2 functions to write" in line for line in lines(made))


def test_a_journal_that_may_not_be_read_is_told_beside_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    made = desk({"a1.py": GOOD})

    def refused(id: str) -> JournalState:
        raise WorkRefused("unreadable", f"journals/{id} cannot be read: Permission denied.")

    monkeypatch.setattr(made.journal, "read", refused)
    assert any(
        "journals/A.1 cannot be read: Permission denied; no mutation grade" in line for line in lines(made)
    )


def test_a_module_without_course_tests_is_unverified() -> None:
    assert state_of(desk({"a1.py": GOOD}, graded=False), "A.1") is State.UNVERIFIED


@pytest.mark.parametrize(("unit", "state"), [(GOOD, State.PASSING), (BAD, State.FAILING)])
def test_what_was_found_out_once_is_known_for_these_files_and_no_others(unit: str, state: State) -> None:
    made = desk({"a1.py": unit, "a2.py": GOOD, "a3.py": GOOD})
    survey(made.ports(), made.module("A.3"), "failing")
    assert state_of(made, "A.1") is state
    made.workspace.units["a1.py"] += "# edited\n"
    assert state_of(made, "A.1") is State.STALE


def test_a_module_that_passes_on_the_reference_of_a_need_is_assisted() -> None:
    made = desk({"a1.py": BAD, "a2.py": GOOD, "a3.py": GOOD})
    survey(made.ports(), made.module("A.3"), "failing")
    found = standings(made.ports(), made.catalog.course.in_order())[made.module("A.2").id]
    assert (found.state, found.told) == (State.ASSISTED, "with A.1 from the reference")


def test_a_need_that_is_assisted_is_the_student_s_own_as_it_is_in_a_run() -> None:
    made = desk({"a2.py": GOOD, "a3.py": GOOD})
    ran = survey(made.ports(), made.module("A.3"), "failing")
    course_run_of(made, "A.3", ran.units)
    found = standings(made.ports(), made.catalog.course.in_order())[made.module("A.3").id]
    assert (found.state, found.told) == (State.ASSISTED, "with A.1 from the reference")


@pytest.mark.parametrize("named", ["all", "A.1,A.2", "A.2"])
def test_needs_that_start_was_told_to_lend_are_lent_though_they_pass(named: str) -> None:
    made = desk(dict.fromkeys(UNITS, GOOD))
    made.workspace.remember_start(made.module("A.3").id, named)
    ran = survey(made.ports(), made.module("A.3"))
    course_run_of(made, "A.3", ran.units)
    found = standings(made.ports(), made.catalog.course.in_order())[made.module("A.3").id]
    told = [id for id, source in ran.origin.items() if source is Source.REFERENCE]
    assert (found.state, found.told) == (State.ASSISTED, f"with {', '.join(told)} from the reference")


def course_run_of(made: Desk, id: str, units: Mapping[str, str]) -> None:
    """As `ol tests` does: run, and remembered of these units."""
    module = made.module(id)
    remember(made.ports(), module, units, course_run(made.ports(), module, units))


def test_the_page_is_the_graph_with_a_line_a_module_and_runs_nothing() -> None:
    assert lines(desk({"a1.py": STUB, "a2.py": GOOD})) == (
        "A tiny course, 1",
        "",
        "◐      A.1    R3  stub         Module A.1",
        "│                 1 of 1 functions to write; no journal yet; no mutation grade of these tests yet",
        "└─◐    A.2    R3  stale        Module A.2",
        "  │               not run as it is now; no journal yet; no mutation grade of these tests yet; waits for A.1",
        "  └─○  A.3    R3  not started  Module A.3",
        "",
        "A.1 holds up A.2, A.3",
        "next   ol tests A.1",
    )


def test_what_waits_for_a_need_that_is_not_done_leads_to_that_need() -> None:
    made = desk({"a1.py": STUB, "a2.py": STUB})
    made.workspace.remember_start(made.module("A.2").id, None)
    assert "next   ol tests A.1" in lines(made)
    page = status(made.ports())
    assert [each["waits_for"] for each in page.fields["modules"]] == [[], ["A.1"], ["A.1"]]


def test_with_the_reference_in_the_place_of_needs_nothing_waits() -> None:
    made = desk({"a1.py": STUB, "a2.py": STUB})
    made.workspace.remember_start(made.module("A.2").id, "failing")
    assert "next   ol tests A.2" in lines(made)


def test_a_module_that_passed_before_a_change_says_so() -> None:
    made = desk({"a1.py": GOOD, "a2.py": GOOD, "a3.py": GOOD})
    survey(made.ports(), made.module("A.3"))
    made.workspace.units["a1.py"] = BAD
    survey(made.ports(), made.module("A.3"))
    made.runner.requests.clear()
    (told,) = [line for line in lines(made) if "passed before" in line or "before your change" in line]
    assert "0/1 course tests pass, and all did before your change of a1.py" in told


@pytest.mark.parametrize(
    ("units", "next_"),
    [({}, "ol start A.1"), ({"a1.py": STUB}, "ol tests A.1"), ({"a1.py": GOOD}, "ol check A.1")],
)
def test_what_to_take_next_is_the_first_that_is_not_done(units: Mapping[str, str], next_: str) -> None:
    assert f"next   {next_}" in lines(desk(units))


def test_what_was_started_last_and_passes_is_next_until_its_journal_and_grade_are_complete() -> None:
    made = desk({"a1.py": BAD, "a2.py": GOOD, "a3.py": GOOD})
    survey(made.ports(), made.module("A.3"), "failing")
    made.workspace.remember_start(made.module("A.2").id, "failing")
    made.runner.requests.clear()
    assert state_of(made, "A.2") is State.ASSISTED
    assert "next   ol check A.2" in lines(made)


@pytest.mark.parametrize("unit", [STUB, "def f(:\n"])
def test_course_tests_are_never_suggested_where_there_are_none(unit: str) -> None:
    made = desk({"a1.py": unit}, graded=False)
    made.workspace.remember_start(made.module("A.1").id, None)
    assert "next   ol check A.1" in lines(made)


def test_a_course_all_written_says_so() -> None:
    made = Desk.of(module("A.1", tests=(), rung="R0"))
    made.catalog.contracts["a1.py"], made.workspace.units["a1.py"] = CONTRACT, GOOD
    assert "next   every module is written; `ol check ID` grades one" in lines(made)


def test_the_fields_hold_the_same_for_machines() -> None:
    page = status(desk({"a1.py": STUB}).ports())
    assert [each["state"] for each in page.fields["modules"]] == ["stub", "not started", "not started"]


def test_a_tampered_course_is_a_remark() -> None:
    made = desk({})
    made.catalog.changed = ("course/course.toml",)
    assert lines(made)[-1] == "note: Course files differ from course.lock: course/course.toml."
