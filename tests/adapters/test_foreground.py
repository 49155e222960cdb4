"""The terminal's foreground: real files, the user's environment, the workspace before the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.foreground import TerminalForeground

TEST = """
import os
import frozen
from tinyllm import mine, theirs

def test_sources():
    assert (mine.FROM, theirs.FROM) == ("workspace", "reference")

def test_root():
    assert os.environ["OL_COURSE_ROOT"] == frozen.ROOT
"""

PROGRAM = "import sys, frozen\nprint(sys.argv[1:], file=sys.stderr)\nsys.exit(3)"


@pytest.fixture
def foreground(tmp_path: Path) -> TerminalForeground:
    """A course and a workspace apart; one unit is the student's, one only the reference's."""
    course, workspace = tmp_path / "course root", tmp_path / "workspace"
    files = {
        workspace / "python/tinyllm/mine.py": "FROM = 'workspace'",
        course / "course/reference/tinyllm/mine.py": "FROM = 'reference'",
        course / "course/reference/tinyllm/theirs.py": "FROM = 'reference'",
        course / "course/tests/frozen/__init__.py": f"ROOT = {str(course.resolve())!r}",
        course / "course/tests/A1/test_a.py": TEST,
        course / "course/oracle/A1/golden.py": PROGRAM,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return TerminalForeground(course, workspace)


def test_pytest_runs_on_the_real_files_and_its_exit_code_is_told(
    foreground: TerminalForeground, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tests = tmp_path / "course root/course/tests/A1"
    assert foreground.pytest(["-q"], [tests]) == 0
    assert "2 passed" in capfd.readouterr().out
    assert foreground.pytest(["-q", "-k", "nothing"], [tests]) == 5
    (tests / "test_a.py").write_text("def test_it(): assert False", encoding="utf-8")
    assert foreground.pytest([], [tests]) == 1


def test_settings_above_the_course_tests_do_not_put_the_reference_first(
    foreground: TerminalForeground, tmp_path: Path
) -> None:
    settings = '[tool.pytest.ini_options]\npythonpath = ["course/reference"]\n'
    (tmp_path / "course root/pyproject.toml").write_text(settings, encoding="utf-8")
    assert foreground.pytest(["-q"], [tmp_path / "course root/course/tests/A1"]) == 0


def test_a_course_program_is_told_by_its_exit_code_and_complaints(
    foreground: TerminalForeground, tmp_path: Path
) -> None:
    script = tmp_path / "course root/course/oracle/A1/golden.py"
    assert foreground.program(script, ["--seed", "1"]) == (3, "['--seed', '1']\n")


def test_a_scratch_folder_is_gone_afterwards(foreground: TerminalForeground) -> None:
    with foreground.scratch() as folder:
        (folder / "made").write_text("", encoding="utf-8")
    assert not folder.exists()
