"""pytest, configured once and without any path of a student's; the same in both shapes."""

from __future__ import annotations

import getpass  # noqa: F401  pytest comes to import it for tmp_path; here, once for all warm runs
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import numpy.testing  # noqa: F401  most suites come to import these two
import numpy.typing  # noqa: F401
import pytest

import ol.child.arrays  # noqa: F401  probes' tests import it: bind numpy's own functions before any unit can
from ol.child import rewriting
from ol.child.conftests import NoHooks
from ol.child.recorder import Recorder, _leave
from ol.child.run import Run

_WITHOUT = ("cacheprovider", "doctest", "faulthandler", "pastebin", "stepwise")
_SETTINGS = ("--import-mode=importlib", "--capture=no", "--continue-on-collection-errors")
_QUIET = ("--tb=no", "--color=no", "--no-header", "--no-summary")  # nobody reads pytest's own account


class Gate:
    """Where a configured pytest waits for what to run."""

    def __init__(self, next_run: Callable[[], Run | None]) -> None:
        self._next_run = next_run

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool | None:
        manager = session.config.pluginmanager
        recorder = Recorder()
        manager.register(recorder)
        manager.register(NoHooks(manager))
        run = self._next_run()
        if run is None:
            return True  # the warm parent has served its last run, and collects nothing itself
        run.enter()
        aim(session.config, run)
        recorder.begin(run)
        run.records.write("begin", limit=run.watch(), unconfined=run.unconfined)
        if run.request.codes is None:
            run.records.write("compiled", files=rewriting.compiled(session.config, run.request.tests))
            _leave(0)
        rewriting.install(run.request.tests, run.request.codes)
        return None  # pytest goes on to collect, in this process

    def pytest_internalerror(self, excrepr: object) -> None:
        sys.stderr.write(f"{excrepr}\n")


def aim(config: pytest.Config, run: Run) -> None:
    """Point a configured pytest at this run's folder; there is no public way to move its root."""
    config.args = [str(run.request.tests)]
    config._rootpath = run.request.root  # test modules are called `tests.test_nplm`
    config.pluginmanager._confcutdir = run.request.tests
    config.option.keyword = run.request.keyword


def hold(base: Path, next_run: Callable[[], Run | None]) -> None:
    """One session in `base`, where `ol` made pytest.ini and the folder `empty`.

    `next_run` answers the run that this process is to carry out, or None when there is none.
    """
    without = [word for name in _WITHOUT for word in ("-p", f"no:{name}")]
    places = ["-c", str(base / "pytest.ini"), f"--rootdir={base}", f"--confcutdir={base}"]
    with open(os.devnull, "w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):  # noqa: PTH123
        pytest.main([*without, *_SETTINGS, *_QUIET, *places, str(base / "empty")], plugins=[Gate(next_run)])
