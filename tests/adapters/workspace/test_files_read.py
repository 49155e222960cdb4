"""A student's files as they are read: what is taken, and what is refused by name."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ol.adapters.workspace.files import WorkspaceFiles
from ol.domain.errors import WorkRefused
from ol.domain.exit_code import ExitCode
from tests.adapters.workspace.on_disk import (
    A1,
    UNIT,
    dangling_link,
    denied,
    file_for_a_folder,
    file_for_python,
    folder_for_a_file,
    link_folder,
    link_unit,
    module_in_the_package_s_place,
    put,
    shadow_beside_the_code,
    shadow_folder,
    too_large,
)


def test_a_unit_is_named_below_the_workspace(workspace: WorkspaceFiles) -> None:
    put(workspace.unit_path(UNIT))
    file = workspace.unit(UNIT)
    assert file is not None and (file.name, file.content) == ("python/tiny/lm/a.py", b"x = 1\n")


def test_a_unit_that_is_not_there_is_none_and_an_empty_one_is_a_file(workspace: WorkspaceFiles) -> None:
    assert workspace.unit(UNIT) is None
    put(workspace.unit_path(UNIT), b"")
    file = workspace.unit(UNIT)
    assert file is not None and file.text() == ""


def test_every_file_of_the_test_folder_is_taken_but_what_tools_leave(workspace: WorkspaceFiles) -> None:
    folder = workspace.tests_path(A1)
    for name in (
        "test_b.py",
        "data/x.json",
        "conftest.py",
        "__pycache__/a.pyc",
        ".pytest_cache/x",
        ".DS_Store",
        "a.pyc",
    ):
        put(folder / name)
    assert [file.name for file in workspace.tests(A1)] == ["conftest.py", "data/x.json", "test_b.py"]


def test_an_empty_test_folder_and_none_hold_no_test(workspace: WorkspaceFiles) -> None:
    assert workspace.tests(A1) == ()
    workspace.tests_path(A1).mkdir(parents=True)
    assert workspace.tests(A1) == ()


@pytest.mark.parametrize(
    ("spoil", "slug"),
    [
        (link_unit, "link"),
        (link_folder, "link"),
        (dangling_link, "link"),
        (folder_for_a_file, "not-a-file"),
        (file_for_a_folder, "not-a-folder"),
        (file_for_python, "not-a-folder"),
        (too_large, "file-too-large"),
        (shadow_beside_the_code, "shadow-name"),
        (shadow_folder, "shadow-name"),
        (module_in_the_package_s_place, "shadow-name"),
    ],
)
def test_a_unit_that_cannot_be_taken_is_refused_by_name(
    workspace: WorkspaceFiles, spoil: Callable[[WorkspaceFiles], None], slug: str
) -> None:
    spoil(workspace)
    with pytest.raises(WorkRefused, match="python") as caught:
        workspace.unit(UNIT)
    assert (caught.value.slug, caught.value.exit_code) == (slug, ExitCode.FAILED) and caught.value.next_step


@pytest.mark.parametrize("name", ["numpy.py", "json/deep.py", "sub/pytest.py", "Random.py"])
def test_a_test_file_with_a_library_s_name_is_refused(workspace: WorkspaceFiles, name: str) -> None:
    put(workspace.tests_path(A1) / name)
    with pytest.raises(WorkRefused, match="python/tests/a-1/") as caught:
        workspace.tests(A1)
    assert caught.value.slug == "shadow-name"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there every name is Unicode")
@pytest.mark.parametrize("name", [b"test_\xff.py", b"d\xff/x.json"])
def test_a_name_that_is_not_utf8_is_refused_and_shown_readable(
    workspace: WorkspaceFiles, name: bytes
) -> None:
    put(workspace.tests_path(A1) / os.fsdecode(name))
    with pytest.raises(WorkRefused) as caught:
        workspace.tests(A1)
    assert caught.value.slug == "name-not-utf8"
    shown = os.fsdecode(name.split(b"/")[0].replace(b"\xff", rb"\xff"))
    assert caught.value.message == f"The name of python/tests/a-1/{shown} is not UTF-8."


@pytest.mark.skipif(sys.platform == "win32", reason="there most of them cannot be")
@pytest.mark.parametrize(
    "name",
    ["test_a:b.py", "test_a\\b.py", "test_new\nline.py", "test\u00a0a.py", "d\u200b/x.json", "a" * 200],
)
def test_a_name_that_no_journal_or_other_system_can_have_is_refused(
    workspace: WorkspaceFiles, name: str
) -> None:
    put(workspace.tests_path(A1) / name)
    with pytest.raises(WorkRefused) as caught:
        workspace.tests(A1)
    assert caught.value.slug == "odd-name"
    assert repr(name.split("/")[0]) in caught.value.message and "\n" not in caught.value.message


@pytest.mark.parametrize("name", ["test_[a].py", "test a-b.py", "test_ä€😀.py", "test'\".py", "a" * 199])
def test_every_other_name_is_taken(workspace: WorkspaceFiles, name: str) -> None:
    put(workspace.tests_path(A1) / name)
    assert [file.name for file in workspace.tests(A1)] == [name]


def test_test_files_beside_the_modules_folders_are_named(workspace: WorkspaceFiles) -> None:
    assert workspace.loose_tests() == ()
    folder = workspace.tests_path(A1).parent
    for name in ("test_b.py", "a_test.py", "conftest.py", "notes.txt", "a1/test_a.py"):
        put(folder / name)
    assert workspace.loose_tests() == ("a_test.py", "test_b.py")


def test_a_data_folder_may_have_any_name(workspace: WorkspaceFiles) -> None:
    put(workspace.tests_path(A1) / "json" / "random.json")
    assert [file.name for file in workspace.tests(A1)] == ["json/random.json"]


def test_a_link_in_the_test_folder_is_refused_wherever_it_points(workspace: WorkspaceFiles) -> None:
    put(workspace.tests_path(A1) / "test_a.py")
    (workspace.tests_path(A1) / "data").symlink_to(workspace.root, target_is_directory=True)
    with pytest.raises(WorkRefused, match="python/tests/a-1/data is a link"):
        workspace.tests(A1)


@pytest.mark.parametrize("place", ["python", "python/tests", "python/tests/a-1"])
def test_a_file_in_a_folder_s_place_is_named_for_tests_too(workspace: WorkspaceFiles, place: str) -> None:
    put(workspace.root / place)
    with pytest.raises(WorkRefused, match=f"^{place} is a file where a folder must be") as caught:
        workspace.tests(A1)
    assert caught.value.slug == "not-a-folder"


def test_a_pipe_in_a_unit_s_place_is_refused_and_not_waited_for(workspace: WorkspaceFiles) -> None:
    workspace.unit_path(UNIT).parent.mkdir(parents=True)
    os.mkfifo(workspace.unit_path(UNIT))
    with pytest.raises(WorkRefused, match="no plain file"):
        workspace.unit(UNIT)


def test_a_file_that_may_not_be_read_is_refused(
    workspace: WorkspaceFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(workspace.unit_path(UNIT))
    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(WorkRefused, match="Permission denied") as caught:
        workspace.unit(UNIT)
    assert caught.value.slug == "unreadable"


def test_the_conftest_is_the_one_of_this_repository(workspace: WorkspaceFiles) -> None:
    path, content = workspace.conftest()
    assert path == workspace.root / "python" / "conftest.py"
    assert content == (Path(__file__).parents[3] / "python" / "conftest.py").read_bytes()


def test_what_is_remembered_goes_through_the_settings(workspace: WorkspaceFiles) -> None:
    assert workspace.last_started() is None
    workspace.remember_start(A1.id, "all")
    workspace.remember_hint(A1.id, "s07", 1)
    assert (workspace.last_started(), workspace.assisted(A1.id)) == (A1.id, "all")
    assert workspace.hint_steps(A1.id) == (("s07", 1),)
