"""Tests that no run sees: every command that runs a student's own tests says so, and decides as without them."""

from __future__ import annotations

import pytest

from ol.commands.mutate import Options, mutate
from ol.domain.report import Page, Report, Verdict
from tests.commands.journal_world import GIVEN, IMPORTS, MEAN, RIGHT, World, recorded, refused, started
from tests.commands.mutate_desk import WHOLE, desk

FALSE = "def test_x():\n    assert False\n"
PASSED_OVER = (
    "python/tests/a1-calc/calc_more.py is passed over, tests and all: "
    "test files are named test_*.py; rename it"
)
LOOSE = (
    "never run, for no module's tests lie there: python/tests/test_loose.py; "
    "those of A1 lie in python/tests/a1-calc/"
)


@pytest.fixture
def strewn(world: World) -> World:
    """A test file of the wrong name, and one beside the module's folder."""
    started(world).test("calc_more.py", FALSE)
    (world.tests.parent / "test_loose.py").write_text(FALSE, encoding="utf-8")
    return world


def test_a_red_and_a_green_name_them(strewn: World) -> None:
    red = strewn.red()
    green = strewn.code(RIGHT).green()
    assert (recorded(red), recorded(green)) == ("red", "green")
    for answer in (red, green):
        assert isinstance(answer, Page)
        assert answer.lines.count(f"note: {PASSED_OVER}") == answer.lines.count(f"note: {LOOSE}") == 1


def test_a_refused_red_and_a_refused_green_name_them(strewn: World) -> None:
    green, red = strewn.green(), strewn.code(RIGHT).red()
    assert (refused(green), refused(red)) == ("green-failing", "red-all-pass")
    for answer in (red, green):
        assert isinstance(answer, Report)
        assert answer.notes == (PASSED_OVER, LOOSE)


def test_a_refusal_for_a_file_that_is_no_python_stays_that_refusal(strewn: World) -> None:
    assert refused(strewn.test("test_calc.py", "def (").red()) == "does-not-parse"


def test_a_test_that_returns_its_comparison_is_named(world: World) -> None:
    returning = IMPORTS + MEAN.replace("assert", "return")
    answer = world.code(RIGHT).test("test_calc.py", GIVEN).test("test_more.py", returning).red()
    assert isinstance(answer, Report)
    assert answer.notes == (
        "python/tests/a1-calc/test_more.py: test_mean returns a value that nobody looks at: "
        "write `assert` for `return`",
    )


def test_mutate_names_them_and_grades_as_before() -> None:
    made = desk({"test_a.py": WHOLE, "more.py": "def test_x():\n    assert True\n"})
    made.workspace.loose = ("test_loose.py",)
    for _ in range(2):  # the second time the grade is remembered
        found = mutate(made.ports(), made.module("A.1"), Options(jobs=2))
        assert [note.partition(",")[0] for note in found.notes] == [
            "python/tests/a-1/more.py is passed over",
            "never run",
        ]
        assert found.gates[0].verdict is Verdict.PASSED
