"""Which reds weigh, and which greens were earned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ol.domain.journal.entry import Entry, FileRecord, FunctionRecord, Link, Phase
from ol.domain.journal.replay import runs, weighing
from ol.domain.journal.untried import untried
from ol.domain.suite import Outcome
from tests.domain.journal.snapshots import A1, AT


def link(seq: int, phase: Phase, hash: str = "x", **more) -> Link:
    outcome = (Outcome.PASSED, "") if phase in (Phase.GREEN, Phase.REFACTOR) else (Outcome.FAILED, "stub")
    functions = {"test_x.py::test_a": FunctionRecord(hash, *outcome)}
    files = {"test_x.py": FileRecord("0", more.pop("rest", "r"))}
    entry = Entry(at=AT, module=A1, seq=seq, phase=phase, functions=functions, files=files)
    past = more.pop("past", {"a": seq})
    return Link(more.pop("chain", "a"), f"{more.pop('line', 'a')}{seq}", entry, past)


@pytest.mark.parametrize(
    ("phases", "weigh"),
    [
        ([Phase.RED], {"a1"}),
        ([Phase.RED, Phase.GREEN], {"a1"}),
        ([Phase.RED, Phase.RED, Phase.GREEN], {"a2"}),
        ([Phase.RED, Phase.AMENDED, Phase.GREEN], {"a2"}),
        ([Phase.RED, Phase.ABANDON], set()),
        ([Phase.RED, Phase.GREEN, Phase.RED, Phase.ABANDON], {"a1"}),
        ([Phase.RED, Phase.GREEN, Phase.RED, Phase.GREEN], {"a1", "a3"}),
    ],
)
def test_the_reds_that_weigh_are_those_closed_or_open(phases: list[Phase], weigh: set[str]) -> None:
    links = [link(seq, phase) for seq, phase in enumerate(phases, 1)]
    assert {line for line, _ in weighing(links)} == weigh
    assert len(runs(links)) == len(phases) - phases.count(Phase.ABANDON)


@pytest.mark.parametrize("edit", [{"hash": "y"}, {"rest": "s"}])
def test_a_green_of_an_edited_test_needs_an_amended_red(edit: dict[str, str]) -> None:
    red, amended = link(1, Phase.RED), link(2, Phase.AMENDED, **edit)
    assert untried([red, link(2, Phase.GREEN)]) == {}
    assert untried([red, link(2, Phase.GREEN, **edit)]) == {"a2": ("test_x.py::test_a",)}
    assert untried([red, amended, link(3, Phase.GREEN, **edit)]) == {}


def test_a_green_is_judged_by_what_its_clone_knew() -> None:
    red, green = link(1, Phase.RED), link(2, Phase.GREEN)
    other = link(1, Phase.RED, hash="y", chain="b", line="b", past={"b": 1})
    assert untried([red, other, green]) == {}
    assert untried([red, other, replace(green, past={"a": 2, "b": 1})]) == {"a2": ("test_x.py::test_a",)}
