"""The cold shape: a fresh interpreter for one run. Request on standard input, records on standard output."""

from __future__ import annotations

import os
from pathlib import Path

from ol.child import sandbox, session
from ol.child.request import Request
from ol.child.run import Run


def run(base: Path, results_fd: int) -> None:
    sandbox.narrow_import_path()
    sandbox.die_with_parent()
    sandbox.most_tasks()
    request = Request.read(os.dup(0))
    session.hold(base, lambda: Run(request, results_fd))
