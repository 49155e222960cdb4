"""Course files against course.lock and against one another: what a student's grade must not hang on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.student import Student, edited, lock, slugs
from tests.cli.suite import without

COURSE_TEST = "course/tests/L2.2/test_nplm.py"
IN_THE_LOCK = [
    "course/course.toml",
    "course/modules/L2.2.toml",
    "course/contracts/py/tinyllm/lm/nplm.pyi",
    COURSE_TEST,
    "course/tests/frozen/close.py",
    "course/given/L2.2/test_nplm.py",
    "course/mutants/L2.2.toml",
    "course/wheats/L2.2/w01.py",
    "course/bars/L2.2.toml",
    "course/reference/tinyllm/lm/nplm.py",
    "course/reference/tinyllm/autograd/tensor.py",
    "oracle/L2.2/nplm.safetensors",
    "oracle/manifest.toml",
]


def refuses(student: Student, *words: str, names: str) -> None:
    told = student.ol(*words)
    assert (told.code, told.out) == (4, ""), told.out
    assert names in told.err
    assert "`git checkout -- course oracle`" in told.err
    assert "[tampered]" in told.err


@pytest.mark.parametrize("path", IN_THE_LOCK)
def test_a_course_file_that_differs_from_the_lock_is_named(path: str, done: Student) -> None:
    with (done.root / path).open("ab") as file:
        file.write(b"\n")
    refuses(done, "check", names=path)


@pytest.mark.parametrize(
    "words", [("tests",), ("mutate",), ("tests", "-k", "windows"), ("check", "--cached")]
)
def test_whatever_grades_asks_the_lock_first(words: tuple[str, ...], done: Student) -> None:
    edited(done.root / "course/mutants/L2.2.toml", "required = true", "required = false")
    refuses(done, *words, names="course/mutants/L2.2.toml")


def test_a_file_that_was_removed_or_added_differs_too(done: Student) -> None:
    (done.root / "course/wheats/L2.2/w02.py").unlink()
    refuses(done, "check", names="course/wheats/L2.2/w02.py")
    lock(done.root)
    done.does("check", "--cached")
    (done.root / "course/tests/L2.2/conftest.py").write_text("", encoding="utf-8")
    refuses(done, "check", names="course/tests/L2.2/conftest.py")


def test_a_lock_that_was_edited_vouches_for_nothing(done: Student) -> None:
    path = done.root / "course/course.lock"
    path.write_text(f"{path.read_text(encoding='utf-8')}\nwhatever = [", encoding="utf-8")
    refuses(done, "check", names="course/course.lock")


def test_what_does_not_grade_goes_on_with_a_warning(done: Student) -> None:
    edited(done.root / COURSE_TEST, "def test_windows_hand_example(", "def test_windows_by_hand(")
    assert COURSE_TEST in done.does("status").out
    told = done.does("tdd", "green")
    assert "note: course files differ from course.lock" in told.out
    assert COURSE_TEST in told.out


def test_a_file_of_a_module_that_is_no_need_is_not_asked_for(done: Student) -> None:
    path = done.root / "course/reference/tinyllm/lm/ngram.py"
    path.write_text(f"{path.read_text(encoding='utf-8')}\n", encoding="utf-8")
    done.does("check", "--cached")


def test_a_proved_course_is_locked_and_an_edit_is_then_seen(calc: Student) -> None:
    assert calc.does("verify", "--lock").last.startswith("course 1 PROVED")
    assert (calc.root / "course/course.lock").is_file()
    calc.unit.write_bytes((calc.root / "course/reference/tinycalc/calc.py").read_bytes())
    report = calc.json("tests", exits=0)
    assert len(report["lock"]) == 64
    with (calc.root / "course/contracts/py/tinycalc/calc.pyi").open("ab") as file:
        file.write(b"\n")
    refuses(calc, "tests", names="course/contracts/py/tinycalc/calc.pyi")


# ---- folder and manifest: a case that is missing is never the student's fault


def shortened(student: Student) -> None:
    path = student.root / COURSE_TEST
    path.write_text(without(path.read_text(encoding="utf-8"), "test_input_validation"), encoding="utf-8")


def test_a_course_test_that_is_gone_is_tampering_where_there_is_a_lock(done: Student) -> None:
    shortened(done)
    refuses(done, "check", names=COURSE_TEST)


@pytest.mark.parametrize("command", ["check", "tests"])
def test_without_a_lock_it_is_a_course_that_is_wrong(command: str, done: Student) -> None:
    shortened(done)
    (done.root / "course/course.lock").unlink()
    told = done.ol(command)
    assert (told.code, told.out) == (5, "")
    assert "lists test_input_validation, and course/tests/L2.2 holds no such test" in told.err
    assert "[test-not-collected]" in told.err


def test_a_folder_of_course_tests_that_is_empty_is_a_course_that_is_wrong(done: Student) -> None:
    (done.root / COURSE_TEST).unlink()
    (done.root / "course/course.lock").unlink()
    told = done.ol("check")
    assert told.code == 5
    assert "course/tests/L2.2 holds no test, and the manifest lists 17." in told.err


def test_verify_finds_a_missing_case_before_any_student_does(calc: Student) -> None:
    path = calc.root / "course/tests/A1/test_calc.py"
    text = without(path.read_text(encoding="utf-8"), "test_mean_refuses_nothing")
    path.write_text(text, encoding="utf-8")
    report = calc.json("verify", "A1", "--seed=1", exits=5)
    (listed,) = [gate for gate in report["gates"] if "test-not-collected" in slugs(gate)]
    assert "test_mean_refuses_nothing" in listed["reasons"][0]["text"]
    assert not Path(calc.root / "course/course.lock").exists()
