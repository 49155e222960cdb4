"""`ol hint`: up the ladder for one mutant, a step each time: symptom, witness, diff. Never graded."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from ol.commands.steps.sources import reference_sources
from ol.commands.steps.untampered import warnings
from ol.domain.course import CourseModule, Rung
from ol.domain.errors import CourseWrong, WrongRequest
from ol.domain.grading.witness import witness_test, witnessed
from ol.domain.mutation import Mutant
from ol.domain.report import Page
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, Crashed, SuiteRun
from ol.domain.telling.ending import how_it_ended
from ol.ports import Ports

_STEPS = ("symptom", "witness", "diff")


def hint(ports: Ports, module: CourseModule, named: str | None = None) -> Page:
    """One more step for the mutant named; without one, the steps taken so far."""
    if named is None:
        return _taken(ports, module)
    mutant = _mutant(ports.catalog.mutants(module), module, named)
    before = _step(ports, module, mutant)
    step = min(before + 1, len(_STEPS))
    lines = [line for number in range(step) for line in _told(ports, module, mutant, number)]
    if step > before:
        ports.workspace.remember_hint(module.id, mutant.id, step)
    fields = {"mutant": mutant.id, "step": step, "of": len(_STEPS)}
    remarks = warnings(ports, ports.catalog.course.closure(module.id))
    rung = ports.catalog.course.rungs[module.rung]
    return Page("hint", (*remarks, *lines, *_way_on(module, rung, mutant, step)), fields)


def _mutant(mutants: Sequence[Mutant], module: CourseModule, named: str) -> Mutant:
    known = {mutant.id.lower(): mutant for mutant in mutants}
    if named.lower() in known:
        return known[named.lower()]
    near = difflib.get_close_matches(named.lower(), known, n=3)
    step = f"Did you mean {', '.join(near)}?" if near else f"`ol mutate {module.id}` lists them."
    raise WrongRequest("unknown-mutant", f"{module.id} has no mutant {named}.", step)


def _step(ports: Ports, module: CourseModule, mutant: Mutant) -> int:
    steps = [step for id, step in ports.workspace.hint_steps(module.id) if id == mutant.id]
    return max(steps, default=0)


def _taken(ports: Ports, module: CourseModule) -> Page:
    highest: dict[str, int] = {}
    for id, step in ports.workspace.hint_steps(module.id):
        highest[id] = max(step, highest.get(id, 0))
    lines = [f"{id}  {_STEPS[step - 1]} seen" for id, step in sorted(highest.items())]
    one = next((mutant.id for mutant in ports.catalog.mutants(module)), "MUTANT")
    way_on = (
        f"Name a mutant that survived, as `ol hint {module.id} {one}`; `ol mutate {module.id}` lists them."
    )
    return Page("hint", (*lines, way_on), {"steps": highest})


def _told(ports: Ports, module: CourseModule, mutant: Mutant, number: int) -> Iterator[str]:
    yield f"{mutant.id}, step {number + 1} of {len(_STEPS)}: {_STEPS[number]}"
    tellers = (_symptom, _witness, _diff)
    yield from (f"  {line}".rstrip() for line in tellers[number](ports, module, mutant))
    yield ""


def _symptom(ports: Ports, module: CourseModule, mutant: Mutant) -> Iterator[str]:
    yield mutant.symptom
    if mutant.pitfall:
        yield f"It is pitfall {mutant.pitfall} of the chapter."
    if mutant.section:
        yield f"Section {mutant.section} of the chapter is about it."


def _witness(ports: Ports, module: CourseModule, mutant: Mutant) -> Iterator[str]:
    """The lines, and what `out` is on the reference and on the mutant: both are run."""
    sources = reference_sources(ports, module)
    faulty = mutant.applied_to(ports.catalog.reference(mutant.unit))
    dotted = ports.catalog.course.dotted(mutant.unit)
    requests = [_request(ports, mutant, each) for each in (sources, {**sources, dotted: faulty})]
    runs = dict(ports.runner.run_all(requests, jobs=2))
    yield from mutant.witness.strip().splitlines()
    yield ""
    yield f"correct  out: {_out(mutant, runs[0])}"
    yield f"{mutant.id:<8} out: {_out(mutant, runs[1])}"


def _request(ports: Ports, mutant: Mutant, sources: dict[str, str]) -> RunRequest:
    budget = Budget.unmeasured(ports.catalog.course.policy.unmeasured_cpu_s)
    return RunRequest((witness_test(mutant.witness),), sources, budget)


def _out(mutant: Mutant, run: SuiteRun) -> str:
    if shown := witnessed(run):
        return shown
    if isinstance(run, Crashed):
        return f"none: {how_it_ended(run)}"
    told = f"The witness of {mutant.id} assigns no `out`."
    raise CourseWrong("witness-silent", told, "Mend it in the mutants file.")


def _diff(ports: Ports, module: CourseModule, mutant: Mutant) -> Iterator[str]:
    reference = ports.catalog.reference(mutant.unit)
    before, after = reference.splitlines(), mutant.applied_to(reference).splitlines()
    yield mutant.title
    yield from difflib.unified_diff(before, after, "correct", mutant.id, n=1, lineterm="")


def _way_on(module: CourseModule, rung: Rung, mutant: Mutant, step: int) -> tuple[str, ...]:
    """What to do with what was told: where no tests are asked for, the fault is looked for in the code."""
    test = f"Look for it in your code, then `ol tests {module.id}`."
    if rung.graded_by_mutation:
        then = "tdd green" if rung.journal else "mutate"
        test = f"Write a test that passes on right code and fails on this, then `ol {then} {module.id}`."
    if step == len(_STEPS):
        return (test,)
    return (test, f"`ol hint {module.id} {mutant.id}` once more shows the {_STEPS[step]}.")
