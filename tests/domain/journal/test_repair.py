"""Repair keeps all that holds, and sets aside what does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ol.domain.journal.chains import in_order, read_chains
from ol.domain.journal.line import sha256
from ol.domain.journal.repair import repaired
from tests.domain.journal.made_lines import FOUR, entry, lines


@pytest.mark.parametrize("name", ["a b", "a.b", "é", "a\udc80", ""])
def test_a_chain_that_no_ol_named_so_is_damage_and_is_set_aside(name: str):
    chains = {"a": FOUR, name: FOUR}
    found = read_chains("j", chains)
    assert found["a"].fault is None
    fault = found[name].fault
    assert fault is not None and not fault.torn and fault.file.isascii()
    assert repaired("j", chains).aside == {name: FOUR}


def conflict(base: list[bytes], ours: list[bytes], theirs: list[bytes], middle: bytes = b"") -> bytes:
    marks = (b"<<<<<<< HEAD\n", b"=======\n", b">>>>>>> laptop\n")
    return b"".join([*base, marks[0], *ours, middle, marks[1], *theirs, marks[2]])


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_repair_makes_two_chains_of_a_conflict(style: str):
    base = lines(entry(0), entry(1))
    after = (2, sha256(base[1].rstrip()))
    ours, theirs = lines(entry(2), entry(3), after=after), lines(entry(4), after=after)
    middle = b"||||||| 1234567\n" if style == "diff3" else b""
    files = {"a": conflict(base, ours, theirs, middle)}
    fault = read_chains("journals/A1", files)["a"].fault
    assert (fault.line, fault.text, fault.torn) == (3, "is a git conflict", False)
    done = repaired("journals/A1", files)
    (new,) = done.chains.keys() - {"a"}
    assert done.chains == {"a": b"".join(base + ours), new: b"".join(theirs)}
    assert not done.aside
    assert len(done.told) == 1
    links = in_order(read_chains("journals/A1", done.chains))
    assert sorted((link.chain, link.entry.seq) for link in links) == [
        ("a", 1),
        ("a", 2),
        ("a", 3),
        ("a", 4),
        (new, 3),
    ]


@settings(deadline=None, max_examples=100)
@given(st.integers(0, len(FOUR) - 1), st.integers(1, 255))
def test_repair_keeps_all_before_an_edit_and_throws_nothing_away(at: int, change: int):
    edited = FOUR[:at] + bytes([FOUR[at] ^ change]) + FOUR[at + 1 :]
    done = repaired("j", {"a": edited})
    before = b"".join(FOUR.splitlines(True)[: FOUR[:at].count(b"\n")])
    assert done.chains["a"].startswith(before)
    assert done.chains["a"] + done.aside.get("a", b"") == edited
    assert read_chains("j", done.chains)["a"].fault is None
    assert repaired("j", done.chains).told == ()


def test_repair_sets_what_it_cuts_twice_aside_in_its_order():
    trunk = lines(entry(0), entry(1))
    fork = lines(entry(2), entry(3), after=(2, sha256(trunk[1].rstrip())))
    broken = {"a": fork[0] + b"garbage\n" + fork[1], "b": trunk[1]}  # b has lost its beginning
    done = repaired("j", broken)
    assert [told.partition(":")[0] for told in done.told] == [
        "j/a.jsonl, line 2 is no line of a journal",
        "j/b.jsonl, line 1 follows a line that no chain of this journal holds",
        "j/a.jsonl, line 1 follows a line that no chain of this journal holds",
    ]
    assert done.chains == {"a": b"", "b": b""}
    assert done.aside == broken


def test_repair_leaves_a_whole_journal_alone():
    assert repaired("j", {"a": FOUR}).told == ()
    assert repaired("j", {"a": FOUR}).chains == {"a": FOUR}


def test_repair_sets_aside_a_chain_whose_beginning_is_gone():
    done = repaired("j", {"a": b"".join(FOUR.splitlines(True)[1:])})
    assert done.chains == {"a": b""}
    assert done.aside == {"a": b"".join(FOUR.splitlines(True)[1:])}
