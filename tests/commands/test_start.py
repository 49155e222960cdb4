"""`ol start` on real files: what it writes, what it leaves, and that it looks before it writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ol.adapters.workspace.files import WorkspaceFiles
from ol.adapters.workspace.settings import Settings
from ol.commands.start import start
from ol.domain.errors import CourseWrong, OlError, WorkRefused, WrongRequest
from ol.domain.file import File
from ol.domain.report import Page
from tests.fakes import Desk
from tests.made import module

CONTRACT = '''"""A unit."""

LIMIT: int = 3

def f(a: int) -> int:
    """Doc."""
    ...

class M:
    def g(self) -> int: ...
'''
GIVEN = File("test_a.py", b"def test_given(): ...\n")
A1 = module("A.1", "one.py", tests=(), rung="R0")
A2 = module(
    "A.2", "lm/two.py", "lm/three.py", slug="a-2", needs=("A.1",), given=("test_a.py",), reading=("A.1",)
)


class Student:
    """A workspace on disk under a course in memory."""

    def __init__(self, root: Path) -> None:
        self.desk = Desk.of(A1, A2)
        units = ("one.py", "lm/two.py", "lm/three.py")
        self.desk.catalog.contracts = dict.fromkeys(units, CONTRACT)
        self.desk.catalog.references = dict.fromkeys(units, "def f(a): return a\n")
        self.desk.catalog.given_files = {A2.id: (GIVEN,)}
        self.workspace = WorkspaceFiles(root, self.desk.catalog.course, Settings(root / ".ol"))
        self.desk.workspace = self.workspace  # type: ignore[assignment]
        self.root = root
        self.two, self.three = (self.workspace.unit_path(unit) for unit in A2.units)

    def start(self, id: str = "A.2", **options: Any) -> Page:
        return start(self.desk.ports(), self.desk.module(id), **options)

    def told(self, id: str = "A.2", **options: Any) -> str:
        return "\n".join(self.start(id, **options).lines)

    def files(self) -> dict[str, bytes]:
        found = (path for path in self.root.rglob("*") if path.is_file())
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def student(tmp_path: Path) -> Student:
    return Student(tmp_path)


def test_the_stub_the_given_test_and_the_conftest_are_written(student: Student) -> None:
    told = student.told()
    assert set(student.files()) == {
        "python/tiny/lm/two.py",
        "python/tiny/lm/three.py",
        "python/tests/a-2/test_a.py",
        "python/conftest.py",
        ".ol/state.json",
        ".ol/state.lock",
        ".ol/.gitignore",
    }
    assert b'raise NotImplementedError("A.2: f is not written yet")' in student.two.read_bytes()
    assert "written   python/tiny/lm/two.py" in told and "written   python/tests/a-2/test_a.py" in told


def test_the_page_tells_the_rung_the_needs_and_the_next_command_in_a_dozen_lines(student: Student) -> None:
    page = student.start()
    told = "\n".join(page.lines)
    assert len(page.lines) <= 14
    assert page.lines[:2] == ("A.2  Module A.2  [R3: one test given]", "write the others first")
    assert "needs     not started: A.1\n          `ol start A.2 --ref-deps` takes the reference's\n" in told
    assert "next      ol tests A.2" in told and "ol tdd red A.2" in told


def test_a_module_without_tests_is_checked_against_its_contract(student: Student) -> None:
    lines = student.start("A.1").lines
    assert lines[0] == "A.1  Module A.1  [no course tests yet]" and "reported as unverified" in lines[1]
    assert lines[-1] == "next      ol check A.1"


def test_started_twice_nothing_changes_and_what_is_left_is_named(student: Student) -> None:
    student.start()
    student.two.write_bytes(b"mine\n")
    (student.root / "python/tests/a-2/test_a.py").write_bytes(b"mine too\n")
    before = student.files()
    told = student.told()
    assert student.files() == before
    assert "left      python/tiny/lm/two.py, which was there" in told
    assert "left      python/tests/a-2/test_a.py, which was there" in told


def test_only_what_is_missing_is_written(student: Student) -> None:
    student.start()
    student.three.unlink()
    assert "written   python/tiny/lm/three.py" in student.told() and student.three.exists()


def test_fresh_puts_the_old_units_away_but_never_the_tests(student: Student) -> None:
    student.start()
    student.two.write_bytes(b"mine\n")
    (student.root / "python/tests/a-2/test_a.py").write_bytes(b"mine too\n")
    told = student.told(fresh=True)
    kept = {name: content for name, content in student.files().items() if name.startswith(".ol/kept/")}
    assert {name.split("/", 3)[3] for name in kept} == {"python/tiny/lm/three.py", "python/tiny/lm/two.py"}
    assert b"mine\n" in kept.values() and b"NotImplementedError" in student.two.read_bytes()
    assert (student.root / "python/tests/a-2/test_a.py").read_bytes() == b"mine too\n"
    assert "put away  python/tiny/lm/two.py → .ol/kept/" in told


def test_missing_appends_stubs_for_names_and_shows_those_of_methods(student: Student) -> None:
    student.start()
    student.two.write_bytes(b"class M:\n    x = 1\n")
    told = student.told(missing=True)
    text = student.two.read_text(encoding="utf-8")
    assert text.startswith("class M:\n    x = 1\n\n\nLIMIT: int = 3\n") and "def f(a: int)" in text
    assert "def g" not in text
    assert "added     LIMIT, f to python/tiny/lm/two.py" in told
    assert "lacking   M.g: paste this into its class" in told and "    def g(self) -> int:" in told
    assert "added     nothing to python/tiny/lm/three.py" in told


def test_missing_twice_adds_nothing_the_second_time(student: Student) -> None:
    student.start()
    student.two.write_bytes(b"class M:\n    def g(self): ...\n")
    student.start(missing=True)
    before = student.files()
    assert "added     nothing to python/tiny/lm/two.py" in student.told(missing=True)
    assert student.files() == before


def test_the_chapter_is_named_and_reading_that_the_course_has(student: Student) -> None:
    assert "chapter " not in student.told() and "reading " not in student.told()
    student.desk.catalog.root, student.desk.catalog.chapters = student.root, ("A.1", "A.2")
    assert "chapter   course/chapters/A.2.md\nreading   A.1\n" in student.told()


def test_ref_deps_are_remembered_and_said(student: Student) -> None:
    told = student.told(ref_deps="failing")
    assert "--ref-deps=failing is remembered" in told and "takes the reference's" not in told
    assert student.workspace.assisted(A2.id) == "failing" and student.workspace.last_started() == A2.id


@pytest.mark.parametrize("options", [{}, {"fresh": True}, {"missing": True}])
def test_started_again_it_keeps_the_ref_deps_until_others_are_given(
    student: Student, options: dict[str, Any]
) -> None:
    student.start(ref_deps="all")
    assert "--ref-deps=all is remembered" in student.told(**options)
    assert student.workspace.assisted(A2.id) == "all"
    assert "--ref-deps=A.1 is remembered" in student.told(ref_deps="A.1")


def test_ref_deps_none_forgets_what_was_remembered(student: Student) -> None:
    student.start(ref_deps="all")
    assert "is remembered" not in student.told(ref_deps="none")
    assert student.workspace.assisted(A2.id) is None


@pytest.mark.parametrize(
    ("options", "slug"),
    [
        ({"missing": True, "fresh": True}, "missing-and-fresh"),
        ({"ref_deps": "A.2"}, "not-a-need"),
        ({"ref_deps": "Z"}, "unknown-id"),
    ],
)
def test_a_wrong_option_is_refused_before_anything_is_written(
    student: Student, options: dict[str, Any], slug: str
) -> None:
    with pytest.raises(WrongRequest) as caught:
        student.start(**options)
    assert caught.value.slug == slug and student.files() == {}


def spoil_unit(student: Student) -> None:
    student.two.parent.mkdir(parents=True)
    student.two.symlink_to(student.root / "nowhere")


def spoil_tests(student: Student) -> None:
    (student.root / "python/tests/a-2").mkdir(parents=True)
    (student.root / "python/tests/a-2/numpy.py").write_bytes(b"")


def spoil_python(student: Student) -> None:
    (student.root / "python").write_bytes(b"")


def spoil_contract(student: Student) -> None:
    student.desk.catalog.contracts["lm/three.py"] = "def f("


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (spoil_unit, WorkRefused),
        (spoil_tests, WorkRefused),
        (spoil_python, WorkRefused),
        (spoil_contract, CourseWrong),
    ],
)
def test_everything_is_looked_at_before_anything_is_written(
    student: Student, spoil: Any, error: type[OlError]
) -> None:
    spoil(student)
    before = student.files()
    with pytest.raises(error):
        student.start(fresh=True)
    assert student.files() == before


@pytest.mark.parametrize(("content", "slug"), [(b"def f(", "does-not-parse"), (b"\xff", "not-utf8")])
def test_missing_needs_a_file_that_can_be_read_and_leaves_one_that_cannot(
    student: Student, content: bytes, slug: str
) -> None:
    student.start()
    student.three.write_bytes(content)
    before = student.files()
    with pytest.raises(WorkRefused) as caught:
        student.start(missing=True)
    assert caught.value.slug == slug and "lm/three.py" in caught.value.message and student.files() == before


def test_a_tampered_course_is_a_remark_as_nothing_is_graded(student: Student) -> None:
    student.desk.catalog.changed = ("course/mutants/A.2.toml",)
    assert "note: Course files differ from course.lock: course/mutants/A.2.toml." in student.told()
