"""One chain: every edit of it is found, in its line."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ol.domain.journal.chain import read_chain
from ol.domain.journal.chains import read_chains
from tests.domain.journal.made_lines import FOUR, chain, entry


@settings(deadline=None, max_examples=300)
@given(st.integers(0, len(FOUR) - 1), st.integers(1, 255))
def test_an_edit_of_any_byte_is_found_in_its_line(at: int, change: int):
    edited = FOUR[:at] + bytes([FOUR[at] ^ change]) + FOUR[at + 1 :]
    found, number = read_chain("a.jsonl", edited), FOUR[:at].count(b"\n") + 1
    if at == len(FOUR) - 1 and edited.endswith(b"\r"):
        assert found.lines == read_chain("a.jsonl", FOUR).lines  # a newline of another kind
        return
    assert found.fault is not None
    assert (found.fault.file, found.fault.line) == ("a.jsonl", number)
    assert [each.at for _, each in found.lines] == [entry(minute).at for minute in range(number - 1)]


@settings(deadline=None, max_examples=100)
@given(st.integers(0, len(FOUR)))
def test_a_chain_cut_anywhere_keeps_every_whole_line(size: int):
    found = read_chain("a.jsonl", FOUR[:size])
    whole = FOUR[:size].count(b"\n")
    assert len(found.lines) in (whole, whole + 1)  # one more where only the newline is missing
    assert found.fault is None or (found.fault.torn and found.fault.line == whole + 1)
    assert found.good == (size if found.fault is None else len(b"".join(FOUR.splitlines(True)[:whole])))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_line_taken_out_is_found(number: int):
    kept = FOUR.splitlines(True)
    del kept[number - 1]
    files = {"a": b"".join(kept)}
    fault = read_chains("journals/A1", files)["a"].fault
    assert fault is not None
    assert (fault.file, fault.line, fault.torn) == ("journals/A1/a.jsonl", number, False)


def test_two_lines_exchanged_are_found():
    one, two, three, four = FOUR.splitlines(True)
    assert read_chain("a", one + three + two + four).fault.line == 2


def test_a_line_of_another_chain_in_its_place_is_found():
    one, _, three, four = FOUR.splitlines(True)
    other = chain(0, 7).splitlines(True)[1]
    assert read_chain("a", one + other).fault is None
    fault = read_chain("a", one + other + three + four).fault
    assert (fault.line, fault.text.partition(":")[0]) == (3, "does not follow the line before it")


def test_windows_line_ends_change_nothing():
    windows = FOUR.replace(b"\n", b"\r\n")
    found = read_chain("a", windows)
    assert found.fault is None
    assert found.lines == read_chain("a", FOUR).lines
    assert found.good == len(windows)


def test_an_empty_chain_holds_nothing_and_is_whole():
    found = read_chain("a", b"")
    assert (found.lines, found.good, found.fault, found.head) == ((), 0, None, "")
