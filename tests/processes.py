"""Whether processes have ended, as Linux's /proc tells it."""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

_DYING_S = 5.0


def ended(pid: int) -> bool:
    """Whether a process is gone, or soon will be: one that was killed has a moment's way to its end."""
    gives_up_at = monotonic() + _DYING_S
    while _runs(pid):
        if monotonic() > gives_up_at:
            return False
        sleep(0.01)
    return True


def _runs(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text("ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False
