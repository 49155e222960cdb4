"""Sequences in which one journal goes on in two places."""

from __future__ import annotations

from pathlib import Path

from ol.commands.steps.replay import replay_gate
from ol.domain.report import Verdict
from tests.commands.journal_world import (
    CLAMP,
    GIVEN,
    IMPORTS,
    RIGHT,
    RUNNING,
    STUB,
    World,
    at_green,
    complete,
    recorded,
    refusals,
)


def test_10_two_clones_merged_by_git(world: World, tmp_path: Path):
    world.code(STUB).test("test_calc.py", GIVEN)
    world.git("init", "-q", "-b", "main")
    (world.root / ".gitignore").write_text(".ol/\n", encoding="utf-8")
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    world.git("add", "-A")
    world.git("commit", "-q", "-m", "A1 begun")
    world.git("clone", "-q", str(world.root), str(tmp_path / "laptop"))
    laptop = World(tmp_path / "laptop", world.runner, world.clock)

    for side, name, test in ((laptop, "test_clamp.py", CLAMP), (world, "test_running.py", RUNNING)):
        side.code(STUB).test(name, IMPORTS + test)
        assert recorded(side.red()) == "red"
        side.code(RIGHT)
        assert recorded(side.green()) == "green"
        side.git("add", "-A")
        side.git("commit", "-q", "-m", f"with {name}")

    world.git("pull", "-q", "--no-rebase", "--no-edit", str(laptop.root), "main")
    heads = world.state().heads
    assert len(heads) == 2
    assert refusals(world.gate()) == ["journal-not-booked"]
    assert recorded(world.green()) == "refactor"
    last = world.state().links[-1]
    assert {**last.entry.heads, last.chain: last.entry.previous} == heads
    assert complete(world.gate()) == "3 tests: 3 seen red (3 on the stub only), 0 booked as refactor"
    gate = replay_gate(world.ports, world.module)
    assert gate.verdict is Verdict.PASSED, gate.reasons
    assert gate.summary == "7 entries replayed"


def test_21_the_memory_of_the_journal_copied_to_another_folder(world: World, tmp_path: Path):
    at_green(world)
    copy = world.copy(tmp_path / "copy")
    for side in (world, copy):
        side.test("test_more.py", IMPORTS + CLAMP)
        assert recorded(side.green()) == "refactor"
    assert len(world.state().heads) == 1
    assert len(copy.state().heads) == 2
    places = [(link.chain, link.entry.seq) for side in (world, copy) for link in side.state().links]
    assert len(set(places)) == 4  # three of home, and one of the copy's own
