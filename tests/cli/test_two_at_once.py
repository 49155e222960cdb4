"""Two terminals, one folder, the same command at the same moment: both answer, and nothing is lost or doubled."""

from __future__ import annotations

from pathlib import Path

from tests.cli.ended import journal, leaves_nothing_running, parts
from tests.cli.student import TINY, Student, Told, begun, course_in, tree

EXEMPLARS = (TINY / "course/exemplars/A1/test_calc.py").read_text(encoding="utf-8")
RIGHT = (TINY / "course/reference/tinycalc/calc.py").read_text(encoding="utf-8")


def both(student: Student, *words: str) -> list[Told]:
    commands = [student.begin(*words) for _ in range(2)]
    told = []
    for command in commands:
        out, err = command.communicate(timeout=120)
        told.append(Told(command.returncode, out, err))
    assert parts(student) == [] and leaves_nothing_running(student)
    return told


def test_two_starts_write_each_file_once(tmp_path: Path, calc: Student) -> None:
    student = begun(tmp_path / "new", tiny=True)
    course_in(student.root, TINY)
    told = both(student, "start", "A1", "--ref-deps")
    assert [each.code for each in told] == [0, 0]
    assert tree(student.root / "python") == tree(calc.root / "python")
    for path in (student.unit, *student.tests.iterdir()):
        name = path.relative_to(student.root).as_posix()
        assert sorted(f"written   {name}" in each.out for each in told) == [False, True]


def test_two_fresh_starts_put_the_old_unit_away_once(calc: Student) -> None:
    stub = calc.unit.read_text(encoding="utf-8")
    told = both(calc.writes(RIGHT), "start", "A1", "--fresh")
    assert [each.code for each in told] in ([0, 0], [0, 2], [2, 0])
    kept = [path.read_text(encoding="utf-8") for path in (calc.root / ".ol/kept").rglob("*.py")]
    assert kept.count(RIGHT) == 1
    assert calc.unit.read_text(encoding="utf-8") == stub


def test_two_starts_for_what_is_missing_add_it_once(calc: Student) -> None:
    stub = calc.unit.read_text(encoding="utf-8")
    head = stub.partition("def clamp")[0]
    once = calc.copied(calc.home)
    once.writes(head).does("start", "A1", "--missing")
    told = both(calc.writes(head), "start", "A1", "--missing")
    assert [each.code for each in told] == [0, 0]
    assert calc.unit.read_bytes() == once.unit.read_bytes()
    assert calc.unit.read_text(encoding="utf-8").count("def clamp") == 1


def test_two_reds_and_two_greens_are_one_chain_that_the_gate_takes(calc: Student) -> None:
    assert [each.code for each in both(calc, "tdd", "red")] == [0, 0]
    calc.writes(RIGHT)
    assert [each.code for each in both(calc, "tdd", "green")] == [0, 0]
    state = journal(calc, "A1")
    assert len(state.heads) == 1
    assert [link.entry.seq for link in state.links] == list(range(1, len(state.links) + 1))
    phases = [link.entry.phase.value for link in state.links]
    assert phases[:3] == ["red", "red", "green"] and phases[3:] in ([], ["green"])
    gates = {gate["gate"]: gate for gate in calc.json("check", exits=1)["gates"]}
    assert gates["journal"]["verdict"] == "passed"  # the given test alone kills too few


def test_two_grades_are_the_same_grade_and_the_third_is_remembered(calc: Student) -> None:
    calc.has_tests(EXEMPLARS)
    told = both(calc, "mutate", "--plain")
    assert {(each.code, each.last) for each in told} == {
        (0, "A1 PASSED — 5/5 mutants (1.00 ≥ 0.70), s01 killed")
    }
    assert "(cached)" in calc.does("mutate").out
