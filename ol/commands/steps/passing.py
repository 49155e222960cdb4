"""Whether a module's course tests pass on given units: run, or remembered by content where a lock vouches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ol.commands.steps.last_pass import note_pass
from ol.commands.steps.versions import versions
from ol.domain.course import CourseModule
from ol.domain.file import File
from ol.domain.grading.proof import judge_course_tests
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, Completed, SuiteRun
from ol.ports import Ports

TESTS, SMOKE = "course tests", "smoke tests"


@dataclass(frozen=True, slots=True)
class Found:
    """What the course tests said: nothing where all passed, else how many did, and the first that did not."""

    told: str = ""
    first: str = ""

    @property
    def passes(self) -> bool:
        return not self.told

    @staticmethod
    def of(module: CourseModule, run: SuiteRun) -> Found:
        proof = judge_course_tests(run, module.tests)
        return Found() if proof.whole else Found(f"{proof.summary} pass", proof.first_short)


def course_request(ports: Ports, module: CourseModule, units: Mapping[str, str]) -> RunRequest:
    """Its course tests on those of the units that lie in its closure, by path below the package."""
    return RunRequest(
        tests=ports.catalog.course_tests(module),
        sources=sources_of(ports, module, units),
        budget=Budget.unmeasured(ports.catalog.course.policy.unmeasured_cpu_s),
        course_root=ports.catalog.root,
    )


def course_run(
    ports: Ports,
    module: CourseModule,
    units: Mapping[str, str],
    files: tuple[File, ...] | None = None,
    select: tuple[str, ...] | None = None,
    keyword: str = "",
) -> SuiteRun:
    """`files`: other tests in the place of the course's."""
    request = course_request(ports, module, units)
    tests = request.tests if files is None else files
    return ports.runner.run(replace(request, tests=tests, select=select, keyword=keyword))


def recalled(ports: Ports, module: CourseModule, units: Mapping[str, str], of: str = TESTS) -> Found | None:
    """What is remembered of exactly these files; None where nothing is. `of`: all course tests, or the smoke tests."""
    known = ports.memo.get(found) if (found := key(ports, module, units, of)) else None
    if known is None:
        return None
    told, _, first = known.decode("utf-8", "backslashreplace").partition("\n")
    return Found(told, first)


def remember(ports: Ports, module: CourseModule, units: Mapping[str, str], run: SuiteRun) -> Found:
    """Keep what a run of all its course tests said: time-outs and errors are found out again."""
    found = Found.of(module, run)
    if keep(ports, module, units, run, found) and found.passes:
        note_pass(ports, module, units)
    return found


def keep(
    ports: Ports, module: CourseModule, units: Mapping[str, str], run: SuiteRun, found: Found, of: str = TESTS
) -> bool:
    """Whether it was kept."""
    lasting = isinstance(run, Completed) and not run.collection_errors
    place = key(ports, module, units, of) if lasting else ""
    if place:
        ports.memo.put(place, f"{found.told}\n{found.first}".strip().encode("utf-8"))
    return bool(place)


def key(ports: Ports, module: CourseModule, units: Mapping[str, str], of: str = TESTS) -> str:
    """Under which a gate's answer is remembered for these units.

    Empty, so that nothing is remembered, where the course's files are not what a lock says.
    """
    if not (vouched := ports.catalog.vouched_for(module)):
        return ""
    sources = sorted(sources_of(ports, module, units).items())
    facts = [of, module.id, vouched, sorted(versions().items()), sources]
    return hashlib.sha256(json.dumps(facts).encode("utf-8")).hexdigest()


def sources_of(ports: Ports, module: CourseModule, units: Mapping[str, str]) -> dict[str, str]:
    course = ports.catalog.course
    inside = [unit for each in course.closure(module.id) for unit in each.units]
    return {course.dotted(unit): units[unit] for unit in inside if unit in units}
