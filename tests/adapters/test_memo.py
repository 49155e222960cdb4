"""Answers by content: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ol.adapters import durable
from ol.adapters.memo import MemoFiles


@pytest.fixture
def memo(tmp_path: Path) -> MemoFiles:
    return MemoFiles(tmp_path / "cache", entries=3)


def test_an_answer_comes_back_byte_for_byte_also_to_another_process(memo: MemoFiles) -> None:
    for key, value in (("a", b""), ("b", b"\x00\xff"), ("ü/../..", b"x" * 10_000)):
        memo.put(key, value)
        assert memo.get(key) == value and MemoFiles(memo.folder).get(key) == value


def test_what_was_never_put_is_a_miss(memo: MemoFiles) -> None:
    assert memo.get("a") is None
    memo.put("a", b"1")
    assert memo.get("b") is None


def test_a_key_names_no_file_outside_the_folder(memo: MemoFiles) -> None:
    memo.put("../../../escaped", b"1")
    assert [path.parent for path in memo.folder.parent.rglob("*") if path.is_file()] == [memo.folder]


@pytest.mark.parametrize(
    "spoil", [lambda c: c[:-1], lambda c: c + b"x", lambda c: b"", lambda c: b"x" + c[1:], lambda c: c[:10]]
)
def test_an_entry_that_is_not_whole_is_a_miss(memo: MemoFiles, spoil: object) -> None:
    memo.put("a", b"value")
    (path,) = memo.folder.iterdir()
    path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]
    assert memo.get("a") is None
    memo.put("a", b"value")
    assert memo.get("a") == b"value"


def test_an_entry_copied_under_another_s_name_is_a_miss(memo: MemoFiles) -> None:
    memo.put("failing", b"")
    memo.put("other", b"x")
    passing, other = sorted(memo.folder.iterdir(), key=lambda path: path.stat().st_size)
    other.write_bytes(passing.read_bytes())
    assert memo.get("other") is None


def test_it_is_bounded_and_what_was_used_longest_ago_goes_first(memo: MemoFiles) -> None:
    for number in range(3):
        memo.put(str(number), b"x")
        for path in memo.folder.iterdir():
            os.utime(path, ns=(path.stat().st_mtime_ns - 10**9,) * 2)
    assert memo.get("0") == b"x"  # and so it is the newest
    memo.put("3", b"x")
    assert [memo.get(str(number)) is not None for number in range(4)] == [True, False, True, True]


def test_a_folder_that_cannot_be_written_is_no_memo_and_no_error(
    memo: MemoFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(durable, "_write", refused)
    memo.put("a", b"1")
    assert memo.get("a") is None


def test_a_file_in_the_folder_s_place_is_no_memo_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"")
    memo = MemoFiles(tmp_path / "cache")
    memo.put("a", b"1")
    assert memo.get("a") is None
