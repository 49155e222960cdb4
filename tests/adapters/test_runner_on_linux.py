"""What the runner promises where Linux is: servers that die or refuse, and processes told by /proc."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ol.adapters import process
from ol.adapters.runner import SuiteRunner
from ol.domain.suite import Crashed, Outcome, Signalled
from tests.child.plays import request

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the warm shape and /proc are Linux's")

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = """
import sys
from pathlib import Path
from ol.adapters.runner import SuiteRunner
from tests.child.plays import request

with SuiteRunner("tinyllm", sys.argv[1]) as runner:
    endless = request("import time\\ndef test_it():\\n    while True: time.sleep(0.1)")
    print("begun", flush=True)
    list(runner.run_all([endless, endless], jobs=2))
"""


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def processes_in(base: Path) -> list[str]:
    """Command lines of the processes that were started with a folder below `base`, or work in one."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command = (place / "cmdline").read_text("utf-8").replace("\0", " ")
            if f"{base}/ol-" in command or f"{base}/ol-" in str((place / "cwd").readlink()):
                found.append(command or place.name)
        except OSError:
            continue
    return found


def until(condition: Callable[[], object], seconds: float = 20) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_nothing_is_started_before_the_first_run_and_one_server_serves_all(base: Path) -> None:
    with SuiteRunner("tinyllm", "warm") as runner:
        assert processes_in(base) == []
        list(runner.run_all([request("def test_it(): pass")] * 3, jobs=2))
        assert len(processes_in(base)) == 1
    assert processes_in(base) == []


@pytest.mark.parametrize("shape", ["warm", "cold"])
def test_ctrl_c_leaves_no_process_and_no_scratch(base: Path, shape: str) -> None:
    ol = _endless(base, shape)
    assert until(lambda: len([*base.glob("ol-*/run-*/tests")]) == 2 and processes_in(base))
    ol.send_signal(signal.SIGINT)
    _, told = ol.communicate(timeout=30)
    assert b"KeyboardInterrupt" in told
    assert processes_in(base) == [] and not [*base.glob("ol-*")]


@pytest.mark.parametrize("shape", ["warm", "cold"])
def test_when_ol_is_killed_its_runs_end_too(base: Path, shape: str) -> None:
    ol = _endless(base, shape)
    assert until(lambda: len([*base.glob("ol-*/run-*/stuck")]) == 2 and len(processes_in(base)) >= 2)
    ol.kill()
    ol.communicate(timeout=30)
    assert until(lambda: processes_in(base) == [])
    if shape == "warm":  # its server outlives `ol` long enough to clear up
        assert until(lambda: not [*base.glob("ol-*")])


def _endless(base: Path, shape: str) -> subprocess.Popen[bytes]:
    environment = os.environ | {"TMPDIR": str(base), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", ENDLESS, shape]
    ol = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert ol.stdout is not None and ol.stdout.readline() == b"begun\n"
    return ol


def test_a_run_that_kills_the_server_harms_no_other(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a kernel without means against it: Landlock has them from version 6 on."""
    older = f"sys.path.insert(0, {str(ROOT)!r}); from ol.child import landlock; landlock.abi = lambda: 5"
    monkeypatch.setattr(process, "CHILD", server_that(older, base))
    kills = request(
        "import os, time\ndef test_it():\n    time.sleep(1)\n    os.kill(os.getppid(), 9)\n    time.sleep(9)"
    )
    slow = request("import time\ndef test_it(): time.sleep(1.5)")
    with SuiteRunner("tinyllm", "warm") as runner:  # both have begun when the server is killed
        runs = dict(runner.run_all([slow, kills, slow, slow], jobs=2))
        assert runner.shape == "warm"
        assert dict(runner.run_all([slow], jobs=1))[0].results[0].outcome is Outcome.PASSED
    crashed = runs.pop(1)
    assert isinstance(crashed, Crashed) and crashed.exit == Signalled(9)
    assert "watches over the runs was ended" in crashed.output_tail
    assert [run.results[0].outcome for run in runs.values()] == [Outcome.PASSED] * 3


def server_that(does: str, folder: Path) -> Path:
    """A door to the child that does something first when it is to become a server."""
    door = folder / "door.py"
    real = str(process.CHILD)
    door.write_text(
        f"import runpy, sys, threading, time, types\nif sys.argv[1] == 'warm':\n    {does}\n"
        f"runpy.run_path({real!r}, run_name='__main__')",
        encoding="utf-8",
    )
    return door


@pytest.mark.parametrize(
    "unfit",
    [
        "sys.modules['tinyllm'] = types.ModuleType('tinyllm')",
        "threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()",
    ],
)
def test_a_server_that_cannot_fork_a_fresh_start_refuses_and_the_run_is_cold(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unfit: str
) -> None:
    monkeypatch.setattr(process, "CHILD", server_that(unfit, tmp_path))
    tests = "from tinyllm.unit import x\ndef test_it(): assert x == 1"
    with SuiteRunner("tinyllm", "warm") as runner:
        assert runner.run(request(tests, "x = 1")).results[0].outcome is Outcome.PASSED
        assert runner.shape == "warm"


def test_where_no_server_lives_runs_are_cold_from_then_on(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "CHILD", server_that("raise SystemExit", tmp_path))
    with SuiteRunner("tinyllm", "warm") as runner:
        assert runner.run(request("def test_it(): pass")).results[0].outcome is Outcome.PASSED
        assert runner.shape == "cold"


def test_a_fork_bomb_is_ended_as_soon_as_it_is_seen(base: Path) -> None:
    tests = """
        import os, time
        def test_it():
            for _ in range(7):  # 128 processes: bounded, should the bound under test fail
                os.fork()
            time.sleep(60)
    """
    with SuiteRunner("tinyllm", "warm") as runner:
        began = time.monotonic()
        run = runner.run(request(tests))
        assert time.monotonic() - began < 20
        assert isinstance(run, Crashed) and run.exit == Signalled(9)
        assert "more than 64 processes" in run.output_tail
        assert len(processes_in(base)) == 1
