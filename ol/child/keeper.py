"""Keeps one step of a milestone, on Linux: waits for it, then ends and reaps all that it left, in whatever session.

The step is told its request on the standard input that it inherits. How it ended is written to the file `ended`,
which it cannot reach. SIGTERM ends it before its time.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import sleep

from ol.child import sandbox, tree

_FRONT_DOOR = Path(__file__).with_name("__main__.py")
_LOOK_EVERY_S = 0.005


def keep(base: Path) -> None:
    told_to_end: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: told_to_end.append(number))
    sandbox.die_with_parent()
    sandbox.adopt_orphans()
    asked = [sys.executable, "-s", str(_FRONT_DOOR), "step", str(base)]
    step = subprocess.Popen(asked, cwd=base, start_new_session=True)
    while not (found := os.wait4(step.pid, os.WNOHANG))[0]:
        if told_to_end:
            tree.end_group(step.pid)
        sleep(_LOOK_EVERY_S)
    _, status, used = found
    with suppress(OSError):  # a /proc that does not tell of children
        tree.end_orphans(set())
    facts = {
        "code": os.waitstatus_to_exitcode(status),
        "cpu_s": used.ru_utime + used.ru_stime,
        "peak_bytes": used.ru_maxrss * 1024,
    }
    (base / "ended").write_text(json.dumps(facts), encoding="utf-8")
