"""From what was seen of a run to what it was: completed, or ended by something that has a name."""

from __future__ import annotations

import signal

import pytest

from ol.adapters.account import Account, Closing
from ol.adapters.ending import Ending
from ol.adapters.verdict import Seen, exit_of, stuck, suite_run
from ol.domain.suite import (
    Budget,
    CaseResult,
    Completed,
    Crashed,
    Exit,
    Exited,
    Facts,
    Frame,
    Outcome,
    OutOfMemory,
    Signalled,
    Stage,
    TimedOut,
    TooMuchOutput,
)

BUDGET = Budget(cpu_s=10, wall_s=30, case_s=20, memory_bytes=1 << 30, output_bytes=1 << 20)
CLOSING = Closing("n", 1, 9, duration_s=2.0, cpu_s=1.5, imported=["tinyllm"])
CASE = CaseResult("a", Outcome.FAILED, Stage.CALL, Facts(), 0.1)
DUMP = """Timeout (0:00:20)!
Thread 0x00007f (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 10 in run

Current thread 0x00007e (most recent call first):
  File "<tinyllm.lm.nplm>", line 7 in forward
  File "/tmp/ol-x1/run-ab_c/tests/sub/test_it.py", line 3 in test_it
  File "/usr/lib/python3.11/site-packages/pluggy/_execution.py", line 5 in _multicall
"""


def account(*collected: str, **known: object) -> Account:
    return Account("n", pid=1, collected=dict.fromkeys(collected), **known)  # type: ignore[arg-type]


def ended(code: int = 0, cpu_s: float = 1.0, peak_bytes: int = 1 << 26, note: str = "") -> Ending:
    return Ending(1, code, cpu_s, peak_bytes, note)


def test_whole_records_and_a_good_end_are_a_completed_run() -> None:
    run = suite_run(account("a", results={"a": CASE}, closing=CLOSING, deselected=3), Seen(ended()), BUDGET)
    assert run == Completed((CASE,), (), 3, 2.0, 1.5, ("tinyllm",))


def test_cases_after_a_wanted_stop_are_told_as_not_run_in_their_order() -> None:
    known = account("b", "a", "c", results={"a": CASE}, closing=CLOSING)
    run = suite_run(known, Seen(ended()), BUDGET, stop_at_first=True)
    assert isinstance(run, Completed)
    assert [(one.case_id, one.outcome) for one in run.results] == [
        ("b", Outcome.NOT_RUN),
        ("a", Outcome.FAILED),
        ("c", Outcome.NOT_RUN),
    ]


@pytest.mark.parametrize(
    "known, seen",
    [
        (account("a", results={"a": CASE}), Seen(ended())),
        (account("a", results={"a": CASE}, closing=CLOSING, wrong="forged"), Seen(ended())),
        (account("a", "b", results={"a": CASE}, closing=CLOSING), Seen(ended())),
        (account("a", results={"a": CASE}, closing=CLOSING), Seen(ended(code=1))),
        (account("a", results={"a": CASE}, closing=CLOSING), Seen(ended(), bound="output")),
    ],
)
def test_anything_less_is_a_crash_that_keeps_the_results(known: Account, seen: Seen) -> None:
    run = suite_run(known, seen, BUDGET)
    assert isinstance(run, Crashed) and run.results == (CASE,)


def test_remarks_stand_before_the_end_of_the_output() -> None:
    known = account("a", "b", started="b", wrong="a record lacks this run's mark", closing=CLOSING)
    run = suite_run(known, Seen(ended(note="ended"), output_tail="printed"), BUDGET)
    assert isinstance(run, Crashed) and run.running == "b"
    remarks = ["a record lacks this run's mark", "ended", "0 of 2 cases have a result"]
    assert run.output_tail == "".join(f"[ol: {remark}]\n" for remark in remarks) + "printed"


STUCK = (Frame("tests/sub/test_it.py", 3, "test_it"), Frame("<tinyllm.lm.nplm>", 7, "forward"))
XCPU = getattr(signal, "SIGXCPU", 24)


@pytest.mark.parametrize(
    "known, seen, expected",
    [
        (account(), Seen(ended(0)), Exited(0)),
        (account(), Seen(ended(3)), Exited(3)),
        (account(), Seen(ended(-11)), Signalled(11)),
        (account(), Seen(ended(-9)), Signalled(9)),
        (account(), Seen(ended(-XCPU), stuck=DUMP.split("\n", 1)[1]), TimedOut(10, "cpu", STUCK)),
        (account(), Seen(ended(-9, cpu_s=11)), TimedOut(10, "cpu")),
        (account(limit="case"), Seen(ended(1), stuck=DUMP), TimedOut(20, "case", STUCK)),
        (account(limit="wall"), Seen(ended(1), stuck=DUMP), TimedOut(30, "wall", STUCK)),
        (account(limit="case"), Seen(ended(-9), bound="wall"), TimedOut(30, "wall")),
        (account(), Seen(ended(-9), bound="output", stuck=DUMP), TooMuchOutput(1 << 20)),
        (account(), Seen(ended(-6, peak_bytes=1 << 30)), OutOfMemory(1 << 30)),
        (account(), Seen(ended(-9, peak_bytes=1 << 30)), OutOfMemory(1 << 30)),
        (account(broke="MemoryError"), Seen(ended(3)), OutOfMemory(1 << 30)),
        (account(), Seen(ended(1, peak_bytes=1 << 30)), Exited(1)),
    ],
)
def test_the_end_is_named_by_the_bound_that_was_hit(known: Account, seen: Seen, expected: Exit) -> None:
    assert exit_of(known, seen, BUDGET) == expected


def test_where_it_stood_is_told_from_the_first_own_line_on() -> None:
    assert stuck(DUMP) == STUCK
    assert stuck("") == ()
    assert stuck(DUMP.replace("tests/sub", "elsewhere").replace("<tinyllm.lm.nplm>", "/lib/x.py")) == ()


def test_of_a_deep_stack_the_ends_are_told() -> None:
    deep = "".join(f'  File "<tinyllm.unit>", line {99 - i} in f\n' for i in range(99))
    frames = stuck(f"Current thread 0x1 (most recent call first):\n{deep}")
    assert len(frames) == 30
    assert (frames[0].line, frames[9].line, frames[10].line, frames[-1].line) == (1, 10, 80, 99)
