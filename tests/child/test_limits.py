"""Every bound ends the run, is named, and leaves nothing behind."""

from __future__ import annotations

import re
import sys

import pytest

from ol.domain.suite import Budget, Crashed, Frame, Outcome, OutOfMemory, SuiteRun, TimedOut, TooMuchOutput
from tests.child.plays import Stage
from tests.processes import ended

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit: the wall bounds it")
linux = pytest.mark.skipif(sys.platform != "linux", reason="told by Linux's /proc")

CPU = Budget(cpu_s=1, wall_s=120, case_s=100)
CASE = Budget(cpu_s=60, wall_s=120, case_s=2)
WALL = Budget(cpu_s=60, wall_s=3, case_s=2.9)


@posix
def test_an_endless_loop_is_ended_by_its_cpu_time_and_its_place_told(stage: Stage) -> None:
    tests = "from tinyllm.unit import spin\ndef test_before(): pass\ndef test_it():\n    spin()"
    run = stage.crashed(tests, "def spin():\n    while True:\n        pass", budget=CPU)
    assert isinstance(run.exit, TimedOut) and (run.exit.after_s, run.exit.limit) == (1, "cpu")
    assert run.exit.stuck[0] == Frame("tests/test_it.py", 4, "test_it")
    assert run.exit.stuck[1].file == "<tinyllm.unit>" and run.exit.stuck[1].function == "spin"
    assert run.running == "test_it.py::test_it"
    assert [result.name for result in run.results] == ["test_before"]


@posix
def test_a_loop_that_will_not_hear_is_ended_too(stage: Stage) -> None:
    tests = """
        import signal
        def test_it():
            for number in range(1, 32):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError):
                    pass
            while True:
                try:
                    while True: pass
                except BaseException:
                    pass
    """
    run = stage.crashed(tests, budget=CPU)
    assert isinstance(run.exit, TimedOut) and run.exit.limit == "cpu"


@pytest.mark.parametrize("place, running", [("call", "test_it.py::test_it"), ("import", None)])
def test_what_only_waits_is_ended_by_the_limit_of_a_case(
    stage: Stage, place: str, running: str | None
) -> None:
    wait = "import time\n"
    wait += "def test_it():\n    time.sleep(1000)" if place == "call" else "time.sleep(1000)"
    run = stage.crashed(wait, budget=CASE)
    assert isinstance(run.exit, TimedOut) and (run.exit.after_s, run.exit.limit) == (2, "case")
    assert run.exit.stuck[-1].file == "tests/test_it.py" and run.exit.stuck[-1].line in (2, 3)
    assert run.running == running


def test_many_cases_that_wait_are_ended_by_the_wall(stage: Stage) -> None:
    tests = "import pytest, time\n@pytest.mark.parametrize('i', range(9))\ndef test_it(i):\n    time.sleep(1)"
    run = stage.crashed(tests, budget=WALL)
    assert isinstance(run.exit, TimedOut) and (run.exit.after_s, run.exit.limit) == (3, "wall")
    assert run.exit.stuck == (Frame("tests/test_it.py", 4, "test_it"),)
    assert 0 < len(run.results) < 9


def test_one_that_puts_off_its_own_alarm_is_ended_by_the_wall(stage: Stage) -> None:
    tests = """
        import faulthandler, time
        def test_it():
            faulthandler.cancel_dump_traceback_later()
            time.sleep(1000)
    """
    run = stage.crashed(tests, budget=WALL)
    assert run.exit == TimedOut(3, "wall")


@linux
@pytest.mark.parametrize("hog", ["np.ones(1 << 30)", "bytearray(1 << 33)", "[0] * (1 << 31)"])
def test_asking_for_too_much_memory_is_a_failure_like_any_other(stage: Stage, hog: str) -> None:
    tests = f"import numpy as np\ndef test_it():\n    {hog}\ndef test_after(): pass"
    hogging, after = stage.completed(tests, budget=Budget(20, 60, 40, memory_bytes=1 << 29)).results
    assert hogging.outcome is Outcome.FAILED
    assert "MemoryError" in (hogging.facts.exception, *hogging.facts.bases)
    assert after.outcome is Outcome.PASSED


@linux
def test_a_death_at_the_memory_limit_is_told_as_one(stage: Stage) -> None:
    tests = """
        import os
        def test_it():
            kept = []
            try:
                while True:
                    kept.append(b"x" * (1 << 20))
            except MemoryError:
                os.abort()
    """
    run = stage.crashed(tests, budget=Budget(20, 60, 40, memory_bytes=1 << 28))
    assert run.exit == OutOfMemory(1 << 28)


@pytest.mark.parametrize("flood", ["print('x' * 1000)", "os.write(2, b'x' * 100_000)"])
def test_a_flood_of_output_is_ended(stage: Stage, flood: str) -> None:
    budget = Budget(cpu_s=60, wall_s=120, case_s=100, output_bytes=1 << 20)
    run = stage.crashed(f"import os\ndef test_it():\n    while True:\n        {flood}", budget=budget)
    assert run.exit == TooMuchOutput(1 << 20)
    assert run.output_tail.startswith("xxx") and len(run.output_tail) == 4096


def test_output_below_the_bound_is_no_matter(stage: Stage) -> None:
    tests = "def test_it():\n    for _ in range(1000):\n        print('x' * 1000)"
    assert stage.outcomes(tests) == {"test_it": "passed"}


@posix
def test_a_file_cannot_outgrow_its_bound(stage: Stage) -> None:
    tests = "def test_it(tmp_path):\n    (tmp_path / 'big').write_bytes(bytes(3 << 20))"
    result = stage.only(tests, budget=Budget(20, 60, 40, file_bytes=1 << 20))
    assert (result.outcome, result.facts.exception) == (Outcome.FAILED, "OSError")


def test_endless_recursion_is_a_recursion_error(stage: Stage) -> None:
    tests = "from tinyllm.unit import f\ndef test_it():\n    f(0)\ndef test_after(): pass"
    endless, after = stage.completed(tests, "def f(n):\n    return f(n + 1)").results
    assert endless.facts.exception == "RecursionError"
    assert endless.facts.frames[0] == Frame("tests/test_it.py", 3, "test_it")
    assert endless.facts.frames[-1] == Frame("<tinyllm.unit>", 2, "f")
    assert after.outcome is Outcome.PASSED


def pids_told(run: SuiteRun) -> set[int]:
    """The pids that a run printed, a line each: a child has no other way to tell them."""
    printed = run.output_tail if isinstance(run, Crashed) else run.results[-1].facts.output
    return {int(pid) for pid in re.findall(r"^pid (\d+)$", printed, re.MULTILINE)}


SURVIVORS = """
    import os, time, pytest

    def stray(*, leaves_session):
        if os.fork() == 0:
            if leaves_session:
                os.setsid()
            if os.fork() == 0:
                print("pid", os.getpid(), flush=True)
                time.sleep(1000)
            os._exit(0)
        os.wait()

    def test_it():
        for leaves_session in (True, False):
            stray(leaves_session=leaves_session)
        while open("../output", encoding="utf-8").read().count("\\n") < 2:
            time.sleep(0.01)
        {end}
"""


@linux
@pytest.mark.parametrize(
    "end", ["assert False", "os._exit(0)", "os.kill(os.getpid(), 9)", "time.sleep(1000)"]
)
def test_no_grandchild_survives(stage: Stage, end: str) -> None:
    pids = pids_told(stage.play(SURVIVORS.format(end=end), budget=Budget(60, 120, 3)))
    assert len(pids) == 2
    assert all(map(ended, pids))


@linux
def test_a_fork_bomb_is_ended_with_all_its_processes(stage: Stage) -> None:
    tests = """
        import os, time
        def test_it():
            end = time.monotonic() + 60
            for generation in range(7):  # 128 processes: bounded, should the bound under test fail
                if os.fork() == 0:
                    if generation % 2:
                        os.setsid()
                    print("pid", os.getpid(), flush=True)
            while time.monotonic() < end:
                time.sleep(0.1)
    """
    pids = pids_told(stage.crashed(tests, budget=Budget(60, 4, 3)))
    assert len(pids) > 64
    assert all(map(ended, pids))


@linux
def test_limits_are_set_before_student_code_and_cannot_be_raised(stage: Stage) -> None:
    tests = """
        import resource as r
        MEGA = 1 << 20
        def test_limits():
            assert r.getrlimit(r.RLIMIT_CORE) == (0, 0)
            assert r.getrlimit(r.RLIMIT_FSIZE) == (64 * MEGA, 64 * MEGA)
            assert r.getrlimit(r.RLIMIT_NOFILE)[1] <= 256
            soft, hard = r.getrlimit(r.RLIMIT_CPU)
            assert soft < hard <= 20 + 2
            assert r.getrlimit(r.RLIMIT_AS)[1] != r.RLIM_INFINITY
    """
    assert stage.outcomes(tests) == {"test_limits": "passed"}
