"""What the proofs of one module share: its sources, and the runs that several of them judge, made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from ol.commands.steps.sources import reference_sources
from ol.commands.steps.watched import watched
from ol.domain.course import CourseModule, ModuleId
from ol.domain.grading.baseline import Baseline, Refusal, judge_baseline
from ol.domain.grading.grade import judge_mutant
from ol.domain.grading.variant import Variant
from ol.domain.mutation import Mutant, MutantResult
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, SuiteRun
from ol.ports import Authoring, Ports


class Evidence:
    """One course module; its course tests are run on reference and mutants when first asked for.

    `written` takes the files that a proof would write, by path; None where none is to be written.
    """

    def __init__(
        self,
        ports: Ports,
        author: Authoring,
        module: CourseModule,
        jobs: int,
        seed: int,
        written: dict[str, str] | None = None,
    ) -> None:
        self.ports = ports
        self.author = author
        self.module = module
        self.jobs = jobs
        self.seed = seed
        self.written = written

    @property
    def id(self) -> ModuleId:
        return self.module.id

    @cached_property
    def reference(self) -> Variant:
        return Variant("reference", "the reference", reference_sources(self.ports, self.module))

    @cached_property
    def in_order(self) -> SuiteRun:
        """The course tests on the reference, as they stand in their files."""
        return self.ports.runner.run(self.request(self.reference.sources))

    @property
    def reference_passes(self) -> bool:
        return isinstance(self._judged, Baseline)

    @property
    def baseline(self) -> Baseline:
        """Only where the reference passes."""
        assert isinstance(self._judged, Baseline)
        return self._judged

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """Those that are still tried: a retired one is credited to everybody."""
        return tuple(each for each in self.ports.catalog.mutants(self.module) if not each.retired)

    @cached_property
    def on_mutants(self) -> Mapping[str, SuiteRun]:
        """The course tests on each mutant, every one to its end."""
        return dict(zip([each.id for each in self.mutants], self._mutant_runs(), strict=True))

    def results(self) -> tuple[MutantResult, ...]:
        return tuple(judge_mutant(each, self.on_mutants[each.id], self.baseline) for each in self.mutants)

    def faulty(self, mutant: Mutant) -> Mapping[str, str]:
        """The sources with one mutant's fault in them."""
        reference = self.ports.catalog.reference(mutant.unit)
        return self.with_units({mutant.unit: mutant.applied_to(reference)})

    def with_units(self, units: Mapping[str, str]) -> dict[str, str]:
        """The reference with some units exchanged; keys are paths below the package."""
        dotted = self.ports.catalog.course.dotted
        return {**self.reference.sources, **{dotted(unit): text for unit, text in units.items()}}

    def request(self, sources: Mapping[str, str], **changes: Any) -> RunRequest:
        """The course tests on these sources."""
        catalog = self.ports.catalog
        asked = RunRequest(
            tests=catalog.course_tests(self.module),
            sources=sources,
            budget=Budget.unmeasured(catalog.course.policy.unmeasured_cpu_s),
            course_root=catalog.root,
        )
        return replace(asked, **changes)

    def runs(self, what: str, requests: Sequence[RunRequest]) -> list[SuiteRun]:
        """All of them, in the order asked, told as they end."""
        done = dict(watched(self.ports, f"{self.id} {what}", requests, self.jobs))
        return [done[index] for index in range(len(requests))]

    @cached_property
    def _judged(self) -> Baseline | Refusal:
        return judge_baseline(self.in_order)

    def _mutant_runs(self) -> list[SuiteRun]:
        budget = Budget.measured(self.baseline.cpu_s)
        return self.runs("mutants", [self.request(self.faulty(each), budget=budget) for each in self.mutants])
