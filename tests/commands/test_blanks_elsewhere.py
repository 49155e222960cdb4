"""What the other verbs tell of blanks that are open, wrong or right, and what waits for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.commands import tdd
from ol.commands.mutate import mutate
from ol.commands.status import status
from ol.commands.tests import tests as course_tests
from ol.domain.errors import NotReady
from ol.domain.report import Page, Report
from tests.commands.ladder_world import FILLED, OWN, Climber, before_blanks, slugs


@pytest.fixture
def climber(tmp_path: Path, ladder_runner: SuiteRunner) -> Climber:
    return before_blanks(tmp_path / "home", ladder_runner)


def test_course_tests_say_in_one_line_how_many_blanks_are_left(climber: Climber) -> None:
    def notes() -> tuple[str, ...]:
        return course_tests(climber.ports, climber.module("F1")).notes

    folder = "python/tests/f1-draws/"
    assert notes() == (f"3 of 3 blanks are not filled yet: FIRST_DRAWS, MEAN_DRAW, WORDS, in {folder}",)
    climber.put(OWN, FILLED.replace("113.6666667", "..."))
    assert notes() == (f"1 of 3 blanks is not filled yet: MEAN_DRAW, in {folder}",)
    assert course_tests(climber.put(OWN, FILLED).ports, climber.module("F1")).notes == ()
    assert course_tests(climber.put(OWN, "(").ports, climber.module("F1")).passed


def test_status_tells_how_far_the_blanks_are_and_what_to_take_next(climber: Climber) -> None:
    for id in ("F0", "F1"):
        climber.check(id)  # what passes is remembered

    def line() -> str:
        page = status(climber.ports)
        (told,) = (each["blanks"] for each in page.fields["modules"] if each["id"] == "F1")
        assert any(shown.endswith(told) for shown in page.lines)
        return str(told)

    assert line() == "0/3 blanks filled, not compared as they are now"
    climber.put(OWN, FILLED)
    assert line() == "3/3 blanks filled, not compared as they are now"
    assert status(climber.ports).lines[-1] == "next   ol check F1"
    climber.check("F1")
    assert line() == "3/3 blanks"
    assert status(climber.ports).lines[-1] == "next   ol start F2"


def test_red_and_green_wait_for_the_blanks(climber: Climber) -> None:
    for verb in (tdd.red, tdd.green):
        answer = verb(climber.ports, climber.module("F1"))
        assert isinstance(answer, Report) and slugs(answer.gates[0]) == ["blank-open"] * 3
    answer = tdd.green(climber.put(OWN, FILLED).ports, climber.module("F1"))
    assert isinstance(answer, Page)
    assert "note: R1 asks for no journal: this is practice, nothing hangs on it" in answer.lines


def test_practice_on_the_faults_waits_until_the_blanks_are_right(climber: Climber) -> None:
    """A test with a wrong value would fail on the reference, and the failure tells the right one."""
    for text in (FILLED.replace("113.6666667", "..."), FILLED.replace("195", "196")):
        report = mutate(climber.put(OWN, text).ports, climber.module("F1"))
        assert [gate.gate for gate in report.gates] == ["blanks"] and not report.passed
    report = mutate(climber.put(OWN, FILLED).ports, climber.module("F1"))
    assert report.passed and report.last_line == "F1 PASSED — 2/2 mutants, for practice"


def test_a_module_that_is_not_started_has_no_blanks_to_tell_of(
    tmp_path: Path, ladder_runner: SuiteRunner
) -> None:
    climber = Climber.at(tmp_path / "home", ladder_runner)
    with pytest.raises(NotReady):
        climber.check("F1")
    assert "blanks" not in "\n".join(status(climber.ports).lines)
