"""Journals that cannot be replayed: objects that are gone, nothing written yet, damage."""

from __future__ import annotations

from ol.domain.report import Verdict
from tests.commands.journal_world import RIGHT, World, at_green, started
from tests.commands.replay_world import UNIT, object_of, replay


def test_a_missing_object_is_named(world: World) -> None:
    at_green(world)
    record = world.state().links[0].entry.units[UNIT]
    object_of(world, record.sha256).unlink()
    gate = replay(world)
    assert gate.verdict is Verdict.FAILED
    (reason,) = gate.reasons
    assert reason.slug == "replay-lost" and "git checkout journals" in reason.next_step
    assert reason.detail == (f"journals/objects/{record.sha256[:2]}/{record.sha256} ({UNIT})",)
    assert gate.summary == "1/2 entries replayed, 1 lost"


def test_a_changed_object_is_a_missing_one(world: World) -> None:
    at_green(world)
    object_of(world, world.state().links[0].entry.units[UNIT].sha256).write_text(RIGHT, encoding="utf-8")
    assert [reason.slug for reason in replay(world).reasons] == ["replay-lost"]


def test_an_empty_journal_and_a_damaged_one_are_not_replayed(world: World) -> None:
    assert [reason.slug for reason in replay(started(world)).reasons] == ["journal-empty"]
    at_green(world)
    (file,) = (world.root / "journals" / "A1").glob("*.jsonl")
    file.write_bytes(file.read_bytes().replace(b'"seq":1', b'"seq":4'))
    gate = replay(world)
    assert [reason.slug for reason in gate.reasons] == ["journal-damaged"]
    assert gate.summary == "journal not replayed"
