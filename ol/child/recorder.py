"""The pytest plugin of a run: decides which cases are run, and records raw facts, one result a case."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path
from random import Random
from time import perf_counter, process_time

import pytest

from ol.child import facts
from ol.child.run import Run

_leave = os._exit  # bound before any student code could replace it


class Recorder:
    """Every fact goes out as it happens: what a child says before it dies is kept."""

    def __init__(self) -> None:
        self._known = set(sys.modules)
        self._begun = False

    def begin(self, run: Run) -> None:
        """What follows is this run; until then there is none, and a fault is not of a run."""
        self._begun = True
        self._run = run
        self._request = run.request
        self._write = run.records.write
        self._deselected = 0
        self._ended = False
        self._case = ""
        self._began = perf_counter(), process_time()

    # ---- collection

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        try:
            report = yield
        except SystemExit as leaving:  # else one file that calls sys.exit hides every other
            self._uncollected(collector, leaving)
            return pytest.CollectReport(collector.nodeid, "failed", "sys.exit", [])
        call = getattr(report, "call", None)
        if not report.passed and call is not None:
            self._uncollected(collector, call.excinfo.value)
        return report

    def _uncollected(self, collector: pytest.Collector, error: BaseException) -> None:
        """A file without cases: broken, or skipped as a whole."""
        path = collector.path if collector.path.is_file() else collector.path / "conftest.py"
        self._write("collection_error", file=self._below(path), facts=facts.of(error, self._request.tests))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, None, None]:
        try:
            yield
        except pytest.UsageError as error:
            self._write("usage", message=str(error))
            raise
        self._ids = {item: self._case_id(item) for item in items}
        by_id = {id: item for item, id in self._ids.items()}
        ids = arranged(list(by_id), self._request.select, self._request.shuffle_seed)
        self._deselected += len(items) - len(ids)
        items[:] = [by_id[id] for id in ids]
        self._write("collected", cases=ids, deselected=self._deselected)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        self._deselected += len(items)

    def _case_id(self, item: pytest.Item) -> str:
        folders = (pytest.Session, pytest.Directory)
        _, *names = [node.name for node in item.listchain() if not isinstance(node, folders)]
        return "::".join([self._below(item.path), *names])

    def _below(self, path: Path) -> str:
        tests = self._request.tests
        return path.relative_to(tests).as_posix() if path.is_relative_to(tests) else path.name

    # ---- a case

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._case, self._spent, self._outcome = self._ids[item], 0.0, ""
        self._passed: set[str] = set()
        item.repr_failure = untold  # type: ignore[method-assign]  # costs as much as a short test
        self._printed = self._run.output_size()
        self._write("start", case=self._case, limit=self._run.watch())
        done = yield
        if self._passed == {"setup", "call", "teardown"}:
            self._tell("call", "passed", {"properties": facts.properties(item)})
        if self._request.stop_at_first and self._outcome in ("failed", "error"):
            item.session.shouldfail = "stopped at the first failure"
        return done

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        self._spent += call.duration
        outcome = outcome_of(report, call)
        if outcome == "passed":
            self._passed.add(call.when)
            return report
        raised = facts.of(call.excinfo.value, self._request.tests) if call.excinfo is not None else {}
        printed = self._run.output(self._printed)
        self._tell(call.when, outcome, {**raised, "output": printed, "properties": facts.properties(item)})
        return report

    def _tell(self, stage: str, outcome: str, found: facts.Facts) -> None:
        """The first that is no pass stands: what happens later to this case changes nothing."""
        if not self._outcome:
            self._outcome = outcome
            self._write(
                "result", case=self._case, stage=stage, outcome=outcome, facts=found, duration_s=self._spent
            )

    # ---- the end

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        try:
            done = yield
        except pytest.Session.Failed:
            self._ended = self._request.stop_at_first
            raise
        self._ended = True
        return done

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        if self._begun:
            self._write("broke", exception=facts.qualified(excinfo.type))

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self._write("broke", exception=facts.qualified(excinfo.type))
        self._run.say(f"{excinfo.typename}: {facts.said(excinfo.value)}")

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Leave from here: what student code registered to run at exit is not run."""
        if not self._begun:
            return
        if self._ended:
            began_s, began_cpu_s = self._began
            self._write(
                "closing",
                duration_s=perf_counter() - began_s,
                cpu_s=process_time() - began_cpu_s,
                imported=imported(self._known),
            )
        self._run.flush()
        _leave(0 if self._ended else int(exitstatus))


def arranged(ids: list[str], select: list[str] | None, shuffle_seed: int | None) -> list[str]:
    """Exactly the selected cases in the selected order; a function's id stands for all its cases."""
    if select is not None:
        stands_for: dict[str, list[str]] = {}
        for id in ids:
            for name in {id, function_of(id)}:
                stands_for.setdefault(name, []).append(id)
        ids = list(dict.fromkeys(id for name in select for id in stands_for.get(name, ())))
    if shuffle_seed is not None:
        Random(shuffle_seed).shuffle(ids)
    return ids


def function_of(id: str) -> str:
    """A node id without its parameters; the name of its file may have a `[` of its own."""
    file, colons, case = id.partition("::")
    return f"{file}{colons}{case.partition('[')[0]}"


def untold(*_: object, **__: object) -> str:
    """Of a failure pytest need say nothing: the record does."""
    return ""


def outcome_of(report: pytest.TestReport, call: pytest.CallInfo[None]) -> str:
    if hasattr(report, "wasxfail"):
        return "xpassed" if report.passed else "xfailed"
    if report.failed and call.excinfo is None:
        return "xpassed"  # a strict xfail mark on a test that passed
    if report.failed:
        return "failed" if call.when == "call" else "error"
    return report.outcome


def imported(known: set[str]) -> list[str]:
    """Third-party and course modules that came since, in order of name."""
    ours = {"tests", "conftest"} | sys.stdlib_module_names
    return sorted(name for name in set(sys.modules) - known if name.partition(".")[0] not in ours)
