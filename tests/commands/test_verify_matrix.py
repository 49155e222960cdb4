"""`ol verify` and the matrix: written with the lock, never stale unseen, and it leads where it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.domain.authoring import lock
from ol.domain.report import Verdict
from tests.commands.author_world import AuthorWorld, reasons
from tests.commands.wrong_course import CALC_MUTANTS, CALC_TESTS, TINY

MATRIX = "course/matrix/A1.toml"


@pytest.fixture
def course(tmp_path: Path, tiny_runner: SuiteRunner) -> AuthorWorld:
    return AuthorWorld.of(TINY, tmp_path / "course", tiny_runner)


def test_it_is_written_with_the_lock_and_locked_with_the_rest(course: AuthorWorld) -> None:
    assert course.verify(lock=True).passed
    assert course.read(MATRIX).splitlines()[2:5] == [
        "[s01]",
        '"test_calc.py::test_mean_of_a_few" = "AssertionError 11"',
        '"test_calc.py::test_running_agrees_with_mean" = "AssertionError 36"',
    ]
    assert f'"{MATRIX}" = ' in course.read(lock.PATH)
    assert course.ports.catalog.tampered(course.ports.catalog.course.modules.values()) == ()
    course.edit(MATRIX, "[s01]", "[s06]")
    assert MATRIX in course.ports.catalog.tampered(course.ports.catalog.course.modules.values())


def test_without_it_nothing_is_wrong_and_it_is_said(course: AuthorWorld) -> None:
    gate = course.proved("matrix", "A1")
    assert gate.summary == "no matrix yet"
    assert gate.notes == (f"there is no {MATRIX} yet: `ol verify --lock` writes it",)


@pytest.mark.parametrize(
    ("path", "old", "new", "stale"),
    [
        (
            CALC_TESTS,
            "def test_running_agrees_with_mean",
            "\n\ndef test_running_agrees_with_mean",
            "s01, s05",
        ),
        (CALC_MUTANTS, 'replace = "min(x, high)"', 'replace = "high"', "s03"),
        (MATRIX, "[s05]", "[s06]", "s05, s06"),
    ],
    ids=["a test moved", "a mutant changed", "a name changed"],
)
def test_a_matrix_that_is_out_of_date_is_caught(
    path: str, old: str, new: str, stale: str, course: AuthorWorld
) -> None:
    course.verify(lock=True)
    found = reasons(course.edit(path, old, new).proved("matrix", "A1"))["matrix-stale"]
    assert found.text == f"{MATRIX} is not how the course tests fail on {stale}."
    course.verify(lock=True)
    assert course.proved("matrix", "A1").verdict is Verdict.PASSED


def test_it_says_which_mistakes_lead_to_their_pitfall(course: AuthorWorld) -> None:
    course.verify(lock=True)
    gate = course.proved("matrix", "A1")
    assert gate.summary == "5/5 mutants led to"
    assert gate.notes == ("led to by its failures: s01 s02 s03 s04 s05",)


TWIN = """
[[mutant]]
id = "s06"
title = "The running sum is not divided"
symptom = "A running mean grows as it goes."
unit = "calc.py"
find = "self._sum / self.count"
replace = "self._sum"
killed_by = ["test_running_agrees_with_mean"]
witness = '''
from tinycalc.calc import Running
running = Running()
running.add(2.0)
running.add(4.0)
out = running.mean()
'''
"""


def test_two_mistakes_that_fail_alike_are_led_to_by_neither(course: AuthorWorld) -> None:
    assert course.add(CALC_MUTANTS, TWIN).verify(lock=True).passed
    gate = course.proved("matrix", "A1")
    assert gate.summary == "4/6 mutants led to"
    assert gate.notes == ("led to by its failures: s01 s02 s03 s04", "led to by neither: s05 s06")
