"""Where course tests fail on a student's own needs: is it the module, what it needs, or both?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ol.commands.steps.jobs import jobs_of
from ol.commands.steps.passing import course_request, course_run
from ol.commands.steps.sources import Resolved, reference_closure
from ol.commands.steps.watched import watched
from ol.domain.course import CourseModule, ModuleId
from ol.domain.grading.proof import Proof, judge_course_tests
from ol.domain.report import Reason, Source
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from ol.ports import Ports


def own_needs(resolved: Resolved) -> list[ModuleId]:
    """The needs that are not the reference's: a failure may be theirs."""
    origin = resolved.origin
    return [id for id in origin if id != resolved.module.id and origin[id] is not Source.REFERENCE]


def blame(ports: Ports, resolved: Resolved, passed: Collection[str] | None = None) -> Iterator[Reason]:
    """Run once more on the reference's needs. `passed`: the tests that did on the student's, where they ran."""
    module = resolved.module
    reference = {**reference_closure(ports, module), **resolved.own()}
    on_reference = judge_course_tests(course_run(ports, module, reference), module.tests)
    if resolved.broken:
        yield _of_broken(resolved, on_reference)
    elif on_reference.whole:
        yield _of_needs(module, _Suspects(ports, resolved, reference).convicted())
    elif passed is not None and (theirs := [test for test in on_reference.passed if test not in passed]):
        told = f"{module.id} is not right yet, and something that it needs is not either: on the reference's needs"
        yield Reason(
            "fault-in-both", f"{told} {', '.join(theirs[:3])} would pass.", f"Mend {module.id} first."
        )
    else:
        told = f"It is the same on the reference's needs: the fault is in your {module.id}."
        yield Reason("fault-here", told)


def _of_broken(resolved: Resolved, on_reference: Proof) -> Reason:
    """Where needs are broken, so that the course tests did not run on them."""
    module, broken = resolved.module, resolved.broken
    if not on_reference.whole:
        told = f"On the reference's needs {on_reference.summary} pass: {module.id} is not right yet either."
        return Reason("fault-here-too", told, f"`ol tests {module.id} --ref-deps` shows the first failure.")
    if suspects := [id for id in own_needs(resolved) if id in broken]:
        return _of_needs(module, suspects)
    told = f"{module.id} is right on the reference's needs; yours are not there: {', '.join(broken)}."
    way = f"Build them, or take the reference's: `ol start {module.id} --ref-deps`."
    return Reason("needs-not-there", told, way)


def _of_needs(module: CourseModule, suspects: Sequence[ModuleId]) -> Reason:
    one_of = "your" if len(suspects) == 1 else "one of your"
    return Reason("fault-in-need", f"{module.id} is right; the fault is in {one_of} {', '.join(suspects)}.")


@dataclass(frozen=True, slots=True)
class _Suspects:
    """Needs that pass their own course tests, one of which makes a module fail that is right."""

    ports: Ports
    resolved: Resolved
    reference: Mapping[str, str]  # of all needs, with the student's module

    def convicted(self) -> list[ModuleId]:
        """Those on which, alone among the reference's, the module fails; all of them where none does."""
        suspects = own_needs(self.resolved)
        if len(suspects) == 1:
            return suspects
        failing = [id for id, run in self._alone(suspects) if not self._passes(run)]
        return [id for id in suspects if id in failing] or suspects

    def _alone(self, suspects: Sequence[ModuleId]) -> Iterator[tuple[ModuleId, SuiteRun]]:
        requests = [self._request(id) for id in suspects]
        what = "one need at a time"
        for index, run in watched(self.ports, what, requests, jobs_of(None)):
            yield suspects[index], run

    def _request(self, suspect: ModuleId) -> RunRequest:
        module = self.ports.catalog.course.modules[suspect]
        units = {**self.reference, **{unit: self.resolved.units[unit] for unit in module.units}}
        return replace(course_request(self.ports, self.resolved.module, units), stop_at_first=True)

    def _passes(self, run: SuiteRun) -> bool:
        return judge_course_tests(run, self.resolved.module.tests).whole
