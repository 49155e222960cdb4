"""What git does not hold yet, in a real repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters import process
from ol.adapters.workspace.git import uncommitted

IDENTITY = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}


def git(folder: Path, *arguments: str) -> None:
    environment = {**process.hermetic(), **IDENTITY, "HOME": str(folder)}
    done = process.output_of(["git", *arguments], folder=folder, environment=environment, limit_s=20)
    assert done is not None, arguments


def put(path: Path, text: str = "") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace in a folder of a repository; one of its units is committed."""
    root = tmp_path / "repo" / "my work"
    put(root / "python" / "tiny" / "a.py", "1")
    git(root.parent, "init", "-q")
    git(root.parent, "add", ".")
    git(root.parent, "commit", "-qm", "x")
    return root


def test_nothing_is_missing_when_all_is_committed(root: Path) -> None:
    assert uncommitted(root, ("python", "journals")) == ()


def test_new_edited_staged_and_ignored_files_are_named_below_the_workspace(root: Path) -> None:
    put(root / ".gitignore", "journals/\n")
    put(root / "python" / "tiny" / "a.py", "2")
    put(root / "python" / "tests" / "é b.py")
    put(root / "python" / "staged.py")
    git(root, "add", "python/staged.py")
    put(root / "journals" / "A.1" / "x.jsonl")
    put(root / "elsewhere.py")
    found = uncommitted(root, ("python", "journals"))
    assert found is not None
    assert set(found) == {"python/tiny/a.py", "python/tests/é b.py", "python/staged.py", "journals/"}


def test_what_tools_leave_behind_is_not_named(root: Path) -> None:
    put(root / "python" / "tiny" / "__pycache__" / "a.cpython-311.pyc")
    put(root / "python" / ".pytest_cache" / "x")
    assert uncommitted(root, ("python", "journals")) == ()


def test_without_a_repository_nothing_can_be_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert uncommitted(tmp_path, ("python",)) is None


def test_without_git_nothing_can_be_said(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(root))
    assert uncommitted(root, ("python",)) is None


def test_a_repository_without_a_commit_holds_nothing(tmp_path: Path) -> None:
    put(tmp_path / "python" / "a.py")
    git(tmp_path, "init", "-q")
    assert uncommitted(tmp_path, ("python",)) == ("python/a.py",)
