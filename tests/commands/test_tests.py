"""`ol tests`: a pass is the whole proof, and what keeps a run from beginning is said first."""

from __future__ import annotations

import pytest

from ol.commands.tests import debug
from ol.commands.tests import tests as run_tests
from ol.domain.errors import CourseWrong, NotReady, Tampered, WrongRequest
from ol.domain.exit_code import ExitCode
from ol.domain.report import Verdict
from ol.domain.suite import CaseResult, Exited, Outcome, SuiteRun
from ol.render.json import told
from ol.render.text import plain
from tests.commands.tests_desk import COURSE_TESTS, IN_TEST, IN_UNIT, UNIT, desk, report
from tests.fakes import ROOT, Desk
from tests.made import case, completed, crashed, failed, frames, module, texts


def test_a_pass_is_a_line_a_case_and_the_proof() -> None:
    found = report(completed("test_add[1]", "test_add[2]", "test_sub"))
    assert found.passed
    assert found.gates[0].notes == ("passed   test_add[1]", "passed   test_add[2]", "passed   test_sub")
    assert found.last_line == "A.1 PASSED — 2/2 course tests"


def test_passed_cases_of_one_test_are_a_line_for_the_reader_and_each_one_for_a_machine() -> None:
    found = report(completed("test_add[1]", failed("test_add[2]"), "test_add[3]", "test_sub[1]"))
    lines = plain(found).splitlines()
    assert lines[1:4] == ["  passed   test_add  2 cases", "  FAILED   test_add[2]", "  passed   test_sub[1]"]
    (gate,) = told(found).gates  # type: ignore[union-attr]
    assert gate.notes == (
        "passed   test_add[1]",
        "FAILED   test_add[2]",
        "passed   test_add[3]",
        "passed   test_sub[1]",
    )


def test_a_listed_test_that_neither_ran_nor_is_written_is_the_courses_fault() -> None:
    made = desk(completed(failed("test_add")))
    made.catalog.tests[made.module("A.1").id] = texts(
        {"test_x.py": COURSE_TESTS.partition("def test_sub")[0]}
    )
    with pytest.raises(CourseWrong, match=r"lists test_sub, and course/tests/A\.1 holds no such") as caught:
        run_tests(made.ports(), made.module("A.1"))
    assert caught.value.slug == "test-not-collected"


def test_a_test_that_ran_and_is_not_listed_is_the_courses_fault() -> None:
    made = desk(completed("test_add", "test_sub", failed("test_more")))
    more = f"{COURSE_TESTS}\ndef test_more():\n    assert False\n"
    made.catalog.tests[made.module("A.1").id] = texts({"test_x.py": more})
    with pytest.raises(CourseWrong, match=r"does not list test_more of course/tests/A\.1") as caught:
        run_tests(made.ports(), made.module("A.1"))
    assert caught.value.slug == "test-not-listed"


def test_a_listed_test_that_is_written_and_did_not_run_is_no_pass() -> None:
    (reason,) = report(completed("test_add")).gates[0].reasons
    assert (reason.slug, reason.text) == (
        "tests-incomplete",
        "Not exactly the tests of the manifest ran: missing test_sub.",
    )


def test_a_stub_is_not_attempted_per_name_and_nothing_runs() -> None:
    stub = "".join(
        f'def {name}(x, y):\n    raise NotImplementedError("A.1: {name} is not written yet")\n'
        for name in ("add", "sub")
    )
    made = desk(completed(), stub)
    found = run_tests(made.ports(), made.module("A.1"))
    assert found.exit_code is ExitCode.BLOCKED
    assert "add, sub" in found.gates[0].reasons[0].text
    assert made.runner.requests == []


def test_a_unit_partly_a_stub_fails_and_counts_what_waits_per_name_with_one_next_step() -> None:
    def waits(test: str, name: str) -> CaseResult:
        told = f"A.1: {name} is not written yet"
        seen = frames(IN_TEST, IN_UNIT)
        return case(test, Outcome.FAILED, exception="NotImplementedError", message=told, frames=seen)

    many = [waits(f"test_sub[{n}]", "sub") for n in range(40)]
    found = report(completed("test_add[1]", waits("test_add[2]", "add"), *many), ref_deps="all")
    assert found.exit_code is ExitCode.FAILED
    assert [(reason.text, reason.next_step) for reason in found.gates[0].reasons] == [
        (
            "add is not written yet: 1 case waits for it",
            "Write it next, then run `ol tests A.1 --ref-deps=all` again.",
        ),
        ("sub is not written yet: 40 cases wait for it", ""),
    ]
    assert found.gates[0].notes == ("passed   test_add[1]",)


def test_a_unit_that_does_not_parse_is_one_message_with_file_and_line() -> None:
    made = desk(completed(), "def add(x, y:\n")
    found = run_tests(made.ports(), made.module("A.1"))
    (reason,) = found.gates[0].reasons
    assert "a1.py:1" in reason.text
    assert made.runner.requests == []


def test_an_import_outside_the_contract_is_said_before_anything_runs() -> None:
    made = desk(completed(), "import torch\n" + UNIT)
    (reason,) = run_tests(made.ports(), made.module("A.1")).gates[0].reasons
    assert "torch" in reason.text
    assert made.runner.requests == []


@pytest.mark.parametrize(
    "run",
    [
        completed("test_add"),
        completed("test_add", case("test_sub", Outcome.SKIPPED)),
        completed("test_add", "test_sub", deselected=1),
        completed("test_add", "test_sub", "test_more"),
        crashed(Exited(0), "test_add", "test_sub"),
        completed(),
    ],
)
def test_no_pass_without_the_whole_proof_and_always_a_reason(run: SuiteRun) -> None:
    gate = report(run).gates[0]
    assert gate.verdict is Verdict.FAILED
    assert gate.reasons


def test_a_keyword_runs_and_judges_a_part() -> None:
    made = desk(completed("test_add", deselected=1))
    found = run_tests(made.ports(), made.module("A.1"), keyword="add")
    assert found.last_line == "A.1 PASSED — 1/1 course tests selected of 2"
    assert made.runner.requests[0].keyword == "add"


def test_a_keyword_that_matches_nothing_is_a_wrong_request() -> None:
    with pytest.raises(WrongRequest, match="zzz"):
        report(completed(deselected=2), keyword="zzz")


def test_smoke_selects_the_smoke_tests_of_the_manifest() -> None:
    made = desk(completed("test_add", deselected=1))
    assert run_tests(made.ports(), made.module("A.1"), smoke=True).passed
    assert made.runner.requests[0].select == ("test_x.py::test_add",)


def test_a_changed_course_stops_everything_first() -> None:
    made = desk(completed("test_add", "test_sub"))
    made.catalog.changed = ("course/tests/A.1/test_x.py",)
    with pytest.raises(Tampered, match=r"test_x\.py"):
        run_tests(made.ports(), made.module("A.1"))


def test_a_module_without_course_tests_is_a_wrong_request() -> None:
    made = Desk.of(module("A.1", tests=()))
    with pytest.raises(WrongRequest):
        run_tests(made.ports(), made.module("A.1"))


def test_debug_hands_the_terminal_to_pytest_on_the_real_files_and_grades_nothing() -> None:
    made = desk(completed())
    page = debug(made.ports(), made.module("A.1"), keyword="add", arguments=("-x",))
    assert made.foreground.calls == [(("--pdb", "-k", "add", "-x"), (ROOT / "course" / "tests" / "A.1",))]
    assert page.exit_code is ExitCode.PASSED
    assert made.runner.requests == []


def test_debug_of_a_module_that_is_not_started_says_so() -> None:
    made = desk(completed())
    made.workspace.units.clear()
    with pytest.raises(NotReady):
        debug(made.ports(), made.module("A.1"))
