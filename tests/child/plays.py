"""Tiny suites written inline, played in real children of both shapes."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from ol.adapters.runner import SuiteRunner
from ol.domain.file import File
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, CaseResult, Completed, Crashed, SuiteRun

SHAPES = ("warm", "cold") if sys.platform == "linux" else ("cold",)
AMPLE = Budget(cpu_s=20, wall_s=60, case_s=40)


def request(tests: str | dict[str, str], unit: str = "", **asked: Any) -> RunRequest:
    """A request for a suite given as text (of `test_it.py`, or by file) on `tinyllm.unit`."""
    files = {"test_it.py": tests} if isinstance(tests, str) else tests
    return RunRequest(
        tests=tuple(File(name, dedent(text).encode()) for name, text in files.items()),
        sources=asked.pop("sources", {"tinyllm.unit": dedent(unit)}),
        budget=asked.pop("budget", AMPLE),
        **asked,
    )


@dataclass(frozen=True)
class Stage:
    """Where a suite is played."""

    runner: SuiteRunner

    def play(self, tests: str | dict[str, str], unit: str = "", **asked: Any) -> SuiteRun:
        return self.runner.run(request(tests, unit, **asked))

    def completed(self, tests: str | dict[str, str], unit: str = "", **asked: Any) -> Completed:
        run = self.play(tests, unit, **asked)
        assert isinstance(run, Completed), run
        return run

    def crashed(self, tests: str | dict[str, str], unit: str = "", **asked: Any) -> Crashed:
        run = self.play(tests, unit, **asked)
        assert isinstance(run, Crashed), run
        return run

    def only(self, tests: str | dict[str, str], unit: str = "", **asked: Any) -> CaseResult:
        """The one result of a suite of one case."""
        (result,) = self.completed(tests, unit, **asked).results
        return result

    def outcomes(self, tests: str | dict[str, str], unit: str = "", **asked: Any) -> dict[str, str]:
        """Name to outcome, in the order of the run."""
        run = self.completed(tests, unit, **asked)
        assert run.collection_errors == ()
        return {result.case_id.split("::", 1)[1]: result.outcome.value for result in run.results}
