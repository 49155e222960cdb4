"""Remembering a mutation grade by every file and figure that can change it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from ol.commands.steps.grading import Grading, Tried
from ol.commands.steps.versions import versions
from ol.domain.grading.baseline import Baseline
from ol.domain.mutation import Mutant, MutantOutcome, MutantResult
from ol.domain.suite import Budget


class _Judged(msgspec.Struct, frozen=True):
    id: str
    outcome: MutantOutcome
    killers: tuple[str, ...]
    reason: str


class _Kept(msgspec.Struct, frozen=True):
    baseline: Baseline
    runs: int
    seed: int
    mutants: tuple[_Judged, ...]


def recall(grading: Grading) -> tuple[Tried, int] | None:
    """What these tests earned when they were tried last, and the seed of then; None for anything unclear."""
    content = grading.ports.memo.get(_key(grading))
    if content is None:
        return None
    try:
        kept = msgspec.json.decode(content, type=_Kept)
    except msgspec.DecodeError:
        return None
    results = _joined(grading.ports.catalog.mutants(grading.module), kept.mutants)
    return (Tried(kept.baseline, results, kept.runs), kept.seed) if results else None


def remember(grading: Grading, tried: Tried) -> None:
    """Only what is conclusive: a time-out or an error is found out again the next time."""
    if any(result.outcome is MutantOutcome.INCONCLUSIVE for result in tried.results):
        return
    judged = tuple(_Judged(each.mutant.id, each.outcome, each.killers, each.reason) for each in tried.results)
    kept = _Kept(tried.baseline, tried.runs, grading.seed, judged)
    grading.ports.memo.put(_key(grading), msgspec.json.encode(kept))


def _joined(mutants: Sequence[Mutant], judged: Sequence[_Judged]) -> tuple[MutantResult, ...]:
    """Empty unless exactly the mutants of now were judged."""
    found = {each.id: each for each in judged}
    if set(found) != {mutant.id for mutant in mutants}:
        return ()
    return tuple(
        MutantResult(mutant, found[mutant.id].outcome, found[mutant.id].killers, found[mutant.id].reason)
        for mutant in mutants
    )


def _key(grading: Grading) -> str:
    """Of the whole test folder, the reference with its needs, mutants, wheats, versions and budgets."""
    catalog, module = grading.ports.catalog, grading.module
    facts = [
        "mutation",
        module.id,
        sorted(versions().items()),
        sorted((file.name, file.sha256) for file in grading.tests),
        sorted(grading.sources.items()),
        catalog.mutants(module),
        catalog.wheats(module),
        (Budget.measured(1.0), Budget.unmeasured(catalog.course.policy.unmeasured_cpu_s)),
        grading.every_killer,
    ]
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()
