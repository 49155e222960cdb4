"""Whole journals run again: honest ones hold, whatever they hold, and nothing is remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import pytest

from ol.commands import tdd
from ol.commands.check import Options, check
from ol.commands.steps import own_tests
from ol.commands.steps.replay import replay_gate
from ol.domain.journal.entry import UnitRecord
from ol.domain.report import Verdict
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from ol.ports import Runner
from tests.commands import test_journal_sequences as sequences
from tests.commands import test_journal_sequences_of_edits as edits
from tests.commands.journal_world import IMPORTS, RIGHT, STUB, TINY, World, at_green, recorded, started
from tests.commands.replay_world import replay

EXEMPLARS = (TINY / "course/exemplars/A1/test_calc.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "sequence",
    [
        edits.test_2_a_wrong_expectation_found_after_the_code_is_right,
        sequences.test_4_a_second_file_that_passes_at_once,
        edits.test_5_a_file_renamed_then_split_in_two,
        sequences.test_7_a_method_that_is_not_there_yet,
        edits.test_14_a_conftest_fixture_edited_in_between_and_the_test_fails_on_the_reds_units,
        sequences.test_15_two_reds_in_a_row_and_one_green,
        sequences.test_18_methods_of_a_test_class,
    ],
    ids=lambda sequence: sequence.__name__.removeprefix("test_"),
)
def test_an_honest_journal_holds(sequence: Callable[[World], None], world: World) -> None:
    sequence(world)
    gate = replay(world)
    assert gate.verdict is Verdict.PASSED, gate.reasons
    assert gate.fields["held"] == gate.fields["entries"] == len(world.phases()) > 1
    assert gate.summary == f"{len(world.phases())} entries replayed"


@pytest.mark.parametrize("test", ["def test_a(n):\n    pass\n", "async def test_a():\n    pass\n"])
def test_a_red_of_before_whose_test_fails_before_its_first_line_holds(
    world: World, monkeypatch: pytest.MonkeyPatch, test: str
) -> None:
    """`ol tdd red` refuses such a test now; what is on record from before stays what it was."""
    monkeypatch.setattr(own_tests, "never_began", lambda results: None)
    assert recorded(started(world).test("test_more.py", test).red()) == "red"
    monkeypatch.undo()
    world.code(RIGHT).test("test_more.py", "def test_a():\n    pass\n").abandon("test_a")
    assert recorded(world.green()) == "green"
    gate = replay(world)
    assert (gate.verdict, gate.fields["held"]) == (Verdict.PASSED, 2), gate.reasons


def test_inherited_tests_a_folder_below_and_a_file_of_data_are_rebuilt(world: World) -> None:
    inherited = (
        "class Base:\n    def test_mean(self):\n        assert mean([1.0, 3.0]) == 2.0\n\n\n"
        "class TestMean(Base):\n    pass\n\n\n"
        "test_again = lambda: None\n"
    )
    reads = (
        "from tinycalc.calc import mean\n\n\n"
        "def test_it(request):\n    values = (request.path.parent / 'values.txt').read_text().split()\n"
        "    assert mean([float(each) for each in values]) == 2.0\n"
    )
    world.code(STUB).test("test_calc.py", IMPORTS + inherited)
    world.test("below/test_more.py", reads).test("below/values.txt", "1 3\n")
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    assert replay(world).summary == "2 entries replayed"


def test_a_journal_on_needs_of_the_reference_holds(world: World) -> None:
    started(world)
    assert recorded(tdd.red(world.ports, world.module, ref_deps="all")) == "red"
    world.code(RIGHT)
    assert recorded(tdd.green(world.ports, world.module, ref_deps="all")) == "green"
    assert not world.state().links[0].entry.units.get("tinycalc.num", UnitRecord("")).kept
    assert replay(world).summary == "2 entries replayed"


def test_the_gate_is_there_only_when_it_is_asked_for(world: World) -> None:
    world.code(STUB).test("test_calc.py", EXEMPLARS).red()
    world.code(RIGHT).green()
    options = Options(jobs=2, seed=1, replay=True)
    done = "5/5 course tests, journal complete, 2 entries replayed, 5/5 mutants (1.00 ≥ 0.70), s01 killed"
    assert check(world.ports, world.module, options).last_line == f"A1 PASSED — {done} [unverified: A0]"
    unasked = check(world.ports, world.module, replace(options, replay=False))
    assert "replay" not in [gate.gate for gate in unasked.gates]


def test_nothing_of_a_replay_is_remembered(world: World) -> None:
    at_green(world)
    counting = Counting(world.runner)
    ports = replace(world.ports, runner=counting)
    for _ in range(2):
        assert replay_gate(ports, world.module, jobs=2).verdict is Verdict.PASSED
    assert counting.asked == [(2, 2), (2, 2)]
    assert ports.memo.kept == {}  # type: ignore[attr-defined]


def test_forty_entries_are_replayed_in_parallel_and_progress_is_told(world: World) -> None:
    at_green(world)
    for link in world.state().links * 19:
        heads = world.state().heads
        world.ports.journal.append(world.module.id, replace(link.entry, heads=heads), ())
    counting = Counting(world.runner)
    ports = replace(world.ports, runner=counting)
    gate = replay_gate(ports, world.module, jobs=2)
    assert gate.verdict is Verdict.PASSED, gate.reasons
    assert gate.summary == "40 entries replayed"
    assert counting.asked == [(40, 2)]
    assert ports.progress.told == ["replay: 40", *[""] * 40, "end"]  # type: ignore[attr-defined]


@dataclass
class Counting:
    """Runs what it is asked, and keeps how many runs at a time it was asked for."""

    runner: Runner
    asked: list[tuple[int, int]] = field(default_factory=list)

    def run(self, request: RunRequest) -> SuiteRun:
        return self.runner.run(request)

    def run_all(self, requests: Iterable[RunRequest], jobs: int) -> Iterator[tuple[int, SuiteRun]]:
        all_of_them = list(requests)
        self.asked.append((len(all_of_them), jobs))
        return self.runner.run_all(all_of_them, jobs)
