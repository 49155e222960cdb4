"""What must hold of a milestone's file before a command builds on it."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterable

from ol.domain.authoring.manifest import check_known, check_once
from ol.domain.course import ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.milestone.milestone import Milestone

SEEDS = ("fresh", "other")  # placeholders that are drawn anew each time


def check_milestone(milestone: Milestone, stem: str, modules: Collection[ModuleId], path: str) -> None:
    """CourseWrong for the first thing in it that cannot be right."""
    if milestone.id != stem or stem in modules:
        told = f"{path}: its id is {milestone.id}."
        raise CourseWrong("id-and-file", told, "Name the file like the id, and like no course module.")
    check_known(path, "need", milestone.needs, modules)
    names = [step.name for step in milestone.steps]
    for what, listed in (("step", names), ("figure", [f.name for f in milestone.figures])):
        check_once(path, what, listed)
    _check_words(milestone, path)
    steps = [figure.step for figure in milestone.figures]
    steps += [each for step in milestone.steps for each in (step.like, step.unlike) if each]
    check_known(path, "step", steps, names)
    bars = [each for f in milestone.figures for each in (f.bar, f.below) if each]
    check_known(path, "bar", bars, [bar.name for bar in milestone.bars])
    check_known(path, "file of the model", milestone.model, milestone.left)


def _check_words(milestone: Milestone, path: str) -> None:
    known = [*milestone.inputs, *milestone.recipe, *SEEDS]
    check_known(path, "word of [smoke]", milestone.smoke, milestone.recipe)
    for step in milestone.steps:
        check_known(path, f"placeholder of `{step.name}`:", _placeholders(step.argv), known)


def _placeholders(argv: Iterable[str]) -> list[str]:
    parsed = (string.Formatter().parse(word) for word in argv)
    return [name for parts in parsed for _, name, _, _ in parts if name is not None]
