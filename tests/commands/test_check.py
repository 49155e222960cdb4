"""`ol check`: every gate, told in the order of its rung, and one sentence at the end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ol.commands.check import Options, check
from ol.commands.steps import gates
from ol.domain.course import CourseModule
from ol.domain.errors import NotReady, Tampered
from ol.domain.exit_code import ExitCode
from ol.domain.report import GateResult, Report, Verdict
from ol.ports import Ports
from tests.commands.check_desk import (
    BELOW,
    CONTRACTS,
    STUB,
    UNIT,
    WRONG,
    answer,
    checked,
    desk,
    texts_of,
    verdicts,
)
from tests.fakes import Desk
from tests.made import module


@pytest.fixture(autouse=True)
def complete_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal's own judgement is tested with the journal."""

    def judged(ports: Ports, module: CourseModule) -> GateResult:
        return GateResult("journal", Verdict.PASSED, "journal complete")

    monkeypatch.setattr(gates, "journal_gate", judged)


def test_tests_that_no_run_sees_are_one_note_and_decide_nothing() -> None:
    made = desk()
    made.workspace.suites[made.module("A.2").id]["more.py"] = "def test_x():\n    assert True\n"
    report = check(made.ports(), made.module("A.2"), Options(jobs=1))
    assert report.passed
    (told,) = [note for note in report.notes if "passed over" in note]
    assert told.startswith("python/tests/a-2/more.py is passed over")


def test_a_whole_pass_is_every_gate_and_one_sentence() -> None:
    report = checked(desk())
    assert list(verdicts(report)) == ["contract", "needs", "course tests", "journal", "mutation"]
    assert report.exit_code is ExitCode.PASSED
    assert report.last_line == (
        "A.2 PASSED — 2/2 course tests, journal complete, 2/2 mutants (1.00 ≥ 0.70), s01 killed"
    )


def test_a_wrong_unit_fails_its_course_tests_and_the_other_gates_still_run() -> None:
    report = checked(desk(unit=WRONG))
    assert verdicts(report) == {
        "contract": "passed",
        "needs": "passed",
        "course tests": "failed",
        "journal": "passed",
        "mutation": "passed",
    }
    assert report.exit_code is ExitCode.FAILED
    assert "the same on the reference's needs: the fault is in your A.2" in texts_of(report, "course tests")


def test_a_signature_that_differs_breaks_the_contract_and_the_rest_still_runs() -> None:
    report = checked(desk(unit=UNIT.replace("def three()", "def three(n=0)")))
    assert verdicts(report)["contract"] == "failed"
    assert verdicts(report)["mutation"] == "passed"
    assert "contract broken" in report.last_line
    assert report.exit_code is ExitCode.FAILED


def test_an_import_outside_the_contract_breaks_it_too() -> None:
    assert "torch" in texts_of(checked(desk(unit="import torch\n" + UNIT)), "contract")


def test_a_broken_need_blocks_only_the_course_tests_and_the_fault_is_told_to_be_there() -> None:
    report = checked(desk(below="def one():\n    return 7\n"))
    assert verdicts(report) == {
        "contract": "passed",
        "needs": "blocked",
        "course tests": "blocked",
        "journal": "passed",
        "mutation": "passed",
    }
    assert report.exit_code is ExitCode.BLOCKED
    assert "A.2 is right; the fault is in your A.1." in texts_of(report, "course tests")
    assert report.last_line == "A.2 BLOCKED — needs A.1, course tests blocked"


@pytest.mark.parametrize("left", [None, STUB.replace("A.2", "A.1").replace("two", "one")])
@pytest.mark.parametrize("graded", [True, False])
def test_a_need_that_is_not_there_is_at_no_fault_and_nobody_s(left: str | None, graded: bool) -> None:
    made = desk(below=left or "")
    if left is None:
        del made.workspace.units["a1.py"]
    if not graded:
        ungraded = module("A.1", tests=())
        made.catalog.course = replace(
            made.catalog.course, modules={**made.catalog.course.modules, ungraded.id: ungraded}
        )
    report = checked(made)
    told = "A.2 is right on the reference's needs; yours are not there: A.1."
    assert texts_of(report, "course tests") == told
    assert report.last_line == "A.2 BLOCKED — needs A.1, course tests blocked"
    assert "A.1" not in report.sources


def test_a_broken_need_below_a_wrong_unit_tells_of_both() -> None:
    report = checked(desk(below="def one():\n    return 7\n", unit=WRONG))
    assert "A.2 is not right yet either" in texts_of(report, "course tests")


def test_ref_deps_takes_the_reference_and_the_last_line_says_so() -> None:
    report = checked(desk(below="def one():\n    return 7\n"), ref_deps="failing")
    assert report.passed
    assert report.last_line.endswith("[assisted: A.1 from the reference]")


def test_an_unverified_need_at_fault_is_found_by_the_reference() -> None:
    made = desk(below="def one():\n    return 7\n")
    ungraded = module("A.1", tests=())
    modules = {**made.catalog.course.modules, ungraded.id: ungraded}
    made.catalog.course = replace(made.catalog.course, modules=modules)
    report = checked(made)
    assert verdicts(report)["course tests"] == "failed"
    assert "A.2 is right; the fault is in your A.1." in texts_of(report, "course tests")
    assert report.unverified == (ungraded.id,)


def test_a_stub_is_blocked() -> None:
    report = checked(desk(unit=STUB))
    assert verdicts(report)["course tests"] == "blocked"
    assert report.exit_code is ExitCode.BLOCKED


def test_a_module_that_is_not_started_is_blocked_at_once() -> None:
    made = desk()
    del made.workspace.units["a2.py"]
    with pytest.raises(NotReady):
        checked(made)


def test_without_tests_of_ones_own_mutation_is_blocked_and_the_rest_runs() -> None:
    made = desk()
    made.workspace.suites = {}
    report = checked(made)
    assert verdicts(report)["mutation"] == "blocked"
    assert verdicts(report)["course tests"] == "passed"


def test_a_rung_that_asks_for_no_journal_and_no_mutants_omits_those_gates() -> None:
    assert list(verdicts(checked(desk(rung="R0")))) == ["contract", "needs", "course tests"]


def test_a_module_without_course_tests_never_passes() -> None:
    made = Desk.of(module("A.1", rung="R0", tests=()), answer=answer)
    made.catalog.contracts, made.workspace.units = CONTRACTS, {"a1.py": BELOW}
    report = check(made.ports(), made.module("A.1"))
    assert not report.passed
    assert report.exit_code is ExitCode.BLOCKED


def test_a_changed_course_file_is_told_before_anything_runs() -> None:
    made = desk()
    made.catalog.changed = ("course/tests/A.2/test_b.py",)
    with pytest.raises(Tampered):
        checked(made)
    assert made.runner.requests == []


def test_files_that_git_does_not_hold_are_counted_with_the_command_that_adds_them() -> None:
    made = desk()
    made.workspace.not_in_git = ("journals/objects/0a", "journals/a1.jsonl", "python/tiny/a1.py")
    assert checked(made).notes == (
        "3 files under journals/ and python/ are not in git yet: `git add journals python && git commit`",
    )
    made.workspace.not_in_git = ("python/tiny/a1.py",)
    assert checked(made).notes == ("1 file under python/ is not in git yet: `git add python && git commit`",)
    made.workspace.not_in_git = None
    assert any("no git repository" in note for note in checked(made).notes)
    made.workspace.not_in_git = ()
    assert checked(made).notes == ()


def cached_gates(report: Report) -> list[str]:
    return [gate.gate for gate in report.gates if gate.cached]


def test_needs_and_mutation_are_remembered_and_with_cached_the_course_tests_too() -> None:
    made = desk()
    assert cached_gates(checked(made)) == []
    assert cached_gates(checked(made)) == ["mutation"]
    again = checked(made, cached=True)
    assert cached_gates(again) == ["course tests", "mutation"]
    assert again.last_line == checked(made).last_line


def test_a_remembered_failure_is_run_again_for_its_detail() -> None:
    made = desk(unit=WRONG)
    checked(made)
    again = checked(made, cached=True)
    assert "test_three" in texts_of(again, "course tests")
    assert cached_gates(again) == ["mutation"]


def test_no_cache_runs_everything_afresh_and_remembers_for_later() -> None:
    made = desk()
    checked(made)
    before = len(made.runner.requests)
    assert cached_gates(checked(made, fresh=True)) == []
    assert len(made.runner.requests) - before == before
