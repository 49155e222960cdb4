"""`ol verify` of a milestone: the reference passes, and what is wrong fails in the way that is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from ol.commands.proofs.milestones import Proving
from ol.commands.steps.together import Together
from ol.domain.course_report import Ruling
from ol.domain.file import File
from ol.domain.milestone.judged import Judgement
from ol.domain.milestone.milestone import Milestone, Wrong
from ol.domain.milestone.played import StepRun
from ol.domain.report import Verdict
from tests.commands.milestone_world import MS, REFERENCE, SKELETON, Deed, FakeStage, desk, told
from tests.fakes import Desk

WRONG = Wrong("w01", "says another number", "__main__.py", "right", "wrong", "step-field")
WITH_WRONG = replace(MS, wrong=(WRONG,))
FALSE = REFERENCE.replace("right", "wrong")


@dataclass
class FakeAuthor:
    files: dict[str, str] = field(default_factory=dict)

    def hashes(self) -> dict[str, str]:
        return dict(self.files)

    def harness(self) -> str:
        return "ol"


def fails(words: Sequence[str]) -> StepRun:
    return StepRun(1, 0.1, stderr="NotImplementedError")


def miscounts(words: Sequence[str]) -> StepRun:
    return StepRun(0, 0.1, '{"tokens": 2, "loss": 1.5}\n') if words[0] == "eval" else told(words)


def stage(others: dict[str, Deed] | None = None) -> FakeStage:
    return FakeStage(others={SKELETON: fails, FALSE: miscounts} | (others or {}))


def proved(
    on: FakeStage, milestone: Milestone = WITH_WRONG, at: Desk | None = None, author: Any = None, **more: Any
) -> Ruling:
    at = at or desk()
    ports, author = at.ports(), author or FakeAuthor()
    return Proving(ports, author, on, milestone, 7, 1, Together(ports.progress), **more).ruling()


def reason(ruling: Ruling) -> tuple[str, str]:
    (only,) = ruling.reasons
    assert ruling.verdict is Verdict.FAILED and only.next_step
    return only.slug, only.text


def test_a_milestone_that_tells_right_from_wrong_is_proved() -> None:
    ruling = proved(stage())
    assert ruling.verdict is Verdict.PASSED
    assert ruling.summary == "passed by the reference, failed by 1 wrong command line"


def test_a_reference_that_misses_a_bar_is_told_and_nothing_else_is_played() -> None:
    on = stage()
    on.judgements = {"figure_loss": Judgement(1.5), "claim_moved": Judgement(wrong="it did not")}
    slug, text = reason(proved(on))
    assert slug == "milestone-reference" and "moved: it did not [claim-fails]" in text
    assert len(on.lines) == 2


def test_a_wrong_command_line_that_passes_or_fails_otherwise_is_told() -> None:
    for deed, came in ((told, "it passes"), (fails, "step-exit")):
        slug, text = reason(proved(stage({FALSE: deed})))
        assert slug == "milestone-wrong"
        assert text.endswith(f"w01, says another number, must fail with step-field: {came}.")


def test_a_skeleton_that_passes_is_told() -> None:
    assert reason(proved(stage({SKELETON: told})))[0] == "milestone-skeleton"


def test_a_fault_that_fits_nowhere_is_told() -> None:
    lost = replace(MS, wrong=(replace(WRONG, find="left"),))
    slug, text = reason(proved(stage(), lost))
    assert slug == "mutant-find" and "stands 0 times in the reference's __main__.py" in text


def test_a_bar_that_does_not_follow_from_its_figures_is_told() -> None:
    at = desk()
    material = at.catalog.materials[MS.id]
    bars = {"loss": replace(material.bars["loss"], mean=1.0)}
    at.catalog.materials[MS.id] = replace(material, bars=bars)
    assert "bar-inconsistent" in {each.slug for each in proved(stage(), at=at).reasons}


def test_the_short_recipe_is_enough_for_most_faults() -> None:
    on = stage()
    proved(on, replace(MS, wrong=(WRONG, replace(WRONG, id="w02", smoke=False))))
    trees = zip(on.lines, on.typed, strict=True)
    assert [words[0][2] for tree, words in trees if tree["__main__.py"] == FALSE] == ["2", "90"]


@pytest.mark.parametrize(
    ("path", "again"), [("course/milestones/MS-1/judge.py", True), ("course/chapters/A1.md", False)]
)
def test_what_holds_is_remembered_until_something_that_it_hangs_on_changes(path: str, again: bool) -> None:
    at, author = desk(), FakeAuthor({"course/milestones/MS-1.toml": "1"})
    assert not proved(stage(), at=at, author=author).remembered
    on = stage()
    assert proved(on, at=at, author=author).remembered and not on.lines
    assert not proved(stage(), at=at, author=author, cached=False).remembered
    author.files[path] = "2"
    assert proved(stage(), at=at, author=author).remembered is not again


def test_what_does_not_hold_is_found_out_again() -> None:
    at = desk()
    for _ in range(2):
        assert not proved(stage({SKELETON: told}), at=at).remembered


def test_the_file_of_the_reference_is_changed_in_one_place_alone() -> None:
    at, on = desk(), stage()
    material = at.catalog.materials[MS.id]
    other = File("cli/say.py", b"right")
    at.catalog.materials[MS.id] = replace(material, reference=(*material.reference, other))
    proved(on, at=at)
    (tree,) = (tree for tree in on.lines if tree["__main__.py"] == FALSE)
    assert tree["cli/say.py"] == "right"
