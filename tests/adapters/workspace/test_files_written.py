"""A student's files as they are written: nothing of theirs is ever lost, and nothing is half written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ol.adapters import durable, safe_write
from ol.adapters.workspace.files import WorkspaceFiles
from ol.domain.errors import WorkRefused, WrongRequest
from ol.domain.exit_code import ExitCode
from tests.adapters.workspace.on_disk import (
    A1,
    UNIT,
    dangling_link,
    denied,
    everything,
    file_for_a_folder,
    folder_for_a_file,
    link_folder,
    link_unit,
    put,
)


def test_files_are_written_with_their_folders(workspace: WorkspaceFiles) -> None:
    path = workspace.unit_path(UNIT)
    assert workspace.create([(path, b"a"), (workspace.tests_path(A1) / "test_a.py", b"b")]) == ()
    assert everything(workspace.root) == {"python/tiny/lm/a.py": b"a", "python/tests/a-1/test_a.py": b"b"}


def test_a_file_that_exists_is_left_and_returned(workspace: WorkspaceFiles) -> None:
    path = put(workspace.unit_path(UNIT), b"mine")
    other = workspace.tests_path(A1) / "test_a.py"
    assert workspace.create([(path, b"a"), (other, b"b")]) == (path,)
    assert path.read_bytes() == b"mine" and other.read_bytes() == b"b"


def test_without_hard_links_nothing_is_overwritten_either(
    workspace: WorkspaceFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "link", denied)
    path = workspace.unit_path(UNIT)
    assert workspace.create([(path, b"a")]) == () and workspace.create([(path, b"b")]) == (path,)
    assert everything(workspace.root) == {"python/tiny/lm/a.py": b"a"}


def test_a_file_that_appears_at_the_last_moment_is_not_overwritten(
    workspace: WorkspaceFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = workspace.unit_path(UNIT)
    monkeypatch.setattr(os.path, "lexists", lambda _: put(path, b"theirs") is None)
    assert workspace.create([(path, b"ours")]) == (path,)
    assert everything(workspace.root) == {"python/tiny/lm/a.py": b"theirs"}


def test_when_one_file_cannot_be_written_none_is(
    workspace: WorkspaceFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = os.link

    def full_disk(source: Path, path: Path) -> None:
        if path.name == "test_a.py":
            raise OSError(28, "No space left on device", str(path))
        whole(source, path)

    monkeypatch.setattr(os, "link", full_disk)
    monkeypatch.setattr(durable, "create", failing_at("test_a.py", durable.create))
    with pytest.raises(WrongRequest, match="No space left") as caught:
        workspace.create([(workspace.unit_path(UNIT), b"a"), (workspace.tests_path(A1) / "test_a.py", b"b")])
    assert (caught.value.slug, caught.value.exit_code) == ("cannot-write", ExitCode.WRONG_REQUEST)
    assert list(workspace.root.rglob("*")) == []


def failing_at(name: str, write: Callable[[Path, bytes], None]) -> Callable[[Path, bytes], None]:
    def attempt(path: Path, content: bytes) -> None:
        if path.name == name:
            raise OSError(28, "No space left on device", str(path))
        write(path, content)

    return attempt


@pytest.mark.parametrize(
    "spoil", [link_unit, link_folder, dangling_link, folder_for_a_file, file_for_a_folder]
)
def test_nothing_is_written_through_a_link_or_over_what_is_no_file(
    workspace: WorkspaceFiles, spoil: Callable[[WorkspaceFiles], None]
) -> None:
    spoil(workspace)
    before = everything(workspace.root)
    with pytest.raises(WorkRefused):
        workspace.create([(workspace.tests_path(A1) / "test_a.py", b"b"), (workspace.unit_path(UNIT), b"a")])
    assert everything(workspace.root) == before


def test_a_read_only_folder_is_a_wrong_request_that_says_so(
    workspace: WorkspaceFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Path, *_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system", str(self))

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(
        WrongRequest, match="python/tiny/lm cannot be written: Read-only file system"
    ) as caught:
        workspace.create([(workspace.unit_path(UNIT), b"a")])
    assert caught.value.next_step


def test_kept_files_move_below_dot_ol_and_two_in_one_second_do_not_meet(workspace: WorkspaceFiles) -> None:
    places = []
    path = put(workspace.unit_path(UNIT), b"first")
    for content in (b"second", b"third", b"fourth"):
        places.append(workspace.renew(path, content))
        assert path.read_bytes() == content
    assert [place.read_bytes() for place in places] == [b"first", b"second", b"third"]
    assert all(place.is_relative_to(workspace.root / ".ol" / "kept") for place in places)
    assert all(place.as_posix().endswith("python/tiny/lm/a.py") for place in places)


def test_a_place_that_is_taken_is_not_written_over(tmp_path: Path) -> None:
    path, kept = put(tmp_path / "a.py", b"mine"), put(tmp_path / "kept/a.py", b"an older one")
    with pytest.raises(WrongRequest, match=r"kept/a\.py cannot be written: File exists"):
        safe_write.renew(path, b"stub", kept)
    assert everything(tmp_path) == {"a.py": b"mine", "kept/a.py": b"an older one"}


def test_what_cannot_be_written_anew_is_where_it_was(
    workspace: WorkspaceFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(workspace.unit_path(UNIT), b"mine")
    monkeypatch.setattr(os, "link", denied)
    monkeypatch.setattr(durable, "create", failing_at("a.py", durable.create))
    with pytest.raises(WrongRequest, match=r"a\.py cannot be written: No space left on device"):
        workspace.renew(path, b"stub")
    assert everything(workspace.root) == {"python/tiny/lm/a.py": b"mine", ".ol/.gitignore": b"*\n"}


def test_what_another_appended_a_moment_ago_is_not_appended_twice(workspace: WorkspaceFiles) -> None:
    path = put(workspace.unit_path(UNIT), b"a\n")
    workspace.append(path, "\n\nb\n")
    workspace.append(path, "\n\nb\n")
    assert path.read_bytes() == b"a\n\n\nb\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\n", b"a\nb\n"),
        (b"a", b"a\nb\n"),
        (b"", b"b\n"),
        (b"a\r\n", b"a\r\nb\r\n"),
        (b"\xef\xbb\xbfa", b"\xef\xbb\xbfa\nb\n"),
    ],
)
def test_what_is_appended_begins_a_line_in_the_file_s_own_manner(
    workspace: WorkspaceFiles, before: bytes, after: bytes
) -> None:
    path = put(workspace.unit_path(UNIT), before)
    path.chmod(0o600)
    workspace.append(path, "b\n")
    assert path.read_bytes() == after and path.stat().st_mode & 0o777 == 0o600


def test_an_append_cut_short_leaves_the_old_file(
    workspace: WorkspaceFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(workspace.unit_path(UNIT), b"mine\n")
    monkeypatch.setattr(durable, "_write", denied)
    with pytest.raises(WrongRequest, match="Permission denied"):
        workspace.append(path, "more")
    assert everything(workspace.root) == {"python/tiny/lm/a.py": b"mine\n"}


def test_no_temporary_file_stays_behind(workspace: WorkspaceFiles) -> None:
    path = workspace.unit_path(UNIT)
    workspace.create([(path, b"a\n")])
    workspace.append(path, "b\n")
    assert list(everything(workspace.root)) == ["python/tiny/lm/a.py"]
