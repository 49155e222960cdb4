"""The whole matrix of L2.2, exemplar cases by reference, wheats and mutants: warm and cold say the same of each."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from ol.adapters.course.files import CourseFiles
from ol.adapters.runner import SuiteRunner
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, CaseResult, Completed, Outcome, SuiteRun

ROOT = Path(__file__).resolve().parents[2]
JOBS = os.cpu_count() or 1


def matrix() -> dict[str, RunRequest]:
    """A run for each source, to its end, with every exemplar case."""
    catalog = CourseFiles(ROOT)
    course, module = catalog.course, catalog.course.module("L2.2")
    units = [unit for each in course.closure(module.id) for unit in each.units]
    reference = {course.dotted(unit): catalog.reference(unit) for unit in units}
    sources = {"reference": {}} | {wheat.id: wheat.sources for wheat in catalog.wheats(module)}
    sources |= {
        mutant.id: {mutant.unit: mutant.applied_to(catalog.reference(mutant.unit))}
        for mutant in catalog.mutants(module)
    }
    budget = Budget.unmeasured(course.policy.unmeasured_cpu_s)
    changed = {
        name: reference | {course.dotted(unit): text for unit, text in units.items()}
        for name, units in sources.items()
    }
    tests = catalog.exemplars(module)
    return {name: RunRequest(tests, texts, budget) for name, texts in changed.items()}


def told(run: SuiteRun) -> tuple[CaseResult, ...]:
    """What is said of each case, and why; its time aside."""
    assert isinstance(run, Completed) and not run.collection_errors
    return tuple(dataclasses.replace(result, duration_s=0.0) for result in run.results)


@pytest.fixture(scope="module")
def shapes() -> dict[str, dict[str, tuple[CaseResult, ...]]]:
    requests = matrix()
    found = {}
    for shape in ("warm", "cold"):
        with SuiteRunner("tinyllm", shape) as runner:
            runs = dict(runner.run_all(requests.values(), JOBS))
        found[shape] = {name: told(runs[index]) for index, name in enumerate(requests)}
    return found


def test_every_case_has_the_same_outcome_for_the_same_reason(
    shapes: dict[str, dict[str, tuple[CaseResult, ...]]],
) -> None:
    assert len(shapes["warm"]) == 15
    assert shapes["warm"] == shapes["cold"]


def test_the_matrix_has_both_verdicts_to_agree_on(
    shapes: dict[str, dict[str, tuple[CaseResult, ...]]],
) -> None:
    failed = {
        name: sum(case.outcome is Outcome.FAILED for case in cases) for name, cases in shapes["warm"].items()
    }
    assert [name for name, count in failed.items() if not count] == ["reference", "w01", "w02"]
    assert all(len(cases) == len(shapes["warm"]["reference"]) for cases in shapes["warm"].values())
