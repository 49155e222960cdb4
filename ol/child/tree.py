"""The processes below this one, as Linux's /proc tells them.

The server adopts orphans: whatever a run leaves behind, in whichever session, becomes its direct child.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

assert sys.platform == "linux"

_ENDING_S = 5.0


def threads() -> int:
    """How many threads this process has."""
    return len(list(Path("/proc/self/task").iterdir()))


def children(pid: int) -> set[int]:
    """The children of a process, dead ones included until they are reaped. OSError where /proc has none."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return {int(word) for task in tasks for word in (task / "children").read_text(encoding="ascii").split()}


def more_than(bound: int, pid: int) -> bool:
    """Whether a process and its descendants are more than `bound`; counting stops there."""
    found, frontier = {pid}, [pid]
    while frontier and len(found) <= bound:
        with suppress(OSError):  # it ended meanwhile
            below = children(frontier.pop()) - found
            found |= below
            frontier.extend(below)
    return len(found) > bound


def end_group(pid: int) -> None:
    """Kill a process and its group; no member can fork its way out of a signal to the group."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def end_orphans(alive: set[int]) -> None:
    """Kill and reap every child beside `alive`, then those it leaves behind, until none is left."""
    spared = alive | {os.getpgid(0)}
    gives_up_at = monotonic() + _ENDING_S  # on a program that became another user's
    while (orphans := children(os.getpid()) - alive) and monotonic() < gives_up_at:
        for pid in orphans:
            with suppress(ProcessLookupError, PermissionError):
                if (group := os.getpgid(pid)) not in spared:
                    os.killpg(group, signal.SIGKILL)
                os.kill(pid, signal.SIGKILL)
        if not any([_reaped(pid) for pid in orphans]):
            sleep(0.001)


def _reaped(pid: int) -> bool:
    with suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    return False
