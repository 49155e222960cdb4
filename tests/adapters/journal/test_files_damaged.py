"""A journal on disk that is damaged: nothing is added to what does not hold, and repair throws nothing away."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.adapters.journal.on_disk import A1, append, files, only_chain, places


def test_a_file_that_no_ol_named_so_is_damage_until_it_is_set_aside(tmp_path: Path):
    append(tmp_path, 0)
    copy = only_chain(tmp_path).with_name("copy of it.jsonl")
    shutil.copy(only_chain(tmp_path), copy)
    (fault,) = files(tmp_path).read(A1).damage
    assert (fault.file, fault.text) == ("journals/A1/copy of it.jsonl", "is in a file that no ol named so")
    append(tmp_path, 1)
    files(tmp_path).repair(A1)
    assert (places(files(tmp_path).read(A1)), copy.exists()) == ([("0", 1), ("1", 2)], False)
    assert copy.with_name("copy of it.aside").exists()


def test_nothing_set_aside_is_ever_written_over(tmp_path: Path):
    append(tmp_path, 0)
    path = only_chain(tmp_path)
    taken = [path.with_name(f"{path.stem}.aside")]
    taken += [path.with_name(f"{path.stem}.{number}.aside") for number in range(2, 1000)]
    for each in taken:
        each.write_bytes(each.name.encode())
    path.write_bytes(b"not a journal\n")
    files(tmp_path).repair(A1)
    assert all(each.read_bytes() == each.name.encode() for each in taken)
    assert path.with_name(f"{path.stem}.1000.aside").read_bytes() == b"not a journal\n"


@pytest.mark.parametrize("left", [1, 20, -2])
def test_a_torn_last_line_is_set_aside_and_costs_no_earlier_entry(tmp_path: Path, left: int):
    append(tmp_path, 0)
    whole = only_chain(tmp_path).read_bytes()
    append(tmp_path, 1)
    torn = only_chain(tmp_path).read_bytes()[len(whole) :][:left]
    only_chain(tmp_path).write_bytes(whole + torn)
    state = files(tmp_path).read(A1)
    assert places(state) == [("0", 1)]
    assert (state.faults[0].torn, state.faults[0].line, state.damage) == (True, 2, ())
    append(tmp_path, 2)
    state = files(tmp_path).read(A1)
    assert (places(state), state.faults) == ([("0", 1), ("2", 1)], ())
    (aside,) = (tmp_path / "journals" / "A1").glob("*.aside")
    assert aside.read_bytes() == torn


def test_a_whole_line_that_lacks_its_newline_counts(tmp_path: Path):
    append(tmp_path, 0)
    path = only_chain(tmp_path)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    assert places(files(tmp_path).read(A1)) == [("0", 1)]
    append(tmp_path, 1)
    assert places(files(tmp_path).read(A1)) == [("0", 1), ("1", 2)]


def test_nothing_is_added_to_a_chain_that_is_damaged(tmp_path: Path):
    append(tmp_path, 0)
    append(tmp_path, 1)
    path = only_chain(tmp_path)
    edited = path.read_bytes().replace(b'"red"', b'"rad"', 1)
    path.write_bytes(edited)
    append(tmp_path, 2)
    assert path.read_bytes() == edited
    assert places(files(tmp_path).read(A1)) == [("2", 1)]


def test_nothing_is_added_after_a_line_that_is_none(tmp_path: Path):
    append(tmp_path, 0)
    path = only_chain(tmp_path)
    strange = path.read_bytes() + b"a note of mine\n"
    path.write_bytes(strange)
    append(tmp_path, 1)
    assert path.read_bytes() == strange
    assert places(files(tmp_path).read(A1)) == [("0", 1), ("1", 1)]


def conflicted(tmp_path: Path) -> tuple[Path, bytes]:
    """A journal whose chain went on in two places, merged by git into one file with a conflict."""
    append(tmp_path, 0)
    path = only_chain(tmp_path)
    base = path.read_bytes()
    memory = (tmp_path / ".ol/journal/A1.json").read_bytes()
    append(tmp_path, 1)
    ours = path.read_bytes()
    path.write_bytes(base)
    (tmp_path / ".ol/journal/A1.json").write_bytes(memory)
    append(tmp_path, 2)
    theirs = path.read_bytes()[len(base) :]
    text = base + b"<<<<<<< HEAD\n" + ours[len(base) :] + b"=======\n" + theirs + b">>>>>>> laptop\n"
    path.write_bytes(text)
    return path, text


def test_repair_parts_a_conflict_into_two_chains(tmp_path: Path):
    conflicted(tmp_path)
    journal = files(tmp_path)
    damaged = journal.read(A1)
    assert [fault.text for fault in damaged.damage] == ["is a git conflict"]
    assert (len(damaged.links), damaged.mendable) == (1, 3)
    told = journal.repair(A1)
    assert len(told) == 1
    state = journal.read(A1)
    assert not state.faults
    assert places(state) == [("0", 1), ("1", 2), ("2", 2)]
    assert len(state.heads) == 2
    assert journal.repair(A1) == ()


def test_repair_sets_aside_what_follows_an_edited_line(tmp_path: Path):
    for number in range(3):
        append(tmp_path, number)
    path = only_chain(tmp_path)
    one, two, three = path.read_bytes().splitlines(keepends=True)
    for round in (1, 2):
        path.write_bytes(one + two.replace(b'"red"', b'"rod"') + three * round)
        told = files(tmp_path).repair(A1)
        assert "line 2 was edited" in told[0]
        assert "the 1 entry before it kept" in told[0]
        assert path.read_bytes() == one
    asides = sorted((tmp_path / "journals" / "A1").glob("*.aside"))
    assert [aside.name for aside in asides] == [f"{path.stem}.2.aside", f"{path.stem}.aside"]
    assert told[1] == f"set aside in journals/A1/{path.stem}.2.aside"
    assert asides[1].read_bytes() == two.replace(b'"red"', b'"rod"') + three


def test_repair_that_was_cut_short_is_only_done_again(tmp_path: Path):
    append(tmp_path, 0)
    path = only_chain(tmp_path)
    damaged = path.read_bytes() + b"a note of mine\n"
    for _ in range(2):
        path.write_bytes(damaged)  # the second time as if the first had ended before the cut
        files(tmp_path).repair(A1)
    assert len(list((tmp_path / "journals" / "A1").glob("*.aside"))) == 1


def test_repair_takes_away_a_chain_of_which_nothing_is_good(tmp_path: Path):
    append(tmp_path, 0)
    path = only_chain(tmp_path)
    path.write_bytes(b"not a journal\n")
    files(tmp_path).repair(A1)
    assert not path.exists()
    assert path.with_name(f"{path.stem}.aside").read_bytes() == b"not a journal\n"
