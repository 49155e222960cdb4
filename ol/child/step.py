"""One step of a milestone: `python -m <package> WORDS` from a merged tree, confined, in an interpreter of its own.

The request comes on standard input, in JSON: package, argv, base, readable, cpu_s, wall_s, memory_bytes, file_bytes.
`base` holds tree/, work/, home/ and tmp/; there `ol` reads `stuck`, where a step stood at its limit, and `facts`.
"""

from __future__ import annotations

import faulthandler
import json
import os
import runpy
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ol.child import confinement, landlock, sandbox

_WRITTEN = ("work", "home", "tmp")


def run() -> None:
    with os.fdopen(os.dup(0), "rb") as asked:
        request = json.load(asked)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    _enter(request, Path(request["base"]))
    sys.argv = [request["package"], *request["argv"]]
    runpy.run_module(request["package"], run_name="__main__", alter_sys=True)


def _enter(request: dict[str, Any], base: Path) -> None:
    """Make this process the step's own. Student code runs only after it."""
    sandbox.narrow_import_path()
    sandbox.die_with_parent()
    stuck = (base / "stuck").open("ab")
    home, temporary = str(base / "home"), str(base / "tmp")
    os.environ.update(HOME=home, USERPROFILE=home, TMPDIR=temporary, TEMP=temporary, TMP=temporary)
    sys.path.insert(0, str(base / "tree"))
    os.chdir(base / "work")
    with (base / "facts").open("w", encoding="utf-8") as facts:
        sandbox.limit(request["cpu_s"], request["memory_bytes"], request["file_bytes"])
        json.dump(confinement.confine(_places(request, base)), facts)
    if sys.platform != "win32":
        faulthandler.register(signal.SIGXCPU, file=stuck, all_threads=False, chain=True)
    faulthandler.dump_traceback_later(request["wall_s"], exit=True, file=stuck)


def _places(request: dict[str, Any], base: Path) -> Iterator[tuple[str, int]]:
    yield str(base / "tree"), landlock.READ
    for name in _WRITTEN:
        yield str(base / name), landlock.WRITE
    for path in request["readable"]:
        yield path, landlock.READ
