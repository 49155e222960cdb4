"""What the course tests say of a fault, and how long that is believed."""

from __future__ import annotations

from enum import Enum

import msgspec

from ol.domain.suite import Completed, OutOfMemory, SuiteRun, TimedOut, TooMuchOutput


class Fate(Enum):
    WRONG = "wrong"  # killed: a test saw a wrong value, or no refusal where one is due
    RAISED = "raised"  # killed: the unit raised in a test, which a suite without assertions sees too
    STOPPED = "stopped"  # killed: it ran into a bound of time, memory or output, so that no test can pass
    SURVIVED = "survived"
    TRIVIAL = "trivial"  # the unit or its tests cannot be imported
    OPEN = "open"  # none of these


KILLED = (Fate.WRONG, Fate.RAISED, Fate.STOPPED)
_TOLD_WRONG = {"AssertionError", "Failed"}  # pytest.raises fails with the second


class Verdict(msgspec.Struct, frozen=True):
    """`killer`: the test function that failed first, or that ran when a bound was met."""

    fate: Fate
    killer: str = ""


def verdict_on(run: SuiteRun, cases: int) -> Verdict:
    """`cases`: how many pass on the reference. A kill takes a case that fails in setup or call."""
    failed = [case for case in run.results if case.failed]
    if failed:
        first = failed[0]
        told = {first.facts.exception, *first.facts.bases}
        wrong = any(name.rpartition(".")[2] in _TOLD_WRONG for name in told)
        return Verdict(Fate.WRONG if wrong else Fate.RAISED, first.function_id)
    if isinstance(run, Completed):
        if run.collection_errors:
            return Verdict(Fate.TRIVIAL)
        passed = sum(not case.outcome.broken for case in run.results)
        return Verdict(Fate.SURVIVED if passed == cases else Fate.OPEN)
    bound = isinstance(run.exit, (TimedOut, OutOfMemory, TooMuchOutput))
    running = (run.running or "").partition("[")[0]
    return Verdict(Fate.STOPPED, running) if bound else Verdict(Fate.OPEN)
