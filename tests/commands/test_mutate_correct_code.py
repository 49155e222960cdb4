"""Tests that reject correct code, or that are no suite, score nothing and are told why."""

from __future__ import annotations

from ol.domain.report import Verdict
from ol.domain.run import RunRequest
from ol.domain.suite import Exited, Outcome, SuiteRun
from tests.commands.mutate_desk import GIVEN, WHEAT, WHOLE, desk, gate
from tests.made import case, completed, crashed, failed


def test_tests_that_reject_the_reference_score_nothing_and_the_case_is_shown() -> None:
    found = gate(desk(GIVEN.replace("== 3", "== 4")))
    assert found.summary == "0/4 mutants, your tests fail on the reference"
    (reason,) = found.reasons
    assert reason.slug == "reference-rejects"
    assert reason.text == "test_a.py::test_top fails on the reference."
    assert "              assert top([1, 3, 2]) == 4" in reason.detail
    assert found.fields["score"] == 0.0


def test_tests_that_fail_before_their_first_line_say_so_and_not_that_they_expect_too_much() -> None:
    reasons = gate(
        desk(answer=lambda request: completed(failed("test_top", "fixture 'n' not found", "E")))
    ).reasons
    assert [reason.slug for reason in reasons] == ["test-never-began"]
    assert "contract" not in reasons[0].next_step


def test_no_line_of_the_reference_is_shown_and_nothing_that_was_printed() -> None:
    made = desk(GIVEN.replace("[1, 3, 2]", "[]"))
    (reason,) = gate(made).reasons
    shown = "\n".join(reason.detail)
    assert "IndexError" in shown
    assert "best = items[0]" not in shown


def test_tests_that_assume_more_than_the_contract_fail_on_a_wheat() -> None:
    found = gate(desk(WHOLE + "\ndef test_keyword():\n    assert add(x=1, y=2) == 3\n"))
    assert found.summary == "0/4 mutants, your tests fail on wheat w01"
    assert found.reasons[0].slug == "wheat-rejects"
    assert "contract does not promise" in found.reasons[0].next_step


def test_tests_that_look_at_names_fail_on_the_neutral_variant() -> None:
    def looks(request: RunRequest) -> SuiteRun:
        renamed = "total" not in request.sources["tiny.a1"] and request.sources["tiny.a1"] != WHEAT
        return (
            completed(case("test_a", Outcome.FAILED, exception="AssertionError"))
            if renamed
            else completed("test_a")
        )

    found = gate(desk(answer=looks), seed=5)
    assert found.summary == "0/4 mutants, your tests fail on a neutral variant (seed 5)"
    assert found.reasons[0].slug == "neutral-rejects"


def test_a_folder_without_a_test_is_refused() -> None:
    found = gate(desk({"conftest.py": "SIZE = 3\n"}))
    assert found.reasons[0].slug == "suite-empty"
    assert found.verdict is Verdict.FAILED


def test_a_suite_that_leaves_early_on_the_reference_is_refused() -> None:
    found = gate(desk(answer=lambda request: crashed(Exited(0), "test_a")))
    assert found.reasons[0].slug == "suite-crashed"


def test_forbidden_imports_are_named_before_anything_runs() -> None:
    made = desk("import inspect\n" + WHOLE)
    found = gate(made)
    assert found.verdict is Verdict.FAILED
    assert "test_a.py:1" in found.reasons[0].text
    assert made.runner.requests == []
