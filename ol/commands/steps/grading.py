"""A student's tests tried on correct code, then on every fault: the runs behind a mutation grade."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from ol.commands.steps.sources import reference_sources
from ol.commands.steps.watched import watched
from ol.domain.code.neutral import neutral
from ol.domain.course import CourseModule
from ol.domain.file import File
from ol.domain.grading.baseline import Baseline, Refusal, judge_baseline, judge_correct, judge_shuffled
from ol.domain.grading.grade import credited, judge_mutant, killers_in, remaining
from ol.domain.grading.variant import Variant
from ol.domain.mutation import Mutant, MutantOutcome, MutantResult
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, Outcome, SuiteRun
from ol.ports import Ports

REFERENCE = "the reference"


@dataclass(frozen=True, slots=True)
class Refused:
    """Tests that fail on correct code are no measure."""

    variant: Variant
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Tried:
    """Every mutant judged, in the mutants file's order; how often the suite ran."""

    baseline: Baseline
    results: tuple[MutantResult, ...]
    runs: int


@dataclass(frozen=True, slots=True)
class Grading:
    """One module's tests; `seed` orders the shuffled run and names the neutral variant's locals.

    `every_killer` runs each suite to its end, so that all killers are known, not the first.
    """

    ports: Ports
    module: CourseModule
    tests: tuple[File, ...]
    jobs: int
    seed: int
    every_killer: bool = False
    sources: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(ports: Ports, module: CourseModule, jobs: int, seed: int, every_killer: bool = False) -> Grading:
        sources = reference_sources(ports, module)
        return Grading(ports, module, ports.workspace.tests(module), jobs, seed, every_killer, sources)

    def run(self) -> Tried | Refused:
        """Tests that refuse correct code are no measure, whatever they catch."""
        variants = list(self._variants())  # while the runner still gets ready
        baseline = self._on_the_reference()
        if isinstance(baseline, Refused):
            return baseline
        results = self._on_the_rest(baseline, variants)
        if isinstance(results, Refused):
            return results
        return Tried(baseline, results, 2 + len(variants) + sum(not r.mutant.retired for r in results))

    # ---- correct code

    def _on_the_reference(self) -> Baseline | Refused:
        """Twice at once, the second time shuffled. What comes after has its budget and its order from the first."""
        requests = [self._request(self.sources, shuffled=shuffled) for shuffled in (False, True)]
        runs = dict(watched(self.ports, "the reference", requests, self.jobs))
        baseline = judge_baseline(runs[0])
        if isinstance(baseline, Refusal):
            return Refused(replace(self._shuffled, shuffled=False), baseline)
        refusal = judge_shuffled(runs[1], baseline)
        return Refused(self._shuffled, refusal) if refusal else baseline

    @property
    def _shuffled(self) -> Variant:
        return Variant("reference", REFERENCE, self.sources, shuffled=True)

    def _variants(self) -> Iterator[Variant]:
        for wheat in self.ports.catalog.wheats(self.module):
            yield Variant("wheat", f"wheat {wheat.id}", self._with(wheat.sources))
        renamed = {unit: neutral(self.ports.catalog.reference(unit), self.seed) for unit in self.module.units}
        yield Variant("neutral", f"a neutral variant (seed {self.seed})", self._with(renamed))

    def _with(self, units: Mapping[str, str]) -> dict[str, str]:
        dotted = self.ports.catalog.course.dotted
        return {**self.sources, **{dotted(unit): text for unit, text in units.items()}}

    # ---- other correct code, and faults

    def _on_the_rest(
        self, baseline: Baseline, variants: Sequence[Variant]
    ) -> tuple[MutantResult, ...] | Refused:
        """Correct code stands anywhere among the faults: a suite that knows which run it is in learns nothing.

        So does one that counts processes, or reads a clock. If one variant is refused, the faults are forgotten.
        """
        mutants = self.ports.catalog.mutants(self.module)
        tried = [mutant for mutant in mutants if not mutant.retired]
        requests = list(self._rest(baseline, variants, tried))
        order = Random(self.seed).sample(range(len(requests)), len(requests))
        runs: dict[int, SuiteRun] = {}
        in_order = [requests[place] for place in order]
        for place, run in watched(self.ports, "wheats and mutants", in_order, self.jobs):
            runs[order[place]] = run
            if refused := _first_refused(variants, runs, baseline):
                return self._blamed(refused, baseline)
        found = {
            mutant.id: self._settled(mutant, runs[index], baseline)
            for index, mutant in enumerate(tried, len(variants))
        }
        return tuple(found.get(mutant.id) or credited(mutant) for mutant in mutants)

    def _rest(
        self, baseline: Baseline, variants: Iterable[Variant], mutants: Iterable[Mutant]
    ) -> Iterator[RunRequest]:
        """All asked for in the same words: a suite that finds its request learns nothing of what it runs on.

        So all run the quick cases first, the neutral variant too. It is the reference in other words: once it has
        passed, that order is one of the reference's own.
        """
        sources = [variant.sources for variant in variants] + [self._faulty(mutant) for mutant in mutants]
        for each in sources:
            yield self._request(
                each, baseline, select=baseline.quick_first, stop_at_first=not self.every_killer
            )

    def _blamed(self, refused: Refused, baseline: Baseline) -> Refused:
        """Correct code runs in an order of its own: what fails so on the reference too is the order's doing."""
        run = self.ports.runner.run(self._request(self.sources, baseline, select=baseline.quick_first))
        refusal = judge_shuffled(run, baseline)
        return Refused(self._shuffled, refusal) if refusal else refused

    def _faulty(self, mutant: Mutant) -> dict[str, str]:
        return self._with({mutant.unit: mutant.applied_to(self.ports.catalog.reference(mutant.unit))})

    def _settled(self, mutant: Mutant, run: SuiteRun, baseline: Baseline) -> MutantResult:
        """After a crash the cases not yet tried get a child of their own; a kill there is confirmed."""
        result = judge_mutant(mutant, run, baseline)
        rest = remaining(run, baseline) if result.outcome is MutantOutcome.INCONCLUSIVE else ()
        while rest:
            again = self.ports.runner.run(self._request(self._faulty(mutant), baseline, select=rest))
            part = replace(baseline, cases=rest)
            if killers := self._confirmed(killers_in(again.results, part), rest, baseline):
                return MutantResult(mutant, MutantOutcome.KILLED, killers)
            rest = remaining(again, part)
        return result

    def _confirmed(
        self, killers: tuple[str, ...], order: tuple[str, ...], baseline: Baseline
    ) -> tuple[str, ...]:
        """The killers that pass on the reference in an order that the baseline has not run."""
        if not killers:
            return ()
        run = self.ports.runner.run(self._request(self.sources, baseline, select=order))
        passed = {case.case_id for case in run.results if case.outcome is Outcome.PASSED}
        return tuple(killer for killer in killers if killer in passed)

    # ---- runs

    def _request(
        self,
        sources: Mapping[str, str],
        baseline: Baseline | None = None,
        *,
        shuffled: bool = False,
        stop_at_first: bool = False,
        select: tuple[str, ...] | None = None,
    ) -> RunRequest:
        unmeasured = Budget.unmeasured(self.ports.catalog.course.policy.unmeasured_cpu_s)
        return RunRequest(
            tests=self.tests,
            sources=sources,
            budget=Budget.measured(baseline.cpu_s) if baseline else unmeasured,
            select=select,
            shuffle_seed=self.seed if shuffled else None,
            stop_at_first=stop_at_first,
        )


def _first_refused(
    variants: Iterable[Variant], runs: Mapping[int, SuiteRun], baseline: Baseline
) -> Refused | None:
    """The first in order, once those before it have ended well: which one is told is not a race."""
    for index, variant in enumerate(variants):
        if index not in runs:
            return None
        if refusal := judge_correct(runs[index], baseline):
            return Refused(variant, refusal)
    return None
