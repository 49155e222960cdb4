"""The course tests on every fault: on the warm runner, up to the first failure, each fault in a child of its own."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import msgspec

from faults.fault import Fault
from faults.verdict import Fate, Verdict, verdict_on
from ol.adapters.course.files import CourseFiles
from ol.adapters.memo import MemoFiles
from ol.adapters.runner import SuiteRunner
from ol.commands.steps.versions import versions
from ol.domain.code.identity import identify
from ol.domain.course import CourseModule
from ol.domain.grading.baseline import Baseline, judge_baseline
from ol.domain.run import RunRequest
from ol.domain.suite import Budget
from ol.ports import Progress

_BESIDE = ("course/tests/frozen", "course/corpora", "oracle/{id}", "course/bars/{id}.toml")


class Kept(msgspec.Struct, frozen=True):
    verdict: Verdict
    by: str  # hash of the test that killed it, of the whole folder for one that lives


class Trials:
    """Of one course module. What a test said of a fault is believed for as long as that test stays as it is."""

    def __init__(self, files: CourseFiles, module: CourseModule, runner: SuiteRunner, memory: Path) -> None:
        self.files = files
        self.module = module
        self.tests = files.course_tests(module)
        self._runner = runner
        self._memo = MemoFiles(memory, entries=100_000)
        self._identity = identify(self.tests)

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """The reference, of the module and of all that it needs."""
        course = self.files.course
        units = (unit for each in course.closure(self.module.id) for unit in each.units)
        return {course.dotted(unit): self.files.reference(unit) for unit in units}

    @cached_property
    def baseline(self) -> Baseline:
        """SystemExit where the reference fails: `ol verify` tells more."""
        allowed = Budget.unmeasured(self.files.course.policy.unmeasured_cpu_s)
        found = judge_baseline(self._runner.run(replace(self._request({}), budget=allowed)))
        if not isinstance(found, Baseline):
            raise SystemExit(f"The reference fails the course tests: run `ol verify {self.module.id}`.")
        return found

    def verdicts(self, faults: Sequence[Fault], jobs: int, progress: Progress) -> list[Verdict]:
        """In the order of the faults."""
        known = [self._recalled(fault) for fault in faults]
        open_ = [place for place, verdict in enumerate(known) if verdict is None]
        for place, verdict in self._tried([faults[place] for place in open_], jobs, progress):
            known[open_[place]] = verdict
            self._remember(faults[open_[place]], verdict)
        return [verdict for verdict in known if verdict is not None]

    def _tried(self, faults: Sequence[Fault], jobs: int, progress: Progress) -> Iterator[tuple[int, Verdict]]:
        if not faults:
            return
        cases = len(self.baseline.cases)
        progress.begin(f"{self.module.id} faults", len(faults))
        for place, run in self._runner.run_all((self._request_on(fault) for fault in faults), jobs):
            progress.step()
            yield place, verdict_on(run, cases)
        progress.end()

    def _request_on(self, fault: Fault) -> RunRequest:
        return self._request({self.files.course.dotted(fault.unit): fault.text})

    def _request(self, faulty: Mapping[str, str]) -> RunRequest:
        cpu_s = self.baseline.cpu_s if faulty else 0.0
        return RunRequest(
            tests=self.tests,
            sources={**self.sources, **faulty},
            budget=Budget.measured(cpu_s),
            stop_at_first=bool(faulty),
            course_root=self.files.root,
        )

    def _recalled(self, fault: Fault) -> Verdict | None:
        content = self._memo.get(self._key(fault))
        kept = msgspec.json.decode(content, type=Kept) if content else None
        return kept.verdict if kept and kept.by == self._by(kept.verdict) else None

    def _remember(self, fault: Fault, verdict: Verdict) -> None:
        """A run that ended otherwise is made again the next time."""
        if verdict.fate is not Fate.OPEN:
            self._memo.put(self._key(fault), msgspec.json.encode(Kept(verdict, self._by(verdict))))

    def _by(self, verdict: Verdict) -> str:
        """Of the killing test with the rest of its file; else of all tests."""
        if not verdict.killer:
            return _digest([self._identity.functions, self._identity.rests])
        file = verdict.killer.partition("::")[0]
        return _digest([self._identity.hash_of(verdict.killer), self._identity.rests.get(file)])

    def _key(self, fault: Fault) -> str:
        return _digest([self._stands_on, fault.unit, fault.text])

    @cached_property
    def _stands_on(self) -> str:
        """Of what every run reads beside fault and tests."""
        beside = [path.format(id=self.module.id) for path in _BESIDE]
        return _digest([self.sources, self.files.tree.hashes(beside), versions()])


def _digest(facts: object) -> str:
    return hashlib.sha256(msgspec.json.encode(facts, order="sorted")).hexdigest()
