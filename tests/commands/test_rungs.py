"""What start, tests, tdd, mutate, hint and check do on the rungs that ask for less than R3."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.commands import tdd
from ol.commands.hint import hint
from ol.commands.mutate import mutate
from ol.domain.errors import NotReady, WrongRequest
from ol.domain.exit_code import ExitCode
from ol.domain.report import GateResult, Page, Report, Verdict
from tests.commands.ladder_world import FILLED, WRITTEN, Climber, gates, slugs

F1_TESTS, F2_TESTS = "python/tests/f1-draws/test_draws.py", "python/tests/f2-middle/test_middle.py"
ODD = "    assert middle([7.0, 1.0, 2.0]) == 2.0\n"
EVEN = "    assert middle([7.0, 1.0, 2.0, 4.0]) == 3.0\n"
NONE = "    with pytest.raises(ValueError):\n        middle([])\n"
KEPT = "    values = [5.0, 1.0, 3.0]\n    middle(values)\n    assert values == [5.0, 1.0, 3.0]\n"


@pytest.fixture
def climber(tmp_path: Path, ladder_runner: SuiteRunner) -> Climber:
    return Climber.at(tmp_path / "home", ladder_runner)


def started(climber: Climber, id: str) -> Climber:
    for each in {"F1": ("F0", "F1")}.get(id, (id,)):
        climber.starts(each)
        climber.builds(each)
    return climber


def without(*bodies: str) -> str:
    """The tests of F2 with some bodies still to write."""
    text = WRITTEN
    for body in bodies:
        assert text.count(body) == 1
        text = text.replace(body, "")
    return text


def mutation(climber: Climber, id: str) -> GateResult:
    (gate,) = mutate(climber.ports, climber.module(id)).gates
    return gate


# ---- R0: the full suite to read


def test_start_on_r0_says_where_the_suite_is_to_be_read_and_hands_out_no_test(climber: Climber) -> None:
    lines = climber.starts("F0")
    assert lines[:2] == ("F0  One step  [R0: the full suite to read]", "The course tests decide.")
    assert "suite     to read, all of it: course/tests/F0/test_step.py" in lines
    assert lines[-1] == "next      ol tests F0"
    assert not (climber.root / "python/tests").exists()


def test_on_r0_the_course_tests_decide(climber: Climber) -> None:
    report = started(climber, "F0").check("F0")
    assert list(gates(report)) == ["contract", "course tests"]
    assert report.last_line == "F0 PASSED — 2/2 course tests"


def test_mutate_on_a_rung_that_asks_for_no_grade_says_so_where_there_is_nothing_to_try(
    climber: Climber,
) -> None:
    with pytest.raises(
        WrongRequest, match="its rung R0 asks for none, and it has no faults to try"
    ) as caught:
        mutate(started(climber, "F0").ports, climber.module("F0"))
    assert caught.value.slug == "no-mutation-grade"


def test_red_on_r0_without_tests_sends_nobody_to_start(climber: Climber) -> None:
    answer = tdd.red(started(climber, "F0").ports, climber.module("F0"))
    assert isinstance(answer, Report)
    (reason,) = answer.gates[0].reasons
    assert reason.slug == "no-test-folder"
    assert reason.next_step == "Write one there if you like, in a file test_….py: this module asks for none."


def test_red_on_r0_is_recorded_for_practice(climber: Climber) -> None:
    started(climber, "F0").put("python/tests/f0-step/test_mine.py", "def test_it():\n    assert 1 == 2\n")
    page = tdd.red(climber.ports, climber.module("F0"))
    assert isinstance(page, Page) and page.lines[0].startswith("Red recorded")
    assert "note: R0 asks for no journal: this is practice, nothing hangs on it" in page.lines


# ---- R1: some values to work out by hand


def test_start_on_r1_names_the_blanks(climber: Climber) -> None:
    lines = climber.starts("F1")
    assert "blanks    to work out by hand there: FIRST_DRAWS, MEAN_DRAW, WORDS" in lines
    assert lines[-3:] == (
        "next      fill in 3 blanks by hand: python/tests/f1-draws/test_draws.py",
        "then      ol tests F1",
        "then      see which blanks are right: ol check F1",
    )
    assert b"MEAN_DRAW = ...  # by hand: their mean" in (climber.root / F1_TESTS).read_bytes()
    assert len(lines) <= 14


def test_a_second_start_on_r1_names_the_blanks_that_are_left(climber: Climber) -> None:
    one = (
        (started(climber, "F1").root / F1_TESTS)
        .read_text(encoding="utf-8")
        .replace("MEAN_DRAW = ...", "MEAN_DRAW = 2")
    )
    assert "blanks    to work out by hand there: FIRST_DRAWS, WORDS" in climber.put(F1_TESTS, one).starts(
        "F1"
    )
    lines = climber.put(F1_TESTS, FILLED).starts("F1")
    assert not any(line.startswith("blanks ") for line in lines)
    assert lines[-1] == "then      see which blanks are right: ol check F1"


def test_practice_on_r1_fails_nobody_for_a_fault_that_got_away(climber: Climber) -> None:
    weak = FILLED.replace("== WORDS", "is not None")
    gate = mutation(started(climber, "F1").put(F1_TESTS, weak), "F1")
    assert (gate.verdict, gate.code, gate.summary) == (
        Verdict.PASSED,
        ExitCode.PASSED,
        "1/2 mutants, for practice",
    )
    assert slugs(gate) == ["survived"]
    assert "R1 asks for no mutation grade: this is practice, and nothing hangs on it" in gate.notes
    assert not any("tdd green" in note for note in gate.notes)


def test_practice_still_fails_tests_that_reject_correct_code(climber: Climber) -> None:
    gate = mutation(
        started(climber, "F1").put(F1_TESTS, FILLED + "\n\ndef test_no():\n    assert False\n"), "F1"
    )
    assert (gate.verdict, slugs(gate)) == (Verdict.FAILED, ["reference-rejects"])


def test_a_hint_on_r1_leads_to_the_code_and_to_no_journal(climber: Climber) -> None:
    lines = hint(started(climber, "F1").ports, climber.module("F1"), "s01").lines
    assert "Look for it in your code, then `ol tests F1`." in lines


# ---- R2: names and docstrings given


def test_start_on_r2_counts_the_tests_to_write_and_names_the_way(climber: Climber) -> None:
    lines = climber.starts("F2")
    empty = "4 of 4 tests are still empty: test_an_odd_number, test_an_even_number, test_none and 1 more"
    assert f"empty     {empty}" in lines
    assert lines[-1] == "then      write a test's body, see what it catches: ol mutate F2"


def test_tests_as_they_were_handed_out_are_not_run_and_count_as_not_written(climber: Climber) -> None:
    gate = mutation(started(climber, "F2"), "F2")
    assert (gate.verdict, gate.summary) == (Verdict.FAILED, "0/3 mutants, no test written")
    assert slugs(gate) == ["tests-empty"] and gate.reasons[0].text.startswith(
        "4 of 4 tests are still empty: "
    )
    report = climber.check("F2")
    assert gates(report)["mutation"].summary == gate.summary and not report.passed


def test_the_grade_counts_what_was_written_and_names_what_was_not(climber: Climber) -> None:
    gate = mutation(started(climber, "F2").put(F2_TESTS, without(EVEN, NONE, KEPT)), "F2")
    assert gate.summary == "1/3 mutants (0.33 < 0.60), s01 killed"
    assert slugs(gate) == ["survived", "survived", "tests-empty"]
    told = "3 of 4 tests are still empty: test_an_even_number, test_none, test_the_list_is_kept."
    assert gate.reasons[-1].text == told
    assert not any("tdd green" in note for note in gate.notes)


def test_a_grade_that_is_reached_names_empty_tests_as_a_remark(climber: Climber) -> None:
    report = started(climber, "F2").put(F2_TESTS, without(NONE, KEPT)).check("F2")
    assert list(gates(report)) == ["contract", "course tests", "mutation"]
    assert report.last_line == "F2 PASSED — 3/3 course tests, 2/3 mutants (0.67 ≥ 0.60), s01 killed"
    told = "2 of 4 tests are still empty: test_none, test_the_list_is_kept"
    assert told in gates(report)["mutation"].notes


def test_the_required_mutant_is_required_on_r2_too(climber: Climber) -> None:
    weak = without(ODD, NONE).replace("[7.0, 1.0, 2.0, 4.0]) == 3.0", "[1.0, 2.0, 4.0, 7.0]) == 3.0")
    report = started(climber, "F2").put(F2_TESTS, weak).check("F2")
    assert gates(report)["mutation"].summary == "2/3 mutants (0.67 ≥ 0.60), s01 survived"
    assert not report.passed


def test_a_hint_on_r2_leads_to_the_mutants(climber: Climber) -> None:
    lines = hint(started(climber, "F2").ports, climber.module("F2"), "s02").lines
    assert "Write a test that passes on right code and fails on this, then `ol mutate F2`." in lines


def test_green_names_empty_tests(climber: Climber) -> None:
    page = tdd.green(started(climber, "F2").put(F2_TESTS, without(NONE)).ports, climber.module("F2"))
    assert isinstance(page, Page)
    assert "note: 1 of 4 tests is still empty: test_none" in page.lines


def test_without_a_test_folder_mutate_names_start_where_tests_are_handed_out(climber: Climber) -> None:
    started(climber, "F2")
    (climber.root / F2_TESTS).unlink()
    with pytest.raises(NotReady) as caught:
        mutate(climber.ports, climber.module("F2"))
    assert caught.value.next_step == "Run `ol start F2`."
