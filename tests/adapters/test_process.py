"""Child processes: an environment of their own, an end for all of them."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from ol.adapters import process
from tests.processes import ended

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and sessions are POSIX")


def test_what_steers_a_child_is_chosen_and_the_machines_own_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    steers = {"PYTHONPATH": "/x", "PYTEST_ADDOPTS": "--co", "OL_RUNNER": "cold", "OMP_NUM_THREADS": "9"}
    for name, value in {**steers, "OPENBLAS_CORETYPE": "Haswell"}.items():
        monkeypatch.setenv(name, value)
    environment = process.hermetic()
    assert not {"PYTHONPATH", "PYTEST_ADDOPTS", "OL_RUNNER", "HOME"} & set(environment)
    assert environment["OMP_NUM_THREADS"] == environment["MKL_NUM_THREADS"] == "1"
    assert environment["OPENBLAS_CORETYPE"] == "Haswell"
    assert environment["PATH"] == os.environ["PATH"]


def started(code: str, folder: Path, mark: str = "m") -> process.subprocess.Popen[bytes]:
    environment = process.hermetic() | {"OL_MARK": mark}
    return process.start(["-c", code], folder=folder, environment=environment)


@pytest.mark.parametrize("code, expected", [("pass", 0), ("raise SystemExit(3)", 3)])
def test_an_end_is_told_once_it_is_there(tmp_path: Path, code: str, expected: int) -> None:
    child = started(f"import time\ntime.sleep(0.3)\n{code}", tmp_path)
    assert process.ending(child, 0.01) is None
    ending = process.ending(child, 30)
    assert ending is not None and (ending.code, ending.pid) == (expected, child.pid)


@posix
def test_what_a_child_used_is_told(tmp_path: Path) -> None:
    spins = "import time\nkept = bytes(1) * (64 << 20)\nwhile time.process_time() < 0.3: pass"
    ending = process.ending(started(spins, tmp_path), 60)
    assert ending is not None and ending.cpu_s >= 0.3 and ending.peak_bytes >= 64 << 20


@posix
def test_a_child_is_ended_with_its_group_and_what_left_it(tmp_path: Path) -> None:
    told = tmp_path / "pids"
    spawns = f"""
import os, time
for leaves in (False, True):
    if os.fork() == 0:
        if leaves:
            os.setsid()
        break
with open({str(told)!r}, "a") as file:
    file.write(f"{{os.getpid()}}\\n")
time.sleep(100)
"""
    mark = f"test-{os.getpid()}-{time.time_ns()}"
    child = started(spawns, tmp_path, mark)
    while not told.exists() or len(told.read_text().split()) < 3:
        time.sleep(0.01)
    process.end(child, f"OL_MARK={mark}")
    ending = process.ending(child, 10)
    assert ending is not None and ending.code == -9
    if sys.platform == "linux":
        assert all(ended(int(pid)) for pid in told.read_text().split())


def test_a_program_is_run_to_its_end_with_what_it_complained_of(tmp_path: Path) -> None:
    code = "import os, sys\nprint(os.getcwd(), os.environ['X'], 'né', file=sys.stderr)\nsys.exit(4)"
    environment = os.environ | {"X": "why", "PYTHONUTF8": "1"}
    told = process.to_its_end(["-c", code], folder=tmp_path, environment=environment)
    assert told == (4, f"{tmp_path.resolve()} why né\n")
