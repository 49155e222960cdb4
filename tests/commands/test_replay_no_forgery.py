"""What comes out otherwise and is no forgery: other versions, reds on which nothing rests, a run that wavers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from ol.commands import tdd
from ol.commands.steps.replay import replay_gate
from ol.domain.journal.entry import Entry
from ol.domain.report import Verdict
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from ol.ports import Runner
from tests.commands.journal_world import RIGHT, World, at_green, started
from tests.commands.replay_world import TEST, forge, on_unit, replay
from tests.made import completed


def test_another_numpy_makes_it_stale_and_a_stale_entry_counts(world: World) -> None:
    at_green(world)
    gate = replay(forge(world, 0, of_numpy(on_unit(world, RIGHT))))
    assert gate.verdict is Verdict.PASSED
    assert gate.summary == "1/2 entries replayed, 1 stale"
    assert gate.fields["stale"] == 1
    assert "(on record 1.0)" in gate.notes[0] and f"{TEST}: on record: failed on the stub" in gate.notes[0]


def test_a_stale_entry_is_refused_where_the_course_says_so(world: World) -> None:
    at_green(world)
    forge(world, 0, of_numpy(on_unit(world, RIGHT))).stale = "refuse"
    gate = replay(world)
    assert gate.verdict is Verdict.FAILED
    (reason,) = gate.reasons
    assert reason.slug == "replay-stale" and "numpy" in reason.text and reason.next_step


def test_other_versions_and_the_same_outcome_are_not_stale(world: World) -> None:
    at_green(world)
    gate = replay(forge(world, 0, of_numpy(lambda entry: entry)))
    assert gate.summary == "2 entries replayed"
    assert gate.notes == ()


def of_numpy(change: Callable[[Entry], Entry]) -> Callable[[Entry], Entry]:
    return lambda entry: replace(change(entry), versions={**entry.versions, "numpy": "1.0"})


def test_another_reference_unit_makes_it_stale(world: World) -> None:
    started(world)
    tdd.red(world.ports, world.module, ref_deps="all")
    world.code(RIGHT)
    tdd.green(world.ports, world.module, ref_deps="all")
    ports = world.ports
    catalog = Changed(ports.catalog, "num.py", "def total(values):\n    return 7.0\n")
    gate = replay_gate(replace(ports, catalog=catalog), world.module)  # type: ignore[arg-type]
    assert gate.verdict is Verdict.PASSED
    assert gate.summary == "1/2 entries replayed, 1 stale"
    assert "tinycalc.num" in gate.notes[0]


def test_an_abandoned_red_that_does_not_hold_is_only_told(world: World) -> None:
    started(world).red()
    world.abandon()
    world.red()
    world.code(RIGHT).green()
    gate = replay(forge(world, 0, on_unit(world, RIGHT)))
    assert gate.verdict is Verdict.PASSED
    assert gate.summary == "3 entries replayed"
    assert gate.notes[0].startswith("does not hold, and nothing rests on it: Entry 1 of ")
    assert gate.fields["not_as_written"][0]["differences"][0]["weighs"] is False


def test_what_comes_out_otherwise_is_run_once_more_alone(world: World) -> None:
    at_green(world)
    ports = replace(world.ports, runner=Wavering(world.runner))
    assert replay_gate(ports, world.module, jobs=2).summary == "2 entries replayed"


@dataclass
class Wavering:
    """Many at a time come to nothing; one alone is run."""

    runner: Runner

    def run(self, request: RunRequest) -> SuiteRun:
        return self.runner.run(request)

    def run_all(self, requests: Iterable[RunRequest], jobs: int) -> Iterator[tuple[int, SuiteRun]]:
        yield from ((index, completed()) for index, _ in enumerate(requests))


class Changed:
    """A catalog with another text for one unit of the reference."""

    def __init__(self, catalog: object, unit: str, text: str) -> None:
        self._catalog, self._unit, self._text = catalog, unit, text

    def __getattr__(self, name: str) -> object:
        return getattr(self._catalog, name)

    def reference(self, unit: str) -> str:
        return self._text if unit == self._unit else self._catalog.reference(unit)  # type: ignore[attr-defined]
