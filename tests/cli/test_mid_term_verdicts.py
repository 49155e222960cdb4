"""Mutants and course tests that change in mid-term: what becomes of a grade and of a pass."""

from __future__ import annotations

import pytest

from tests.cli.student import Student, edited, lock
from tests.cli.term import (
    CLAMP_ENDS,
    EXEMPLARS,
    MUTANTS,
    TESTS,
    append,
    change,
    mutation,
    recorded,
    released,
    state,
)

ANOTHER_FAULT = '''
[[mutant]]
id = "s06"
title = "Great values are not clamped"
symptom = "A value above LIMIT stays where it is."
unit = "calc.py"
find = "max(low, min(x, high))"
replace = "max(low, min(x, high)) if x < LIMIT else x"
killed_by = ["test_clamp_keeps_the_inside_and_moves_the_outside"]
witness = """
from tinycalc.calc import clamp
out = clamp(2000.0, 0.0, 1.0)
"""
'''


# ---- mutants


@pytest.mark.parametrize("missed", [False, True], ids=["all killed", "one missed"])
@pytest.mark.parametrize("retired", ["s01", "s02"])
def test_a_retired_mutant_lowers_no_grade(retired: str, missed: bool, passed: Student) -> None:
    passed.has_tests(
        EXEMPLARS.replace(CLAMP_ENDS, CLAMP_ENDS.replace(", (3.0, 1.0)", "")) if missed else EXEMPLARS
    )
    then = mutation(passed)["fields"]
    change(passed, MUTANTS, f'id = "{retired}"\n', f'id = "{retired}"\nretired = "the contract allows it"\n')
    gate = mutation(released(passed))
    assert f"{retired} retired: the contract allows it; counted as killed" in gate["notes"]
    assert (gate["verdict"], gate["fields"]["all"]) == ("passed", 5)
    assert gate["fields"]["killed"] == then["killed"] + (missed and retired == "s02")


def test_a_new_mutant_costs_a_new_grade_and_what_a_suite_that_misses_it_loses_by_it(passed: Student) -> None:
    before = recorded(passed)
    released(append(passed, MUTANTS, ANOTHER_FAULT))
    gate = mutation(passed)
    assert (gate["verdict"], gate["summary"][:4]) == ("passed", "5/6 ")
    assert passed.json("check", exits=0)["passed"]
    passed.has_tests(EXEMPLARS.replace(CLAMP_ENDS, CLAMP_ENDS.replace(", (3.0, 1.0)", "")))
    assert (mutation(passed)["verdict"], mutation(passed)["summary"][:4]) == ("failed", "4/6 ")
    assert recorded(passed) == before


def test_a_new_mutant_leaves_what_course_tests_said(passed: Student) -> None:
    edited(passed.root / MUTANTS, 'title = "The upper end does not clamp"', 'title = "No upper end"')
    lock(passed.root)
    assert (state(passed)["state"], state(passed)["mutation"]) == (
        "passing",
        "no mutation grade of these tests yet",
    )


def test_the_steps_taken_of_a_hint_are_kept_and_a_mutant_that_is_gone_is_no_stumbling_block(
    passed: Student,
) -> None:
    text = (passed.root / MUTANTS).read_text(encoding="utf-8")
    released(change(passed, MUTANTS, 'title = "The upper end does not clamp"', 'title = "No upper end"'))
    assert "s02, step 2 of 3" in passed.does("hint", "A1", "s02").out
    without = "[[mutant]]".join(part for part in text.split("[[mutant]]") if 'id = "s02"' not in part)
    (passed.root / MUTANTS).write_text(without, encoding="utf-8")
    lock(passed.root)
    assert "s03, step 1 of 3" in passed.does("hint", "A1", "s03").out
    assert passed.json("check", exits=0)["passed"]


# ---- course tests


def test_a_changed_course_test_makes_a_passed_module_stale_and_a_rerun_decides(passed: Student) -> None:
    before, content = recorded(passed), (passed.root / TESTS).read_bytes()
    assert state(passed)["state"] == "passing"
    change(
        passed, TESTS, "assert_close(mean([1.0, 2.0, 6.0]), 3.0)", "assert_close(mean([1.0, 2.0, 9.0]), 4.0)"
    )
    lock(passed.root)
    assert (state(passed)["state"], state(passed)["told"]) == ("stale", "not run as it is now")
    assert passed.does("tests", "A1").last.startswith("A1 PASSED")
    assert state(passed)["state"] == "passing"
    (passed.root / TESTS).write_bytes(content)
    lock(passed.root)
    assert state(passed)["state"] == "passing"  # what was found of the older tests is still known
    assert recorded(passed) == before


def test_a_course_test_that_the_work_now_fails_is_no_fault_of_an_edit(passed: Student) -> None:
    change(
        passed,
        TESTS,
        "running, values = Running(), [4.0, 5.0, 9.0]",
        "running, values = Running(), [4, None]",
    )
    lock(passed.root)
    assert state(passed)["state"] == "stale"
    assert passed.ol("tests", "A1").code == 1
    assert (state(passed)["state"], state(passed)["told"]) == ("failing", "4/5 course tests pass")


def test_a_change_of_another_module_makes_nothing_stale(passed: Student) -> None:
    change(passed, "course/modules/A0.toml", 'title = "Sums"', 'title = "Sums, and no more"')
    lock(passed.root)
    assert state(passed)["state"] == "passing"
