"""What a mutation grade teaches: a line a survivor, worst first, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ol.domain.course import ModuleId, Rung
from ol.domain.grading.baseline import Baseline
from ol.domain.grading.grade import Grade
from ol.domain.mutation import MutantOutcome, MutantResult
from ol.domain.report import Reason

SHOWN = 3
_SLOW_S = 1.0


def reasons(grade: Grade, module: ModuleId, show_all: bool = False) -> tuple[Reason, ...]:
    """Three of those alive, required ones first, or all."""
    shown = grade.alive if show_all else grade.alive[:SHOWN]
    told = [_alive(result, module) for result in shown]
    if hidden := len(grade.alive) - len(shown):
        told.append(Reason("more", f"{hidden} more not killed", f"`ol mutate {module} --all` shows them."))
    return tuple(told)


def notes(grade: Grade, module: ModuleId, rung: Rung) -> tuple[str, ...]:
    survived = any(result.outcome is MutantOutcome.SURVIVED for result in grade.alive)
    lines = [
        *_by_outcome(grade.results),
        *(f"{each.mutant.id} {each.reason}; counted as killed" for each in _retired(grade.results)),
        _born_of_a_survivor(module) if survived and rung.journal else "",
        f"{rung.id} asks for no mutation grade: this is practice, and nothing hangs on it"
        if grade.practice
        else "",
    ]
    return tuple(line for line in lines if line)


def slow(baseline: Baseline, runs: int) -> tuple[str, ...]:
    """A remark where a suite takes over a second."""
    if baseline.duration_s < _SLOW_S:
        return ()
    case, seconds = baseline.slowest
    took = f"Your suite takes {baseline.duration_s:.1f} s and ran {runs} times"
    return (f"{took}; slowest: {case}, {seconds:.1f} s.",)


def _alive(result: MutantResult, module: ModuleId) -> Reason:
    mutant = result.mutant
    must = ", and it is required" if mutant.required else ""
    if result.outcome is MutantOutcome.INCONCLUSIVE:
        told = f"{mutant.id} inconclusive, counted as not killed{must}: {result.reason}"
        return Reason("inconclusive", told)
    pitfall = (f"It is pitfall {mutant.pitfall} of the chapter.",) if mutant.pitfall else ()
    step = f"Write a test that this fails; `ol hint {module} {mutant.id}` helps, a step at a time."
    return Reason("survived", f"{mutant.id} survived{must}: {mutant.symptom}", step, pitfall)


def _by_outcome(results: Iterable[MutantResult]) -> Iterator[str]:
    held = list(results)
    for outcome in MutantOutcome:
        ids = [result.mutant.id for result in held if result.outcome is outcome]
        if ids:
            yield f"{outcome.value}: {' '.join(ids)}"


def _retired(results: Iterable[MutantResult]) -> Iterator[MutantResult]:
    return (result for result in results if result.mutant.retired)


def _born_of_a_survivor(module: ModuleId) -> str:
    return (
        "A test written for a survivor passes at once on your correct code, as it should: "
        f"`ol tdd green {module}` books it."
    )
