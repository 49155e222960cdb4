"""Journals run again, and forged as one can who knows the format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ol.commands.steps.replay import replay_gate
from ol.domain.code.identity import code_hash
from ol.domain.file import File
from ol.domain.journal.entry import Entry, UnitRecord
from ol.domain.journal.line import read, sha256, written
from ol.domain.report import GateResult
from ol.domain.suite import Outcome
from tests.commands.journal_world import World

UNIT, TEST = "tinycalc.calc", "test_calc.py::test_mean_of_two"


def replay(world: World) -> GateResult:
    return replay_gate(world.ports, world.module, jobs=2)


def forge(world: World, number: int, change: Callable[[Entry], Entry]) -> World:
    """Change one line and make every hash after it fit again, as one can who knows the format."""
    (file,) = (world.root / "journals" / "A1").glob("*.jsonl")
    lines: list[bytes] = []
    for place, line in enumerate(file.read_bytes().splitlines()):
        entry = change(read(line)) if place == number else read(line)
        lines.append(written(replace(entry, previous=sha256(lines[-1]) if lines else entry.previous)))
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    assert not world.state().faults
    return world


def claiming(id: str, outcome: Outcome, cause: str = "") -> Callable[[Entry], Entry]:
    def change(entry: Entry) -> Entry:
        function = replace(entry.functions[id], outcome=outcome, cause=cause)
        return replace(entry, functions={**entry.functions, id: function})

    return change


def on_unit(world: World, text: str) -> Callable[[Entry], Entry]:
    """The entry as one of other code, whose snapshot is there."""
    record = UnitRecord(keep(world, text), code_hash(text))
    return lambda entry: replace(entry, units={**entry.units, UNIT: record})


def keep(world: World, text: str) -> str:
    file = File("", text.encode("utf-8"))
    path = world.root / "journals/objects" / file.sha256[:2] / file.sha256
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(file.content)
    return file.sha256


def object_of(world: World, sha256: str) -> Path:
    return world.root / "journals/objects" / sha256[:2] / sha256
