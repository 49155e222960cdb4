"""The lock on disk: an edited, added or removed course file is seen, and nothing else is."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from ol.adapters.course import lock as course_lock
from ol.adapters.course.files import CourseFiles
from ol.domain.authoring import lock
from ol.domain.errors import CourseWrong
from tests.adapters.tiny_course import catalog, copied, edit


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The tiny course, with a corpus that a program makes, locked."""
    root = copied(tmp_path / "course")
    corpus = root / "course/corpora/words"
    corpus.mkdir(parents=True)
    (corpus / "SHA256SUMS").write_text(
        f"{hashlib.sha256(b'made').hexdigest()}  train.txt\n", encoding="utf-8"
    )
    (corpus / "train.txt").write_bytes(b"made")
    write_lock(root)
    return root


def write_lock(root: Path) -> None:
    (root / lock.PATH).write_text(catalog(root).lock_of_today().text(), encoding="utf-8")


def tampered(root: Path, *ids: str) -> tuple[str, ...]:
    files: CourseFiles = catalog(root)
    return files.tampered([files.course.module(id) for id in ids])


def test_a_course_that_is_as_it_was_locked_is_not_tampered_with(root: Path) -> None:
    assert tampered(root, "A0", "A1") == ()
    assert catalog(root).lock_hash == hashlib.sha256((root / lock.PATH).read_bytes()).hexdigest()


def test_a_course_without_a_lock_has_an_empty_hash(root: Path) -> None:
    (root / lock.PATH).unlink()
    assert catalog(root).lock_hash == "" and tampered(root, "A1") == ()


@pytest.mark.parametrize(
    "path",
    [
        "course/course.toml",
        "course/modules/A1.toml",
        "course/contracts/py/tinycalc/calc.pyi",
        "course/tests/A1/test_calc.py",
        "course/tests/frozen/__init__.py",
        "course/mutants/A1.toml",
        "course/wheats/A1/w01.py",
        "course/reference/tinycalc/calc.py",
        "course/corpora/words/train.txt",
    ],
)
def test_an_edited_file_of_the_module_is_named(root: Path, path: str) -> None:
    with (root / path).open("ab") as file:
        file.write(b"\n# \n")
    assert tampered(root, "A1") == (path,)


def test_another_module_s_file_does_not_count(root: Path) -> None:
    edit(root / "course/tests/A1/test_calc.py", "def ", "def  ")
    assert tampered(root, "A0") == ()


def test_an_added_conftest_beside_the_course_tests_is_named(root: Path) -> None:
    (root / "course/tests/A1/conftest.py").write_text("", encoding="utf-8")
    assert tampered(root, "A1") == ("course/tests/A1/conftest.py",)


def test_a_removed_file_is_named_but_a_made_one_may_be_absent(root: Path) -> None:
    (root / "course/wheats/A1/w01.py").unlink()
    (root / "course/corpora/words/train.txt").unlink()
    assert tampered(root, "A1") == ("course/wheats/A1/w01.py",)


def test_a_lock_that_cannot_be_read_is_itself_named(root: Path) -> None:
    (root / lock.PATH).write_text("files = 3", encoding="utf-8")
    assert tampered(root, "A1") == (lock.PATH,)


def test_bytecode_beside_the_course_changes_nothing(root: Path) -> None:
    (root / "course/tests/frozen/__pycache__").mkdir()
    (root / "course/tests/frozen/__pycache__/x.cpython-311.pyc").write_bytes(b"x")
    assert tampered(root, "A1") == ()


def test_an_edit_within_one_process_is_seen(root: Path) -> None:
    files = catalog(root)
    module = files.course.module("A1")
    assert files.tampered([module]) == ()
    edit(root / "course/mutants/A1.toml", "s01", "s09")
    assert files.tampered([module]) == ("course/mutants/A1.toml",)


# ---- what a verdict is remembered under


def vouched(root: Path, id: str = "A1") -> str:
    files = catalog(root)
    return files.vouched_for(files.course.module(id))


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("course/course.toml", True),
        ("course/modules/A1.toml", True),
        ("course/tests/A1/test_calc.py", True),
        ("course/tests/frozen/__init__.py", True),
        ("course/reference/tinycalc/num.py", True),
        ("course/mutants/A1.toml", False),
        ("course/wheats/A1/w01.py", False),
        ("course/given/A1/test_calc.py", False),
        ("course/exemplars/A1/test_calc.py", False),
        ("course/modules/A0.toml", False),
        ("course/contracts/py/tinycalc/calc.pyi", False),
    ],
)
def test_a_new_lock_forgets_what_hangs_on_a_changed_file_and_nothing_else(
    path: str, counts: bool, root: Path
) -> None:
    before = vouched(root)
    with (root / path).open("a", encoding="utf-8") as file:
        file.write("\n# more\n")
    assert vouched(root) == ("" if path in tampered(root, "A0", "A1") else before)
    write_lock(root)
    assert before and vouched(root)
    assert (vouched(root) != before) == counts


def test_without_a_lock_nothing_is_vouched_for(root: Path) -> None:
    (root / lock.PATH).unlink()
    assert vouched(root) == ""
    (root / lock.PATH).write_text("version =", encoding="utf-8")
    assert vouched(root) == ""


SOURCES: dict[str, Callable[[CourseFiles], object]] = {
    "course/tests/A1/test_calc.py": lambda files: files.course_tests(files.course.module("A1")),
    "course/given/A1/test_calc.py": lambda files: files.given(files.course.module("A1")),
    "course/reference/tinycalc/calc.py": lambda files: files.reference("calc.py"),
    "course/wheats/A1/w01.py": lambda files: files.wheats(files.course.module("A1")),
}


@pytest.mark.parametrize("path", SOURCES)
def test_what_only_a_newer_python_parses_is_the_courses_fault_and_not_the_students(
    path: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An author's Python may read what a student's does not: the lock then proves nothing of it here."""
    with (root / path).open("a", encoding="utf-8") as file:
        file.write("\ndef (:\n")
    monkeypatch.setattr(course_lock, "PYTHON", (3, 99))
    write_lock(root)
    SOURCES[path](catalog(root))
    monkeypatch.undo()
    assert tampered(root, "A1") == ()
    with pytest.raises(CourseWrong, match=rf"{path}, line \d+, does not parse"):
        SOURCES[path](catalog(root))
