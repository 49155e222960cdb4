"""From what was seen of a run to a `SuiteRun`. Pure, and without an opinion on the student's work."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from pathlib import PurePath

from ol.adapters.account import Account
from ol.adapters.ending import Ending
from ol.adapters.scratch import RUN_PREFIX
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
    SuiteRun,
    TimedOut,
    TooMuchOutput,
)

_CPU_SIGNAL = getattr(signal, "SIGXCPU", 0)
_KILL, _MEMORY_SIGNALS = 9, (9, 6, 11, 7)  # memory: killed by the kernel, or fallen over a refused allocation
_FRAMES, _OUTER = 30, 10  # of many only the ends are told
_FRAME = re.compile(r'^  File "(?P<file>.*)", line (?P<line>\d+) in (?P<function>.*)$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Seen:
    """What `ol` saw of a run beside its records."""

    ending: Ending
    bound: str = ""  # the limit that `ol` itself ended it for: "wall", "output" or none
    stuck: str = ""  # faulthandler's account of where it stood when a limit of its own was hit
    output_tail: str = ""


def suite_run(account: Account, seen: Seen, budget: Budget, stop_at_first: bool = False) -> SuiteRun:
    """Completed only when the records are whole and the process left as it should."""
    closing = account.closing
    if closing is None or not account.whole(stop_at_first) or seen.ending.code != 0 or seen.bound:
        how = exit_of(account, seen, budget)
        return Crashed(how, tuple(account.results.values()), account.running, told(account, seen))
    return Completed(
        results=tuple(account.results.get(id) or not_run(id) for id in account.collected or ()),
        collection_errors=tuple(account.errors),
        deselected=account.deselected,
        duration_s=closing.duration_s,
        cpu_s=closing.cpu_s,
        imported=tuple(closing.imported),
    )


def not_run(case_id: str) -> CaseResult:
    return CaseResult(case_id, Outcome.NOT_RUN, Stage.SETUP, Facts(), 0.0)


def told(account: Account, seen: Seen) -> str:
    """The end of the output, after what `ol` has to remark."""
    remarks = [account.wrong, seen.ending.note]
    came, due = len(account.results), len(account.collected or ())
    if account.closing is not None and came < due:
        remarks.append(f"{came} of {due} cases have a result")
    return "".join([*(f"[ol: {remark}]\n" for remark in remarks if remark), seen.output_tail])


def exit_of(account: Account, seen: Seen, budget: Budget) -> Exit:
    """How it ended, by the bound that was hit where there was one."""
    ending = seen.ending
    if seen.bound == "output":
        return TooMuchOutput(budget.output_bytes)
    if seen.bound == "wall":
        return TimedOut(budget.wall_s, "wall", stuck(seen.stuck))
    if "Timeout (" in seen.stuck:
        after_s = budget.case_s if account.limit == "case" else budget.wall_s
        return TimedOut(after_s, account.limit, stuck(seen.stuck))
    if ending.code == -_CPU_SIGNAL or (ending.code == -_KILL and ending.cpu_s >= budget.cpu_s):
        return TimedOut(budget.cpu_s, "cpu", stuck(seen.stuck))
    fell_over_memory = -ending.code in _MEMORY_SIGNALS and ending.peak_bytes >= 0.9 * budget.memory_bytes
    if account.broke == "MemoryError" or fell_over_memory:
        return OutOfMemory(budget.memory_bytes)
    return Signalled(-ending.code) if ending.code < 0 else Exited(ending.code)


def stuck(account: str) -> tuple[Frame, ...]:
    """The frames of faulthandler's account, outermost first, from the first line of a test or unit on."""
    main_thread = account.rpartition("most recent call first")[2]
    matches = reversed(list(_FRAME.finditer(main_thread)))
    frames = [Frame(place(found["file"]), int(found["line"]), found["function"]) for found in matches]
    while frames and not frames[0].file.startswith(("tests/", "<")):
        del frames[0]
    return tuple(frames if len(frames) <= _FRAMES else frames[:_OUTER] + frames[_OUTER - _FRAMES :])


def place(filename: str) -> str:
    """`tests/test_nplm.py`, `<tinyllm.lm.nplm>`, or a library's base name."""
    if filename.startswith("<"):
        return filename
    *folders, name = PurePath(filename).parts
    run = next((at for at, folder in enumerate(folders) if folder.startswith(RUN_PREFIX)), None)
    if run is None or folders[run + 1 : run + 2] != ["tests"]:
        return name
    return "/".join([*folders[run + 1 :], name])
