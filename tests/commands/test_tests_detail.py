"""A failure is told in full once: what was asked, where it broke, what was printed, and how to run it again."""

from __future__ import annotations

from ol.commands.tests import tests as run_tests
from ol.domain.suite import CollectionError, Facts, Frame, TimedOut
from tests.commands.tests_desk import ASKED, CONTRACT, IN_TEST, IN_UNIT, UNIT, report
from tests.fakes import Desk
from tests.made import completed, crashed, failed, frames, module


def test_the_first_failure_in_the_manifests_order_has_the_detail_and_the_others_a_line() -> None:
    wrong = (
        failed("test_sub", "assert 0 == -1"),
        failed(
            "test_add", "assert -1 == 3\n +  where -1 = add(1, 2)", frames=frames(IN_TEST), output="x is 1\n"
        ),
    )
    first, second = report(completed(*wrong)).gates[0].reasons
    assert first.text == "test_add: assert -1 == 3"
    assert first.detail == (
        " +  where -1 = add(1, 2)",
        "your code python/tiny/a1.py: add (line 1)",
        "the test  course/tests/A.1/test_x.py:2, in test_add",
        "              assert add(1, 2) == 3",
        "it printed",
        "              x is 1",
        "why       every sum is made of it",
        "next      Compare what the test asks for with the contract and the chapter.",
        "again     ol tests A.1 -k test_add",
    )
    assert (second.text, second.detail) == ("test_sub: assert 0 == -1", ())


def test_all_shows_the_detail_of_every_failure() -> None:
    found = report(completed(failed("test_add"), failed("test_sub")), show_all=True)
    assert all(reason.detail for reason in found.gates[0].reasons)


def test_the_students_own_line_is_shown() -> None:
    wrong = failed("test_add", "bad", "ValueError", frames=frames(IN_TEST, IN_UNIT))
    detail = report(completed(wrong, "test_sub")).gates[0].reasons[0].detail
    assert "your line python/tiny/a1.py:2, in add" in detail
    assert "              return x - y" in detail


def test_a_detail_keeps_to_25_lines_whatever_is_said_and_printed() -> None:
    loud = failed(
        "test_add",
        "\n".join("m" * 500 for _ in range(99)),
        output="p\n" * 999,
        frames=frames(IN_TEST, IN_UNIT),
    )
    detail = report(completed(loud, "test_sub")).gates[0].reasons[0].detail
    assert len(detail) <= 25
    assert max(map(len, detail)) <= 160
    assert detail[-1] == "again     ol tests A.1 -k test_add"


def test_a_unit_that_cannot_be_imported_is_one_message_with_its_line() -> None:
    facts = Facts("NameError", message="name 'np' is not defined", frames=frames(IN_TEST, IN_UNIT))
    run = completed(
        collection_errors=(CollectionError("test_x.py", facts), CollectionError("test_y.py", facts))
    )
    (reason,) = report(run).gates[0].reasons
    assert "name 'np' is not defined" in reason.text
    assert reason.detail == ("there     python/tiny/a1.py:2, in add", "              return x - y")


def test_a_time_out_shows_the_case_and_the_line_where_it_stood() -> None:
    stuck = TimedOut(20.0, "case", (Frame(*IN_TEST), Frame(*IN_UNIT)))
    found = report(crashed(stuck, "test_sub", running="test_x.py::test_add"))
    assert not found.passed
    assert "test_add" in found.gates[0].reasons[0].text
    assert "              return x - y" in found.gates[0].reasons[0].detail


def test_the_command_that_runs_only_it_again_keeps_the_option() -> None:
    made = Desk.of(module("A.0"), module("A.1", tests=ASKED, needs=("A.0",)))
    made.runner.answer = lambda request: completed(failed("test_add"), "test_sub")
    made.catalog.contracts = {"a0.py": "", "a1.py": CONTRACT}
    made.catalog.references = {"a0.py": ""}
    made.workspace.units["a1.py"] = UNIT
    found = run_tests(made.ports(), made.module("A.1"), ref_deps="all")
    assert found.gates[0].reasons[0].detail[-1] == "again     ol tests A.1 --ref-deps=all -k test_add"
