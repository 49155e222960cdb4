"""Records add up to a verdict only when every one is there, in its turn, and ours."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ol.adapters.account import Account
from ol.domain.suite import CollectionError, Facts, Frame, Outcome, Stage

NONCE, PID = "n0nce", 4321


def stream(*records: dict[str, Any]) -> list[bytes]:
    """The lines of records, each with its mark and number where it does not bring its own."""
    marked = [{"nonce": NONCE, "pid": PID, "number": i, **record} for i, record in enumerate(records)]
    return [json.dumps(record).encode() + b"\n" for record in marked]


def begin() -> dict[str, Any]:
    return {"kind": "begin", "limit": "case", "unconfined": []}


def collected(*cases: str) -> dict[str, Any]:
    return {"kind": "collected", "cases": cases, "deselected": 2}


def started(case: str) -> dict[str, Any]:
    return {"kind": "start", "case": case, "limit": "wall"}


def result(case: str, outcome: str = "passed", **facts: Any) -> dict[str, Any]:
    told = {"stage": "call", "outcome": outcome, "facts": facts, "duration_s": 0.5}
    return {"kind": "result", "case": case, **told}


def closing() -> dict[str, Any]:
    return {"kind": "closing", "duration_s": 2.0, "cpu_s": 1.0, "imported": ["tinyllm"]}


def honest() -> list[dict[str, Any]]:
    error = {"kind": "collection_error", "file": "test_b.py", "facts": {"exception": "SyntaxError"}}
    cases = [started("a"), result("a"), started("b"), result("b", "failed")]
    return [begin(), error, collected("a", "b"), *cases, closing()]


def read(*records: dict[str, Any]) -> Account:
    return Account(NONCE).read(b"".join(stream(*records)))


def test_an_honest_run_is_whole_and_tells_all() -> None:
    account = read(*honest())
    assert account.wrong == "" and account.whole(stop_at_first=False)
    assert [(id, one.outcome) for id, one in account.results.items()] == [
        ("a", Outcome.PASSED),
        ("b", Outcome.FAILED),
    ]
    assert account.errors == [CollectionError("test_b.py", Facts("SyntaxError"))]
    assert (account.deselected, account.limit, account.running) == (2, "wall", None)


def test_facts_come_as_they_were_told() -> None:
    frames = [{"file": "tests/test_a.py", "line": 3, "function": "test_a"}]
    told = result(
        "a", "error", exception="ValueError", bases=["Exception"], frames=frames, properties=[["k", "v"]]
    )
    told["stage"] = "setup"
    one = read(begin(), collected("a"), started("a"), told).results["a"]
    assert one.stage is Stage.SETUP and one.duration_s == 0.5
    assert one.facts == Facts(
        "ValueError",
        ("Exception",),
        frames=(Frame("tests/test_a.py", 3, "test_a"),),
        properties=(("k", "v"),),
    )


@settings(deadline=None)  # what is tested is no matter of time, and the machine may be busy
@given(st.data())
def test_a_stream_with_any_record_lost_doubled_or_moved_is_never_whole(data: st.DataObject) -> None:
    lines = stream(*honest())
    at = data.draw(st.integers(0, len(lines) - 1))
    line = lines[at]
    to = data.draw(st.integers(0, len(lines) - 1).filter(lambda to: to != at))
    lost = lines[:at] + lines[at + 1 :]
    spoiled = data.draw(
        st.sampled_from([lost, [*lost[:to], line, *lost[to:]], [*lines[:to], line, *lines[to:]]])
    )
    account = Account(NONCE).read(b"".join(spoiled))
    assert not account.whole(stop_at_first=False) and not account.whole(stop_at_first=True)


@settings(deadline=None)
@given(st.integers(0, 7), st.binary(max_size=40))
def test_a_stream_with_anything_between_its_lines_is_never_whole(at: int, between: bytes) -> None:
    lines = stream(*honest())
    spoiled = [*lines[:at], between, b"\n", *lines[at:]]
    assert not Account(NONCE).read(b"".join(spoiled)).whole(stop_at_first=False)


@pytest.mark.parametrize(
    "forged, why",
    [
        ({"nonce": "another"}, "mark"),
        ({"pid": PID + 1}, "another process"),
        ({"number": 0}, "record 7 was due, and record 0 came"),
        ({"kind": "verdict"}, "none of ours"),
        ({"extra": 1}, "none of ours"),
        ({"cpu_s": "1"}, "none of ours"),
        (begin() | {"duration_s": 1}, "none of ours"),
    ],
)
def test_a_closing_record_that_is_not_ours_closes_nothing(forged: dict[str, Any], why: str) -> None:
    *before, close = honest()
    account = read(*before, close | forged)
    assert why in account.wrong and account.closing is None
    assert len(account.results) == 2


@pytest.mark.parametrize(
    "records, why",
    [
        ([collected("a")], "begin the run"),
        ([begin(), begin()], "begin the run"),
        ([begin(), collected("a"), collected("a")], "collected twice"),
        ([begin(), collected("a"), started("b")], "b was started, but not collected"),
        ([begin(), started("a")], "a was started, but not collected"),
        ([begin(), collected("a"), result("a")], "a has a result, but was not running"),
        ([begin(), collected("a"), started("a"), result("a"), result("a", "failed")], "was not running"),
        ([begin(), collected("a", "b"), started("a"), result("b")], "was not running"),
        ([begin(), collected(), closing(), collected()], "after the closing"),
        ([begin(), collected("a"), started("a"), result("a", "wonderful")], "none of ours"),
    ],
)
def test_a_record_out_of_order_is_told(records: list[dict[str, Any]], why: str) -> None:
    account = read(*records)
    assert why in account.wrong and not account.whole(stop_at_first=True)


def test_a_case_without_result_is_running_and_the_run_is_not_whole() -> None:
    account = read(begin(), collected("a", "b"), started("a"), result("a"), started("b"))
    assert account.running == "b" and not account.whole(stop_at_first=False)


def test_a_closed_run_with_cases_missing_is_whole_only_if_it_was_to_stop_and_something_failed() -> None:
    failed = read(begin(), collected("a", "b"), started("a"), result("a", "failed"), closing())
    passed = read(begin(), collected("a", "b"), started("a"), result("a"), closing())
    assert failed.whole(stop_at_first=True) and not failed.whole(stop_at_first=False)
    assert not passed.whole(stop_at_first=True)


def test_a_line_cut_off_by_the_end_of_the_child_is_no_forgery() -> None:
    lines = b"".join(stream(begin(), collected("a"), started("a"), result("a")))
    account = Account(NONCE).read(lines[:-20])
    assert account.wrong == "" and account.running == "a"


def test_no_record_at_all_is_a_run_that_never_began() -> None:
    account = Account(NONCE).read(b"")
    assert not account.begun and not account.whole(stop_at_first=True)
