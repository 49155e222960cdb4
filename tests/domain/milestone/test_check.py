"""A milestone's file names only what is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ol.domain.course import Bar, ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.milestone.check import check_milestone
from ol.domain.milestone.milestone import Figure, Milestone, Step

TRAIN = Step("train", ("train", "--in", "{text}", "--steps", "{steps}", "--seed", "{fresh}"), files=("m",))
SOUND = Milestone(
    id=ModuleId("MS"),
    title="A milestone",
    needs=(ModuleId("A1"),),
    contract="contract.md",
    entry=("__main__.py",),
    steps=(TRAIN, Step("again", ("train",), like="train")),
    inputs={"text": "course/text.txt"},
    recipe={"steps": "9"},
    smoke={"steps": "1"},
    figures=(Figure("ppl", "train", "ppl", 0.1, "ppl", ""),),
    model=("m",),
    bars=(Bar("ppl", ()),),
)


def check(**changed: Any) -> None:
    milestone = replace(SOUND, **changed)
    check_milestone(milestone, "MS", [ModuleId("A1")], "course/milestones/MS.toml")


def test_a_sound_one_passes() -> None:
    check()


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"needs": (ModuleId("A2"),)}, "A2"),
        ({"inputs": {}}, "text"),
        ({"recipe": {}, "smoke": {}}, "steps"),
        ({"smoke": {"stops": "1"}}, "stops"),
        ({"steps": (TRAIN, Step("again", (), like="trian"))}, "trian"),
        ({"figures": (Figure("ppl", "score", "ppl", 0.1, "ppl", ""),)}, "score"),
        ({"figures": (Figure("ppl", "train", "ppl", 0.1, "pll", ""),)}, "pll"),
        ({"figures": (Figure("ppl", "train", "ppl", 0.1, "ppl", "", below="two"),)}, "two"),
        ({"model": ("n",)}, "n"),
    ],
)
def test_a_name_that_stands_for_nothing_is_told(changed: dict[str, Any], word: str) -> None:
    with pytest.raises(CourseWrong, match=rf"\b{word}\b is unknown") as told:
        check(**changed)
    assert told.value.slug == "unknown-name"


def test_a_name_stands_once() -> None:
    with pytest.raises(CourseWrong, match="step train stands there twice"):
        check(steps=(TRAIN, TRAIN), figures=(), model=())


@pytest.mark.parametrize("id", ["MX", "A1"])
def test_the_id_is_the_files_name_and_no_modules(id: str) -> None:
    with pytest.raises(CourseWrong) as told:
        check_milestone(replace(SOUND, id=ModuleId(id)), "A1" if id == "A1" else "MS", [ModuleId("A1")], "p")
    assert told.value.slug == "id-and-file"


def test_the_short_recipe_changes_what_it_names() -> None:
    assert SOUND.words(smoke=False) == {"steps": "9"}
    assert SOUND.words(smoke=True) == {"steps": "1"}
