"""How a run without a closing record ended, in words, and what to change."""

from __future__ import annotations

from ol.domain.suite import Crashed, Exit, Exited, OutOfMemory, Signalled, TimedOut, TooMuchOutput

_ADVICE: dict[type[Exit], str] = {
    TimedOut: "Look for a loop that never ends at the line shown.",
    OutOfMemory: "Look for an array or a list that grows without end.",
    TooMuchOutput: "Remove the prints in the loop.",
    Exited: "Remove the exit: a run counts only when it ends by itself.",
    Signalled: "Run it with --debug to see where.",
}


def how_it_ended(run: Crashed) -> str:
    """`left early with exit code 0 in test_nplm.py::test_ties`: names the case that was running."""
    return _bound_or_exit(run.exit) + (f" in {run.running}" if run.running else "")


def advice(exit: Exit) -> str:
    return _ADVICE[type(exit)]


def _bound_or_exit(exit: Exit) -> str:
    match exit:
        case TimedOut(after_s, limit):
            return f"time-out after {after_s:.0f} s ({limit} limit)"
        case OutOfMemory(limit_bytes):
            return f"out of memory at {limit_bytes >> 20} MB"
        case TooMuchOutput(limit_bytes):
            return f"over {limit_bytes >> 20} MB of output"
        case Exited(code):
            return f"left early with exit code {code}"
        case Signalled(number):
            return f"ended by signal {number}"
