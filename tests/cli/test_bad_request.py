"""Requests that cannot be granted: exit code 2, a sentence, and nothing written."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.ended import one_sentence
from tests.cli.refused import refused
from tests.cli.student import ROOT, TINY, Student, Told, begun, course_in, tree


@pytest.mark.parametrize(
    ("word", "nearest"), [("L2.3", "L2.2"), ("l22", "L2.2"), ("M06.1", "M06.3"), ("L9", "ol status")]
)
def test_an_unknown_id_is_answered_with_the_nearest_if_one_is_near(
    word: str, nearest: str, newcomer: Student
) -> None:
    refused(newcomer, "start", word, code=2, slug="unknown-id", says=nearest)


@pytest.mark.parametrize("word", ["l2.2", "L2.2"])
def test_an_id_is_known_in_any_case(word: str, newcomer: Student) -> None:
    assert newcomer.does("start", word).lines[0].startswith("L2.2 ")


def test_where_there_is_no_course_it_says_how_to_name_one(tmp_path: Path) -> None:
    student = begun(tmp_path)
    for words in (("status",), ("start", "L2.2"), ("check", "L2.2")):
        refused(student, *words, code=2, slug="no-course", says="ol --course PATH")


def test_a_course_that_is_named_and_is_not_there(tmp_path: Path) -> None:
    student = begun(tmp_path)
    where = str(tmp_path / "nowhere")
    refused(student, "--course", where, "status", code=2, slug="no-course", says=where)
    refused(replace(student, course=Path(where)), "status", code=2, slug="no-course", says=where)


def test_the_option_goes_before_the_environment(calc: Student) -> None:
    told = replace(calc, course=ROOT).does("--course", str(TINY), "status")
    assert told.lines[0] == "A tiny course, 1"


def test_where_there_is_no_work_only_start_begins_some(newcomer: Student) -> None:
    for words in (("check",), ("tests", "L2.2"), ("mutate", "L2.2"), ("tdd", "red", "L2.2"), ("hint", "s01")):
        refused(newcomer, *words, code=2, slug="no-workspace", says="`ol start L0.1`")


def test_without_an_id_and_without_a_start_it_asks_for_one(tmp_path: Path) -> None:
    student = begun(tmp_path)
    course_in(student.root, TINY)
    (student.root / "python" / "tinycalc").mkdir(parents=True)
    refused(student, "tests", code=2, slug="no-module", says="No course module was named")


@pytest.mark.parametrize(
    ("words", "slug", "says"),
    [
        (("chekc",), "usage", "chekc"),
        (("check", "--fast"), "usage", "--fast"),
        (("check", "A1", "A0"), "usage", "A0"),
        (("mutate", "-j", "0"), "usage", "-j"),
        (("mutate", "--seed", "now"), "usage", "now"),
        (("check", "A1", "--course", "x"), "usage", "before the command: `ol --course PATH check …`"),
        (("tdd", "red", "--course", "x"), "usage", "`ol --course PATH tdd red …`"),
        (("check", "--ref-deps=L9"), "unknown-id", "L9"),
        (("check", "--ref-deps=A1"), "not-a-need", "A0"),
        (("tests", "A0"), "no-course-tests", "A0"),
        (("tests", "-k", "nothing_like_it"), "nothing-selected", "nothing_like_it"),
        (("tests", "-k", "mean and"), "wrong-keyword", "Write -k as for pytest"),
        (("hint", "A1", "s99"), "unknown-mutant", "`ol mutate A1` lists them"),
        (("hint", "A1", "so1"), "unknown-mutant", "Did you mean s01"),
        (("hint", "A1", "s01", "s02"), "one-mutant", "`ol hint A1 s01`"),
        (("mutate", "A0"), "no-mutation-grade", "A0"),
        (("start", "A1", "--missing", "--fresh"), "missing-and-fresh", "--fresh"),
        (("tdd", "abandon", "test_of_nobody"), "unknown-test", "test_of_nobody"),
        (("verify", "A1", "--lock"), "lock-whole-course", "ol verify --lock"),
        (("calibrate", "A1"), "no-bars", "A1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_request_is_told_what_is_right(
    words: tuple[str, ...], slug: str, says: str, calc: Student
) -> None:
    unit = (calc.root / "course/reference/tinycalc/calc.py").read_text(encoding="utf-8")
    refused(calc.writes(unit), *words, code=2, slug=slug, says=says)


@pytest.mark.skipif(sys.platform == "win32", reason="nobody's folder can be removed there")
@pytest.mark.parametrize("words", ["status", "start A1", "tests A1", "demo"])
def test_a_folder_that_was_removed_under_its_user_is_told(words: str, calc: Student, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = (
        tmp_path / "ol_there.py"
    )  # a file, like the installed command: no working folder on the import path
    text = "import os\nos.rmdir(os.getcwd())\nfrom ol.__main__ import main\nmain()\n"
    script.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), *words.split()],
        cwd=gone,
        env=calc.environment(),
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 2
    one_sentence(Told(done.returncode, done.stdout, done.stderr), "no-workspace")
    assert "is not there any more" in done.stderr


def test_a_course_is_only_read(newcomer: Student) -> None:
    before = tree(ROOT / "course" / "modules")
    newcomer.does("start", "L2.2")
    assert tree(ROOT / "course" / "modules") == before
