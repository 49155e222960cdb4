"""`ol tdd abandon`, `log` and `repair`, and the journal as a gate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ol.commands import tdd
from ol.commands.steps.journal_gate import journal_gate
from ol.domain.errors import WrongRequest
from tests.commands.journal_world import (
    CLAMP,
    IMPORTS,
    MEAN,
    STUB,
    World,
    at_green,
    recorded,
    refusals,
    refused,
    started,
)


def test_abandon_drops_only_what_is_named_under_its_old_or_new_name(world: World):
    world.code(STUB).test("test_calc.py", IMPORTS + MEAN + CLAMP).red()
    world.test("test_calc.py", IMPORTS + MEAN.replace("test_mean", "test_average") + CLAMP)
    with pytest.raises(WrongRequest, match="test_other") as caught:
        world.abandon("test_other")
    assert "test_calc.py::test_clamp" in caught.value.next_step
    assert recorded(world.abandon("test_average")) == "abandon"
    assert recorded(world.abandon("test_calc.py::test_clamp")) == "abandon"
    assert world.abandon().lines == ("No red is open: nothing is recorded.",)


def test_abandon_works_on_tests_that_do_not_parse_and_without_a_unit(world: World):
    started(world).red()
    world.test("test_calc.py", "def test_a(:\n").unit.unlink()
    assert recorded(world.abandon()) == "abandon"


def test_a_damaged_journal_refuses_and_its_repair_mends_it(world: World):
    at_green(world)
    (path,) = (world.root / "journals" / "A1").glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"green"', b'"grown"', 1))
    for verb in (world.red, world.green, world.abandon):
        assert refused(verb()) == "journal-damaged"
    assert refusals(world.gate()) == ["journal-damaged"]
    assert world.gate().reasons[0].next_step == (
        "`git checkout journals` brings back what was committed; "
        "else `ol tdd repair A1` keeps 1 entry, and sets the rest aside."
    )
    told = tdd.repair(world.ports, world.module).lines
    assert "line 2 was edited" in told[0]
    assert tdd.repair(world.ports, world.module).lines == ("The journal of A1 is whole: nothing to repair.",)
    assert world.phases() == ["red"]
    assert recorded(world.green()) == "green"


def test_a_deleted_journal_says_how_to_bring_it_back_and_a_new_one_begins(world: World):
    at_green(world)
    for path in (world.root / "journals" / "A1").glob("*.jsonl"):
        path.unlink()
    assert refusals(world.gate()) == ["journal-gone"]
    answer = world.green()
    assert recorded(answer) == "refactor"
    assert any("`git checkout journals` brings it back" in line for line in answer.lines)
    assert world.phases() == ["refactor"]


def test_a_test_folder_that_cannot_be_read_fails_the_gate_alone(world: World):
    at_green(world).test("test_calc.py", "def test_a(:\n")
    assert refusals(world.gate()) == ["does-not-parse"]
    world.tests.joinpath("test_calc.py").write_bytes(b"\xff\xfe")
    assert refusals(world.gate()) == ["not-utf8"]


def test_a_manifest_may_ask_for_another_share_than_the_course(world: World):
    at_green(world).test("test_calc.py", IMPORTS + MEAN + CLAMP).green()
    asks = replace(world.module, seen_red_min=0.9)
    assert refusals(journal_gate(world.ports, asks)) == ["journal-few-red"]


def test_the_log_tells_the_story(world: World):
    lines = tdd.log(world.ports, world.module).lines
    assert lines == ("Nothing is on record for A1.",)
    at_green(world)
    page = tdd.log(world.ports, world.module)
    assert "red       1 of 1 fail: test_calc.py::test_mean_of_two" in page.lines[0]
    assert "green     1 pass" in page.lines[1]
    assert page.fields == {"entries": 2, "open": []}
