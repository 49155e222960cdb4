"""A milestone's files: what is read of them, and what is wrong with them by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.course.faults import faults
from ol.adapters.course.files import CourseFiles
from ol.domain.authoring.bar_record import BarRecord
from ol.domain.course import ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from tests.cli.student import TINY, course_in, edited

MILESTONE = """
id = "MS-A"
title = "Heard"
needs = ["A1"]
contract = "course/contracts/cli/tinycalc.md"
entry = ["__main__.py", "cli/"]
[[steps]]
name = "add"
argv = ["add", "1", "2"]
metrics = [{ name = "sum", equals = 3 }]
files = ["sum.txt"]
[[figures]]
name = "sum"
step = "add"
metric = "sum"
agree = 0.1
bar = "sum"
advice = "add"
[[claims]]
name = "kept"
why = "it stays"
[[probes]]
name = "sum"
why = "it is one"
[[bars]]
name = "sum"
seeds = []
"""
FILES = {
    "milestones/MS-A.toml": MILESTONE,
    "milestones/MS-A/judge.py": "def figure_sum(work): ...\ndef claim_kept(work): ...\n",
    "milestones/MS-A/probes.py": "def probe_sum(seed): ...\n",
    "milestones/MS-A/stand_in/calc.py": "frozen = True\n",
    "milestones/MS-A/skeleton/__main__.py": "raise NotImplementedError\n",
    "reference/tinycalc/__main__.py": "print('right')\n",
    "reference/tinycalc/cli/add.py": "x = 1\n",
    "bars/MS-A.toml": (
        '[sum]\nrecipe = "r"\nseeds = []\nfigures = [3.0]\nmean = 3.0\nsd = 0.0\nupper = 3.0\nlower = 3.0\n'
    ),
}
MS = ModuleId("MS-A")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    course_in(tmp_path, TINY)
    for name, text in FILES.items():
        path = tmp_path / "course" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_a_milestone_is_known_by_its_file_and_its_material_lies_beside_it(root: Path) -> None:
    files = CourseFiles(root)
    milestone = files.course.milestone("ms-a")
    assert list(files.course.milestones) == [MS]
    assert milestone.steps[0].metrics[0].equals == 3
    found = files.material(milestone)
    assert [file.name for file in found.reference] == ["__main__.py", "cli/add.py"]
    assert found.skeleton == (File("__main__.py", b"raise NotImplementedError\n"),)
    assert found.stand_in == {"calc.py": "frozen = True\n"}
    assert found.bars == {"sum": BarRecord.exact("r", 3.0)}
    assert faults(files) == ()


@pytest.mark.parametrize(
    ("file", "old", "new", "slug"),
    [
        ("milestones/MS-A.toml", "argv", "words", "unknown-key"),
        ("milestones/MS-A.toml", '"A1"', '"A9"', "unknown-name"),
        ("milestones/MS-A.toml", "agree = 0.1", 'agree = "much"', "wrong-value"),
        ("milestones/MS-A/judge.py", "def claim_kept", "def claim_left", "judge-lacks"),
        (
            "milestones/MS-A/judge.py",
            "def figure_sum(work): ...",
            "def figure_sum(work)",
            "course-unreadable",
        ),
        ("milestones/MS-A/probes.py", "probe_sum", "probe_mean", "probe-missing"),
        ("bars/MS-A.toml", "[sum]", "[mean]", "bar-missing"),
    ],
)
def test_what_is_wrong_is_named_and_hinders_no_module(
    root: Path, file: str, old: str, new: str, slug: str
) -> None:
    edited(root / "course" / file, old, new)
    files = CourseFiles(root)
    with pytest.raises(CourseWrong) as stopped:
        files.material(files.course.milestone("MS-A"))
    assert stopped.value.slug == slug and "MS-A" in stopped.value.message
    assert [error.slug for error in faults(files)] == [slug]
    assert files.course.module("A1").id == "A1"


@pytest.mark.parametrize(
    "name", ["milestones/MS-A/judge.py", "milestones/MS-A/stand_in/calc.py", "reference/tinycalc/cli/add.py"]
)
def test_files_that_a_verdict_hangs_on_are_locked(root: Path, name: str) -> None:
    text = CourseFiles(root).lock_of_today().text()
    (root / "course/course.lock").write_text(text, encoding="utf-8", newline="\n")
    assert CourseFiles(root).tampered([CourseFiles(root).course.milestone("MS-A").locked]) == ()
    (root / "course" / name).write_text("# edited\n", encoding="utf-8")
    files = CourseFiles(root)
    assert files.tampered([files.course.milestone("MS-A").locked]) == (f"course/{name}",)
