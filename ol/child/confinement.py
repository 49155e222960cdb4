"""Where student code may go: it reads the interpreter and its libraries, writes in its run's folder, and that is all.

Landlock keeps it to its files, from the memory of others and from signalling them; seccomp keeps it off the network.
What this kernel has no means for is told by name, and the run goes on: a verdict is the same with and without.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from ol.child import landlock, sandbox, seccomp
from ol.child.request import Request

FILES, TRUNCATION, NETWORK, SIGNALS = "files", "truncation", "network", "signals"

_LIBRARIES = ("lib", "lib64", "bin", "pyvenv.cfg")  # of an interpreter; a checkout may lie beside them
_SYSTEM = (
    *("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/nix/store"),
    *("/usr/bin", "/usr/local/bin", "/bin", "/usr/share/zoneinfo", "/etc/localtime", "/etc/ld.so.cache"),
    *("/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"),
    *("/dev/zero", "/dev/random", "/dev/urandom"),
)
_COURSE = ("course/tests/frozen", "course/bars", "course/corpora", "oracle")
_PACKAGES = tuple(  # where they really lie: an installer may have left links to them
    str(Path(str(spec.origin)).resolve().parent)
    for name in ("numpy", "pytest", "ol.child")
    if (spec := find_spec(name)) is not None
)


def confine(places: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    """Confine this process for good to these places and the libraries. What the kernel cannot keep it from, by name."""
    if not sandbox.LINUX:
        return (FILES, NETWORK, SIGNALS)
    sandbox.gain_nothing()
    version = landlock.abi()
    try:
        if version >= landlock.MAY_RENAME:
            landlock.confine(version, (*places, *libraries()))
    except OSError:  # of a sandbox around this one, which keeps part of it from us
        version = 0
    return tuple(unconfined(version, seccomp.confine()))


def unconfined(version: int, filtered: bool) -> Iterator[str]:
    """What is left open by this version of Landlock, and where there is no filter.

    The first version forbids every move of a file to another folder, and would fail honest tests: it is not used.
    """
    if version < landlock.MAY_RENAME:
        yield FILES
    elif version < landlock.MAY_NOT_TRUNCATE:
        yield TRUNCATION
    if not filtered:
        yield NETWORK
    if version < landlock.MAY_NOT_SIGNAL:
        yield SIGNALS


def libraries() -> Iterator[tuple[str, int]]:
    """Paths, and the access to each and all below it: what any Python program needs."""
    yield "/dev/null", landlock.USE
    for path in (*_SYSTEM, *_PACKAGES):
        yield path, landlock.READ
    for prefix in {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}:
        for name in _LIBRARIES:
            yield f"{prefix}/{name}", landlock.READ


def of_a_run(request: Request) -> Iterator[tuple[str, int]]:
    """A run's own folder, and what course tests read of the course."""
    yield request.folder, landlock.WRITE
    if request.course_root is not None:
        yield f"{request.course_root}/course/tests", landlock.LIST  # an import looks which names there are
        for name in _COURSE:
            yield f"{request.course_root}/{name}", landlock.READ
