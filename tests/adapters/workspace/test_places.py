"""Where the workspace is, and where what is remembered of it lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.workspace.places import find_workspace, settings_folder, user_cache
from ol.domain.errors import WrongRequest
from ol.domain.exit_code import ExitCode
from tests.fakes import Desk
from tests.made import module

COURSE = Desk.of(module("A.1", tests=()), module("A.2", needs=("A.1",))).catalog.course


@pytest.mark.parametrize("mark", ["python/tiny", "journals", ".ol"])
def test_the_workspace_is_the_nearest_folder_upward_with_a_student_s_work(tmp_path: Path, mark: str) -> None:
    (tmp_path / mark).mkdir(parents=True)
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert find_workspace(deep, COURSE) == tmp_path.resolve()
    (tmp_path / "a" / mark).mkdir(parents=True)
    assert find_workspace(deep, COURSE) == (tmp_path / "a").resolve()


def test_another_package_or_a_file_of_that_name_is_no_workspace(tmp_path: Path) -> None:
    (tmp_path / "python" / "other").mkdir(parents=True)
    (tmp_path / "journals").write_text("", encoding="utf-8")
    with pytest.raises(WrongRequest, match="python/tiny") as caught:
        find_workspace(tmp_path, COURSE)
    assert caught.value.exit_code is ExitCode.WRONG_REQUEST and "`ol start A.2`" in caught.value.next_step


def test_a_workspace_may_begin_where_it_is_told(tmp_path: Path) -> None:
    assert find_workspace(tmp_path, COURSE, otherwise=tmp_path) == tmp_path.resolve()


def test_settings_lie_in_the_workspace_unless_the_course_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    assert settings_folder(tmp_path, trusted=False) == tmp_path / ".ol"
    one, other = (settings_folder(tmp_path / name, trusted=True) for name in ("a", "b"))
    assert one != other and not one.is_relative_to(tmp_path / "a")


@pytest.mark.parametrize(
    ("platform", "environment", "cache"),
    [
        ("linux", {}, "/home/me/.cache"),
        ("linux", {"XDG_CACHE_HOME": "/fast"}, "/fast"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/me/.cache"),
        ("darwin", {"XDG_CACHE_HOME": "/fast"}, "/home/me/Library/Caches"),
        ("win32", {}, "/home/me/AppData/Local"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local"),
    ],
)
def test_the_user_s_cache_follows_the_platform(
    platform: str, environment: dict[str, str], cache: str
) -> None:
    assert user_cache(platform, environment, Path("/home/me")) == Path(cache)
