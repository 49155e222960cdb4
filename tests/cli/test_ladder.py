"""One evening on each of the rungs below R3, typed command by command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.student import ROOT, Student, begun, course_in, edited, gates, lock, slugs
from tests.commands.ladder_world import FILLED, LADDER, WRITTEN
from tests.course.chapter import blocks, section


@pytest.fixture
def climber(tmp_path: Path) -> Student:
    """Somebody in a copy of the course `ladder`, locked, before their first `ol start`."""
    student = replace(begun(tmp_path), package="tinystep")
    lock(course_in(student.root, LADDER))
    return student


def on(student: Student, unit: str, slug: str) -> Student:
    return replace(student, unit_name=unit, slug=slug)


def reference(unit: str) -> str:
    return (LADDER / "course/reference/tinystep" / unit).read_text(encoding="utf-8")


def test_r0_is_read_and_built_and_the_course_tests_decide(climber: Student) -> None:
    student = on(climber, "step.py", "f0-step")
    told = student.does("start", "F0")
    assert "suite     to read, all of it: course/tests/F0/test_step.py" in told.lines
    assert student.ol("tests").code == 3
    student.writes(reference("step.py"))
    assert student.does("tests").last == "F0 PASSED — 2/2 course tests"
    refused = student.ol("mutate")
    assert refused.code == 2 and "[no-mutation-grade]" in refused.err
    assert student.does("check").last == "F0 PASSED — 2/2 course tests"


def test_r1_is_worked_out_by_hand_and_compared(climber: Student) -> None:
    on(climber, "step.py", "f0-step").does("start", "F0")
    on(climber, "step.py", "f0-step").writes(reference("step.py"))
    student = on(climber, "draws.py", "f1-draws")
    assert (
        "blanks    to work out by hand there: FIRST_DRAWS, MEAN_DRAW, WORDS"
        in student.does("start", "F1").out
    )
    student.writes(reference("draws.py"))
    assert "note: 3 of 3 blanks are not filled yet" in student.does("tests").out
    left = gates(student.json("check", exits=1))["blanks"]
    assert (left["summary"], set(slugs(left))) == ("0/3 blanks", {"blank-open"})
    wrong = gates(student.has_tests(FILLED.replace("88", "87")).json("check", exits=1))["blanks"]
    assert (wrong["summary"], slugs(wrong)) == ("2/3 blanks", ["blank-wrong"])
    assert student.has_tests(FILLED).does("check").last == "F1 PASSED — 4/4 course tests, 3/3 blanks"
    assert student.does("mutate").last == "F1 PASSED — 2/2 mutants, for practice"
    assert "PASSED blanks (cached): 3/3 blanks" in student.does("check", "--cached").out
    assert "3/3 blanks" in student.does("status").out


def test_r1_is_compared_with_a_trusted_course_elsewhere(climber: Student, tmp_path: Path) -> None:
    """The blanks that count are those of the course that grades, whatever lies beside the work."""
    for unit, slug, id in (("step.py", "f0-step", "F0"), ("draws.py", "f1-draws", "F1")):
        on(climber, unit, slug).does("start", id)
        on(climber, unit, slug).writes(reference(unit))
    student = on(climber, "draws.py", "f1-draws").has_tests(FILLED.replace("88", "87"))
    forged = student.root / "course/answers/F1.py"
    forged.write_text(forged.read_text().replace("draws(9, 3)", "[87, 195, 58]"), encoding="utf-8")
    lock(student.root)
    assert student.does("check", "F1").code == 0
    abroad = replace(student, course=LADDER)
    assert slugs(gates(abroad.json("check", "F1", "--cached", exits=1))["blanks"]) == ["blank-wrong"]


def test_an_edited_file_of_answers_is_seen(climber: Student) -> None:
    on(climber, "draws.py", "f1-draws").does("start", "F1")
    path = climber.root / "course/answers/F1.py"
    path.write_text(path.read_text() + "\n", encoding="utf-8")
    told = climber.ol("check", "F1")
    assert told.code == 4 and "course/answers/F1.py" in told.err


def test_r2_is_written_body_by_body_and_graded_by_faults(climber: Student) -> None:
    student = on(climber, "middle.py", "f2-middle")
    told = student.does("start", "F2")
    assert "empty     4 of 4 tests are still empty: " in told.out
    assert told.last == "then      write a test's body, see what it catches: ol mutate F2"
    student.writes(reference("middle.py"))
    report = student.json("mutate", exits=1)
    assert (gates(report)["mutation"]["summary"], slugs(gates(report)["mutation"])) == (
        "0/3 mutants, no test written", ["tests-empty"],
    )  # fmt: skip
    assert "no mutation grade of these tests yet" in student.does("status").out
    passed = student.has_tests(WRITTEN).does("check")
    assert passed.last == "F2 PASSED — 3/3 course tests, 3/3 mutants (1.00 ≥ 0.60), s01 killed"
    assert not (student.root / "journals").exists()


def test_the_students_guide_shows_each_rung_as_it_is(started: Student, tmp_path: Path) -> None:
    """Its blocks are what is printed, but for lines left out where it has a line of dots."""
    student = started
    at_start = {id: student.does("start", id).lines for id in ("L0.1", "M06.3", "L0.6")}
    (tests,) = (student.root / "python/tests/m06-3-rng").glob("*.py")
    edited(tests, "SEEDED_STATE = ...", "SEEDED_STATE = 12345")
    printed = [
        at_start["L0.1"],
        at_start["M06.3"],
        student.ol("check", "M06.3").lines,
        student.ol("mutate", "L0.6").lines,
        begun(tmp_path / "new", ROOT).does("start", "L2.2", "--ref-deps").lines,
        student.does("tdd", "red", "L2.2").lines,
    ]
    told = section((ROOT / "docs/students.md").read_text(encoding="utf-8"), "Rungs")
    for shown, lines in zip(blocks(told, "text"), printed, strict=True):
        rest = iter(lines)
        assert all(line in rest for line in shown.rstrip().splitlines() if line != "…"), shown
