"""What a run may use, and the privileges that it gives up. Where it may go is told in confinement.py.

Everything degrades: where a platform lacks a limit (Windows has none of them, macOS does not enforce address
space) the run is still bounded by the wall clock that `ol` keeps.
"""

from __future__ import annotations

import math
import os
import signal
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import process_time

from ol.child import libc

if sys.platform != "win32":
    import resource

LINUX = sys.platform == "linux"
OPEN_FILES = 256
MORE_TASKS = 256
_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1 << 1, 1 << 2  # root goes on using files of any mode


def narrow_import_path() -> None:
    """Keep of sys.path what is installed with this interpreter: no checkout, no working folder."""
    prefixes = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    roots = {Path(prefix).resolve() for prefix in prefixes}
    sys.path[:] = [entry for entry in sys.path if any(Path(entry).resolve().is_relative_to(r) for r in roots)]


def limit(cpu_s: float, memory_bytes: int, file_bytes: int) -> None:
    """Bound this process and what it starts. Memory and CPU count from what it holds now."""
    if sys.platform == "win32":
        return
    cpu = math.ceil(process_time() + cpu_s)
    _lower(resource.RLIMIT_CPU, cpu, cpu + 1)  # the soft limit tells where it stood, the hard one ends it
    _lower(resource.RLIMIT_FSIZE, file_bytes)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, OPEN_FILES)
    if LINUX:
        _lower(resource.RLIMIT_NPROC, most_tasks())
        _lower(resource.RLIMIT_AS, address_space() + memory_bytes)


if sys.platform != "win32":

    def _lower(which: int, soft: int, hard: int | None = None) -> None:
        _, ceiling = resource.getrlimit(which)
        wanted = soft if hard is None else hard
        top = wanted if ceiling == resource.RLIM_INFINITY else min(wanted, ceiling)
        resource.setrlimit(which, (min(soft, top), top))


@cache
def most_tasks() -> int:
    """How many processes and threads this user may have: those that are, and some more. Once per command.

    The kernel counts them per user and exempts root; the server counts each run's own processes beside.
    """
    count = 0
    for process in Path("/proc").glob("[0-9]*/task"):
        with suppress(OSError):
            told = process.stat()
            count += told.st_nlink - 2 if told.st_uid == os.getuid() else 0
    return count + MORE_TASKS


def address_space() -> int:
    """Bytes of address space that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


def die_with_parent() -> None:
    """End this process when the one that started it dies."""
    if LINUX:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent has died, whatever session it moved to."""
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)


def hide_memory() -> None:
    """Keep processes of the same user from reading this one's memory and open files; forks inherit it."""
    libc.prctl(_PR_SET_DUMPABLE, 0)


def gain_nothing() -> None:
    """Let no program gain privileges from now on, and give up root's, but those over files."""
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1)
    libc.keep_capabilities(_CAP_DAC_OVERRIDE | _CAP_DAC_READ_SEARCH)
