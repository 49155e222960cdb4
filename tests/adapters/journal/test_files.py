"""A journal on disk: what is appended is read back, and each folder goes on with a chain of its own."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from ol.adapters import lock_file
from ol.adapters.workspace import student_files
from ol.domain.errors import HarnessFault, WorkRefused, WrongRequest
from ol.domain.file import File
from ol.domain.journal.entry import FileRecord, JournalState
from tests.adapters.journal.on_disk import A1, FILE, append, entry, files, only_chain, places


def test_what_is_appended_is_read_back_in_order(tmp_path: Path):
    written = [append(tmp_path, number) for number in range(3)]
    state = files(tmp_path).read(A1)
    assert [link.entry for link in state.links] == written
    assert [each.seq for each in written] == [1, 2, 3]
    assert [each.heads for each in written] == [{}, {}, {}]  # its own chain is no head
    assert [each.previous for each in written] == ["", *(link.sha256 for link in state.links[:2])]
    assert state.chain == only_chain(tmp_path).stem
    assert state.chain.startswith("20260102-")
    assert not (state.faults or state.missing or state.lost)


def test_a_module_without_a_journal_has_an_empty_state(tmp_path: Path):
    assert files(tmp_path).read(A1) == JournalState(A1)


def test_git_is_told_to_leave_bytes_alone_and_memory_out(tmp_path: Path):
    append(tmp_path, 0)
    assert (tmp_path / "journals/.gitattributes").read_text(encoding="utf-8").endswith("* -text\n")
    assert (tmp_path / ".ol/journal/.gitignore").read_text(encoding="utf-8") == "*\n"


def test_objects_are_kept_once_under_their_hash_and_believed_only_by_it(tmp_path: Path):
    journal, file = files(tmp_path), File("test_a.py", b"def test_a(): ...\n")
    made = entry(files={file.name: FileRecord(file.sha256, "rest")})
    journal.append(A1, made, [file])
    path = tmp_path / "journals" / "objects" / file.sha256[:2] / file.sha256
    assert path.read_bytes() == journal.object(file.sha256) == file.content
    assert journal.read(A1).missing == ()
    for damage in (lambda: path.write_bytes(b"def test_a(): pass\n"), path.unlink):
        damage()
        assert journal.object(file.sha256) is None
        assert journal.read(A1).missing == (file.sha256,)
        journal.append(A1, made, [file])
        assert journal.read(A1).missing == ()


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
@pytest.mark.parametrize("put", [lambda path: path.symlink_to("/dev/zero"), lambda path: os.mkfifo(path)])
def test_what_is_no_plain_file_is_missing_and_is_not_opened(tmp_path: Path, put):
    journal, file = files(tmp_path), File("test_a.py", b"def test_a(): ...\n")
    journal.append(A1, entry(files={file.name: FileRecord(file.sha256, "rest")}), [file])
    path = tmp_path / "journals" / "objects" / file.sha256[:2] / file.sha256
    path.unlink()
    put(path)
    put(only_chain(tmp_path).with_name("other.jsonl"))
    state = journal.read(A1)
    assert (state.missing, len(state.links), state.faults) == ((file.sha256,), 1, ())


def test_what_is_larger_than_any_file_of_a_student_is_missing(tmp_path: Path):
    content = bytes(student_files.LARGEST + 1)
    sha256 = File("", content).sha256
    path = tmp_path / "journals" / "objects" / sha256[:2] / sha256
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    assert files(tmp_path).object(sha256) is None


def test_another_clone_begins_a_chain_of_its_own_and_names_what_it_saw(tmp_path: Path):
    home, clone = tmp_path / "home", tmp_path / "clone"
    append(home, 0)
    shutil.copytree(home / "journals", clone / "journals")
    append(clone, 1)
    append(clone, 2)
    state = files(clone).read(A1)
    assert places(state) == [("0", 1), ("1", 1), ("2", 2)]
    assert state.links[1].entry.heads == files(home).read(A1).heads
    assert state.links[2].chain == state.links[1].chain != state.links[0].chain


def test_a_copy_of_everything_begins_a_chain_of_its_own(tmp_path: Path):
    append(tmp_path / "home", 0)
    shutil.copytree(tmp_path / "home", tmp_path / "copy")
    assert files(tmp_path / "copy").read(A1).chain is None
    append(tmp_path / "copy", 1)
    assert len(files(tmp_path / "copy").read(A1).heads) == 2


def test_a_chain_that_git_took_back_is_not_written_over(tmp_path: Path):
    append(tmp_path, 0)
    before = only_chain(tmp_path).read_bytes()
    append(tmp_path, 1)
    only_chain(tmp_path).write_bytes(before)  # as after a reset, or on another branch
    append(tmp_path, 2)
    assert places(files(tmp_path).read(A1)) == [("0", 1), ("2", 1)]


def test_a_journal_that_was_deleted_is_missed(tmp_path: Path):
    append(tmp_path, 0)
    name = only_chain(tmp_path).stem
    shutil.rmtree(tmp_path / "journals")
    assert files(tmp_path).read(A1).lost == name
    append(tmp_path, 1)
    assert places(files(tmp_path).read(A1)) == [("1", 1)]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"chain": 1}', "\udcff", "[" * 100_000])
def test_a_memory_that_cannot_be_read_begins_a_new_chain(tmp_path: Path, text: str):
    append(tmp_path, 0)
    (tmp_path / ".ol/journal/A1.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    append(tmp_path, 1)
    assert len(files(tmp_path).read(A1).heads) == 2


def test_a_lock_that_is_not_let_go_is_a_fault_and_not_a_wait_for_ever(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(lock_file, "_PATIENCE_S", 0.05)
    with lock_file.locked(tmp_path / ".ol/journal/A1.lock"), pytest.raises(HarnessFault) as caught:
        append(tmp_path, 0)
    assert caught.value.slug == "locked"
    append(tmp_path, 1)


def test_a_disk_that_does_not_take_it_is_told(tmp_path: Path):
    (tmp_path / "journals").write_text("a file", encoding="utf-8")
    with pytest.raises(WrongRequest) as caught:
        append(tmp_path, 0)
    assert caught.value.slug == "cannot-write"
    assert caught.value.next_step.startswith("Something else stands there")


@pytest.mark.parametrize(("place", "name"), [(Path, "iterdir"), (os, "open")], ids=["folder", "file"])
def test_a_journal_that_may_not_be_read_is_not_told_as_gone_and_nothing_is_written_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: object, name: str
):
    append(tmp_path, 0)
    before = contents(tmp_path)
    for ask in (lambda: files(tmp_path).read(A1), lambda: append(tmp_path, 1)):
        with monkeypatch.context() as patch, pytest.raises(WorkRefused) as caught:
            patch.setattr(place, name, denied)
            ask()
        assert caught.value.slug == "unreadable"
        assert caught.value.message.startswith("journals/A1")
    assert contents(tmp_path) == before


def test_an_object_that_may_not_be_read_is_not_told_as_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    journal = files(tmp_path)
    journal.append(A1, entry(files={FILE.name: FileRecord(FILE.sha256, "")}), [FILE])
    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(WorkRefused, match=r"^journals/objects/.* cannot be read: Permission denied\."):
        journal.object(FILE.sha256)


def contents(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def denied(path: object, *_: object) -> None:
    raise PermissionError(13, "Permission denied", str(path))


def test_the_memory_names_chain_folder_and_last_line(tmp_path: Path):
    append(tmp_path, 0)
    memory = json.loads((tmp_path / ".ol/journal/A1.json").read_text(encoding="utf-8"))
    (link,) = files(tmp_path).read(A1).links
    assert memory["chain"] == link.chain
    assert memory["last"] == link.sha256
    assert memory["folder"] == (tmp_path / "journals").resolve().as_posix()
