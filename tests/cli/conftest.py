"""Work that many tests begin with, done once by the commands themselves and copied for each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import term
from tests.cli.student import EXEMPLARS, REFERENCE, ROOT, TINY, Student, begun, course_in, lock


@pytest.fixture(scope="session")
def _started(tmp_path_factory: pytest.TempPathFactory) -> Student:
    student = begun(tmp_path_factory.mktemp("started"))
    lock(course_in(student.root, ROOT))
    student.does("start", "L2.2", "--ref-deps")
    return student


@pytest.fixture(scope="session")
def _done(_started: Student, tmp_path_factory: pytest.TempPathFactory) -> Student:
    student = _started.copied(tmp_path_factory.mktemp("done")).has_tests(EXEMPLARS)
    student.does("tdd", "red")
    student.writes(REFERENCE).does("tdd", "green")
    student.does("check")
    return student


@pytest.fixture(scope="session")
def _calc(tmp_path_factory: pytest.TempPathFactory) -> Student:
    student = begun(tmp_path_factory.mktemp("calc"), tiny=True)
    course_in(student.root, TINY)
    student.does("start", "A1", "--ref-deps")
    return student


@pytest.fixture(scope="session")
def _passed(tmp_path_factory: pytest.TempPathFactory) -> Student:
    return term.done(tmp_path_factory.mktemp("passed"))


@pytest.fixture
def newcomer(tmp_path: Path) -> Student:
    """An empty folder, and the real course elsewhere."""
    return begun(tmp_path, ROOT)


@pytest.fixture
def started(_started: Student, tmp_path: Path) -> Student:
    """A copy of the course, locked, where L2.2 is as `ol start --ref-deps` left it: stub and given test."""
    return _started.copied(tmp_path)


@pytest.fixture
def done(_done: Student, tmp_path: Path) -> Student:
    """The same with the reference's code and the exemplar tests, seen red, then green, and checked once."""
    return _done.copied(tmp_path)


@pytest.fixture
def calc(_calc: Student, tmp_path: Path) -> Student:
    """A copy of the tiny course, with its A1 started."""
    return _calc.copied(tmp_path)


@pytest.fixture
def passed(_passed: Student, tmp_path: Path) -> Student:
    """A copy of the tiny course, locked, with its A1 done, own needs too."""
    return _passed.copied(tmp_path)
