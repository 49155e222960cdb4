"""A pass of the values gate is remembered for exactly the files that it hangs on."""

from __future__ import annotations

import shutil
from pathlib import Path

from ol.adapters.course.author_files import AuthorFiles
from ol.adapters.runner import SuiteRunner
from ol.domain.report import Verdict
from tests.commands.values_world import ADDED, PROBED, RIGHT, Student, Watched, gate


def locked(runner: SuiteRunner, root: Path) -> Student:
    shutil.copytree(PROBED, root)
    (root / "course/course.lock").write_text(AuthorFiles(root).lock_of_today().text(), encoding="utf-8")
    return Student(Watched(runner), root)


def test_a_pass_is_remembered_for_exactly_these_files(probed_runner: SuiteRunner, tmp_path: Path) -> None:
    student = locked(probed_runner, tmp_path / "course")
    assert not gate(student, RIGHT, cached=True).cached
    assert gate(student, RIGHT, cached=True).cached
    assert not gate(student, RIGHT, cached=False).cached
    assert not gate(student, RIGHT + "\n", cached=True).cached


def test_a_failure_is_not_remembered(probed_runner: SuiteRunner, tmp_path: Path) -> None:
    student = locked(probed_runner, tmp_path / "course")
    assert [gate(student, ADDED, cached=True).verdict for _ in range(2)] == [Verdict.FAILED] * 2


def test_an_edited_probe_is_tampered_with(probed_runner: SuiteRunner, tmp_path: Path) -> None:
    student = locked(probed_runner, tmp_path / "course")
    path = student.root / "course/probes/P1.py"
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert student.ports(RIGHT).catalog.tampered(student.ports(RIGHT).catalog.course.modules.values()) == (
        "course/probes/P1.py",
    )
