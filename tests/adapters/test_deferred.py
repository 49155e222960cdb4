"""A runner that is built when it is asked for."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path

import pytest

from ol.adapters.deferred import DeferredRunner
from ol.domain.file import File
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, Outcome


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where scratch is made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_nothing_is_made_before_a_run_is_asked_for(base: Path) -> None:
    with DeferredRunner() as runner:
        assert runner.unconfined == ()
        assert not [*base.iterdir()]


def test_a_run_is_that_of_the_course_told_and_leaves_nothing_behind(base: Path) -> None:
    tests = "from tinyllm.unit import N\ndef test_it(): assert N == 1"
    with DeferredRunner() as runner:
        runner.package = "tinyllm"
        asked = RunRequest(
            tests=(File("test_it.py", tests.encode()),),
            sources={"tinyllm.unit": "N = 1"},
            budget=Budget.unmeasured(20.0),
        )
        assert runner.run(asked).results[0].outcome is Outcome.PASSED
        assert [*base.glob("ol-*")]
    assert not [*base.glob("ol-*")]


def test_threads_that_ask_at_once_have_one_runner_between_them(base: Path) -> None:
    together = threading.Barrier(4)

    def asks() -> None:
        together.wait()
        assert runner.shape

    with DeferredRunner() as runner:
        threads = [threading.Thread(target=asks) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len([*base.glob("ol-*")]) == 1
    assert not [*base.glob("ol-*")]


def test_what_was_warmed_up_is_used_and_leaves_nothing_behind(base: Path) -> None:
    with DeferredRunner() as runner:
        runner.warm_up()
        (site,) = base.glob("ol-*")
        assert runner.shape
        assert [*base.glob("ol-*")] == [site]
    assert not [*base.glob("ol-*")]


def test_what_was_warmed_up_for_no_run_leaves_nothing_behind(base: Path) -> None:
    with DeferredRunner() as runner:
        runner.warm_up()
    assert not [*base.glob("ol-*")]
