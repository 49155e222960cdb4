"""The runner: every request answered by its own run, whatever happens on the way, and nothing left behind."""

from __future__ import annotations

import dataclasses
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ol.adapters import process
from ol.adapters import runner as runners
from ol.adapters.attempt import Attempt
from ol.adapters.runner import SuiteRunner
from ol.domain.errors import HarnessFault, WrongRequest
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, Completed, Crashed, SuiteRun, TimedOut
from tests.child.plays import SHAPES, request

SUITE = """
    import numpy as np
    import pytest
    from tinyllm.unit import double

    def test_array(): np.testing.assert_allclose(double(np.arange(3.0)), [0, 2, 4])
    @pytest.mark.parametrize("x", [0, 1.5, "a"])
    def test_scalar(x):
        print("got", x)
        assert double(x) == x + x
    @pytest.mark.skip
    def test_skipped(): pass
    class TestRaises:
        def test_it(self):
            with pytest.raises(TypeError):
                double(None)
"""
UNITS = {
    "right": "def double(x):\n    return x + x",
    "wrong": "def double(x):\n    return x * x",
    "raises": "def double(x):\n    raise ValueError(f'{x!r}')",
    "syntax": "def double(x:\n    return x",
    "exits": "import os\nos._exit(0)",
}


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where every runner of the test keeps its scratch."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture(params=SHAPES)
def runner(request: pytest.FixtureRequest, base: Path) -> Iterator[SuiteRunner]:
    with SuiteRunner("tinyllm", request.param) as runner:
        yield runner


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[RunRequest]:
    """What was tried: a child cannot count for us, for it leaves nothing behind."""
    asked: list[RunRequest] = []

    def counted(request: RunRequest, *others: Any) -> Attempt:
        asked.append(request)
        return attempt(request, *others)

    attempt = runners.attempt
    monkeypatch.setattr(runners, "attempt", counted)
    return asked


def timeless(run: SuiteRun) -> SuiteRun:
    """A run without its figures."""
    results = tuple(dataclasses.replace(result, duration_s=0.0) for result in run.results)
    if isinstance(run, Completed):
        return dataclasses.replace(run, results=results, duration_s=0.0, cpu_s=0.0)
    return dataclasses.replace(run, results=results)


def test_the_shape_is_asked_for_or_the_best_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OL_RUNNER", raising=False)
    asked = [None, "cold", SHAPES[0]]
    for shape, expected in zip(asked, [SHAPES[0], "cold", SHAPES[0]], strict=True):
        with SuiteRunner("tinyllm", shape) as runner:
            assert runner.shape == expected
    monkeypatch.setenv("OL_RUNNER", "cold")
    with SuiteRunner("tinyllm") as runner:
        assert runner.shape == "cold"


def test_a_shape_that_there_is_not_is_a_wrong_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OL_RUNNER", "tepid")
    with pytest.raises(WrongRequest, match="warm or cold, not tepid"):
        SuiteRunner("tinyllm")


def test_warm_and_cold_agree(base: Path) -> None:
    runs = []
    for shape in SHAPES:
        with SuiteRunner("tinyllm", shape) as runner:
            answers = dict(runner.run_all([request(SUITE, unit) for unit in UNITS.values()], jobs=1))
            runs.append([timeless(answers[index]) for index in range(len(UNITS))])
    assert runs[0] == runs[-1]


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_request_is_answered_by_its_own_run(runner: SuiteRunner, jobs: int) -> None:
    tests = "from tinyllm.unit import N\ndef test_it(record_property): record_property('n', N)"
    requests = [request(tests, f"N = {number}") for number in range(7)]
    answers = {index: run.results[0].facts.properties for index, run in runner.run_all(requests, jobs)}
    assert answers == {number: (("n", str(number)),) for number in range(7)}


def test_requests_are_drawn_when_there_is_room(runner: SuiteRunner) -> None:
    drawn = []

    def requests() -> Iterator[RunRequest]:
        for number in range(5):
            drawn.append(number)
            yield request("def test_it(): pass")

    runs = runner.run_all(requests(), jobs=2)
    next(runs)
    assert drawn == [0, 1]
    assert len([*runs]) == 4


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_time_out_is_believed_after_a_second_one_alone(
    runner: SuiteRunner, attempts: list[RunRequest], jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = iter([request("import time\ndef test_it(): time.sleep(60)").tests])

    def late_once(asked: RunRequest, *others: object) -> Attempt:
        return counted(replace(asked, tests=next(once, asked.tests)) if asked is slow else asked, *others)

    counted: Callable[..., Attempt] = runners.attempt
    monkeypatch.setattr(runners, "attempt", late_once)
    slow = request("def test_it(): pass", budget=Budget(cpu_s=60, wall_s=60, case_s=2))
    (first, _), (last, run) = runner.run_all([slow, request("def test_it(): pass")], jobs)
    assert (first, last) == (1, 0)
    assert isinstance(run, Completed) and len(attempts) == 3


def test_what_hangs_twice_has_timed_out(runner: SuiteRunner, attempts: list[RunRequest]) -> None:
    tests = "import time\ndef test_it(): time.sleep(60)"
    run = runner.run(request(tests, budget=Budget(cpu_s=60, wall_s=60, case_s=2)))
    assert isinstance(run, Crashed) and isinstance(run.exit, TimedOut)
    assert len(attempts) == 2


def test_cpu_time_used_alone_is_believed_at_once(runner: SuiteRunner, attempts: list[RunRequest]) -> None:
    tests = "def test_it():\n    while True: pass"
    run = runner.run(request(tests, budget=Budget(cpu_s=1, wall_s=120, case_s=100)))
    assert isinstance(run, Crashed) and isinstance(run.exit, TimedOut) and run.exit.limit == "cpu"
    assert len(attempts) == 1


def test_the_scratch_of_a_run_is_gone_when_it_ends(runner: SuiteRunner, base: Path) -> None:
    runner.run(request("import os\ndef test_it(tmp_path): os.chmod(tmp_path, 0)"))
    (own,) = base.glob("ol-*")
    assert not [*own.glob("run-*")]
    runner.close()
    assert not [*base.glob("ol-*")]


def test_runs_that_nobody_waits_for_are_ended(runner: SuiteRunner, base: Path) -> None:
    endless = request("import time\ndef test_it(): time.sleep(1000)")
    runs = runner.run_all([request("def test_it(): pass"), endless, endless], jobs=3)
    next(runs)
    began = time.monotonic()
    runs.close()
    (own,) = base.glob("ol-*")
    while [*own.glob("run-*")]:
        assert time.monotonic() - began < 20
        time.sleep(0.01)


def test_a_thread_of_the_pool_may_be_the_one_that_lets_go_of_the_answers(runner: SuiteRunner) -> None:
    """The garbage collector runs in whichever thread allocates next."""
    runs = runner.run_all([request("def test_it(): pass")] * 3, jobs=2)
    next(runs)
    in_the_pool(runner, runs.close)
    assert isinstance(runner.run(request("def test_it(): pass")), Completed)


def in_the_pool(runner: SuiteRunner, work: Callable[[], None]) -> None:
    runner._pool.submit(work).result(timeout=20)


def test_closing_ends_the_runs_of_other_threads(runner: SuiteRunner, base: Path) -> None:
    endless = request("import time\ndef test_it(): time.sleep(1000)")
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(runner.run, endless)
        while not [*base.glob("ol-*/run-*/stuck")]:
            time.sleep(0.01)
        runner.close()
        with pytest.raises(HarnessFault, match="stopped before its end"):
            answer.result(timeout=20)
    assert not [*base.glob("ol-*")]


def test_a_child_that_cannot_begin_is_a_fault_of_ol(
    runner: SuiteRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('no numpy here')", encoding="utf-8")
    monkeypatch.setattr(process, "CHILD", broken)
    with pytest.raises(HarnessFault, match="no numpy here"):
        runner.run(request("def test_it(): pass"))


def test_twelve_runs_warm_and_cold_side_by_side(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Measured and printed, not judged: the machine is shared."""
    requests = [request(SUITE, UNITS["right"])] * 12
    took = {}
    for shape in SHAPES:
        began = time.perf_counter()
        with SuiteRunner("tinyllm", shape) as runner:
            assert all(isinstance(run, Completed) for _, run in runner.run_all(requests, jobs=1))
        took[shape] = time.perf_counter() - began
    with capsys.disabled():
        print("\ntwelve runs:", ", ".join(f"{shape} {seconds:.2f} s" for shape, seconds in took.items()))
