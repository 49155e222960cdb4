"""Which run it is tells a suite nothing: correct code comes anywhere among the faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ol.adapters.runner import SuiteRunner
from ol.commands.mutate import Options, mutate
from ol.domain.run import RunRequest
from ol.domain.suite import Completed, Outcome, SuiteRun
from tests.commands.journal_world import IMPORTS, World

NOTHING = IMPORTS + "def test_it():\n    pass\n"
SEEDS = range(42)


@dataclass
class Counted:
    """A runner in which every run from the `last_good` on fails, as of a suite that counts its runs."""

    runner: SuiteRunner
    last_good: int
    runs: int = 0
    known: dict[str, SuiteRun] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.runner, name)

    def run(self, request: RunRequest) -> SuiteRun:
        return next(self.run_all([request], 1))[1]

    def run_all(self, requests: Iterable[RunRequest], jobs: int) -> Iterator[tuple[int, SuiteRun]]:
        for index, request in enumerate(requests):
            run = (
                self.known.setdefault("it", self.runner.run(request)) if not self.known else self.known["it"]
            )
            self.runs += 1
            yield index, run if self.runs <= self.last_good else failed(run)


def failed(run: SuiteRun) -> SuiteRun:
    assert isinstance(run, Completed)
    return replace(run, results=tuple(replace(case, outcome=Outcome.FAILED) for case in run.results))


def passes(world: World, last_good: int, seed: int, known: dict[str, SuiteRun]) -> bool:
    assert isinstance(world.runner, SuiteRunner)
    counted = replace(world, runner=Counted(world.runner, last_good, known=known))
    (gate,) = mutate(counted.ports, counted.module, Options(jobs=1, seed=seed)).gates
    return gate.verdict.value == "passed"


def test_a_suite_that_fails_from_one_run_on_hardly_ever_passes(world: World) -> None:
    """Two on the reference; then a wheat and a neutral variant among five faults, four of which must be killed."""
    world.test("test_calc.py", NOTHING)
    known: dict[str, SuiteRun] = {}
    for last_good in range(8):
        lucky = sum(passes(world, last_good, seed, known) for seed in SEEDS)
        assert lucky <= len(SEEDS) // 6, f"from run {last_good + 1} on: {lucky} of {len(SEEDS)}"
