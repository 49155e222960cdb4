"""The one door to child processes: in a session and environment of their own, or in the terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO

from ol.adapters.ending import Ending

CHILD = Path(__file__).resolve().parents[1] / "child" / "__main__.py"

_KEPT = (  # what a program needs of this machine, and nothing that could steer Python or pytest
    *("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT"),
    *("NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE"),
    *("OPENBLAS_CORETYPE", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "MKL_DEBUG_CPU_TYPE"),
    *("NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES"),
)
_SET = {
    **{f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")},
    "VECLIB_MAXIMUM_THREADS": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONNOUSERSITE": "1",
    "PYTHONDONTWRITEBYTECODE": "1",  # a run's folder is used once, and no other may be written
    "PYTHONUTF8": "1",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "MALLOC_ARENA_MAX": "1",  # else each thread reserves address space, which the memory limit counts
    "TZ": "UTC",
    "LC_ALL": "C.UTF-8",
}
_LOOK_EVERY_S = 0.005
_COMPARING_S = 120.0


def hermetic() -> dict[str, str]:
    """The environment of a child: what the machine needs, then ours. The same for everybody."""
    return {name: os.environ[name] for name in _KEPT if name in os.environ} | _SET


def start(
    arguments: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    stdin: int | IO[bytes] = subprocess.DEVNULL,
    stdout: int | IO[bytes] = subprocess.DEVNULL,
    stderr: int | IO[bytes] = subprocess.DEVNULL,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """This Python on `arguments`, in a session of its own (on Windows: a process group)."""
    return subprocess.Popen(
        [sys.executable, "-s", *arguments],
        cwd=folder,
        env=dict(environment),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        pass_fds=pass_fds,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )


def ending(process: subprocess.Popen[bytes], seconds: float) -> Ending | None:
    """How a process ended, with what it used where the platform tells; None while it runs."""
    if sys.platform == "win32":
        with suppress(subprocess.TimeoutExpired):
            return Ending(process.pid, process.wait(seconds))
        return None
    gives_up_at = monotonic() + seconds
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            unit = 1 if sys.platform == "darwin" else 1024
            return Ending(pid, process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss * unit)
        if monotonic() > gives_up_at:
            return None
        sleep(_LOOK_EVERY_S)


def end(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a process, its group, and all that carry `mark` (NAME=value) in their environment."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for _ in range(100):  # what it forked meanwhile; not for ever on what cannot be killed
        strays = _marked(mark)
        for pid in strays:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not strays:
            break


def _marked(mark: str) -> list[int]:
    """Processes that left their session but kept the environment they were started with; /proc tells them."""
    wanted = mark.encode()
    found = []
    for place in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in place.read_bytes().split(b"\0"):
                found.append(int(place.parent.name))
    return found


def in_terminal(arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> int:
    """This Python on `arguments` with the terminal as its own; its exit code."""
    asked = [sys.executable, *arguments]
    return subprocess.run(asked, cwd=folder, env=dict(environment), check=False).returncode


def to_its_end(arguments: Sequence[str], *, folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """This Python on `arguments`: its exit code and what it wrote on standard error."""
    asked = [sys.executable, *arguments]
    done = subprocess.run(
        asked,
        cwd=folder,
        env=dict(environment),
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.returncode, done.stderr


def compared(script: Path, arguments: Sequence[str], *, folder: Path) -> bytes | None:
    """What one of our own comparing programs writes, in an interpreter that nothing around it steers."""
    program = isolated(script, arguments)
    return output_of(program, folder=folder, environment=hermetic(), limit_s=_COMPARING_S)


def isolated(script: Path, arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-I", str(script), *arguments]


def output_of(
    program: Sequence[str], *, folder: Path, environment: Mapping[str, str], limit_s: float
) -> bytes | None:
    """What a program of this machine writes on standard output; None when it is missing, fails or is late."""
    try:
        return output_in_time(program, folder=folder, environment=environment, limit_s=limit_s)
    except TimeoutError:
        return None


def output_in_time(
    program: Sequence[str], *, folder: Path, environment: Mapping[str, str], limit_s: float
) -> bytes | None:
    """As `output_of`, but TimeoutError when it is late."""
    try:
        done = subprocess.run(
            program,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise TimeoutError(f"not at its end after {limit_s:g} s") from late
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
