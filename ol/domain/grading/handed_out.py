"""Blanks as the course hands them out: `...` once in the given tests, and a value in the exemplar ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ol.domain.course import CourseModule
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.grading.blanks import Filling, assigned, fillings, why_unread


def check(module: CourseModule, given: Iterable[File], exemplars: Iterable[File]) -> None:
    """CourseWrong for the first blank that is handed out otherwise, or not declared, or not filled."""
    given = tuple(given)
    for each in fillings(given, module.blanks):
        if not each.open:
            told = f"{_instead(each, f'course/given/{module.id}')} the blank {each.blank.name}."
            raise CourseWrong(
                "blank-given", told, f"Let one line of it be `{each.blank.name} = ...  # by hand: …`."
            )
    declared = {blank.name for blank in module.blanks}
    for name, place in _open(given):
        if name not in declared:
            told = f"{name} is `...` in course/given/{module.id}/{place}, and the manifest declares no such blank."
            raise CourseWrong("blank-undeclared", told, "Add it to [[blanks]], with why it matters.")
    for each in fillings(exemplars, module.blanks):
        if reason := why_unread(each, f"course/exemplars/{module.id}"):
            raise CourseWrong(reason.slug, reason.text, "Fill it in, as a careful student would.")


def _open(files: Iterable[File]) -> Iterator[tuple[str, str]]:
    """Every name that is handed out as a blank, and the line that does it."""
    for file in files:
        if file.name.endswith(".py"):
            for name, place in assigned(file):
                if place.open:
                    yield name, f"{place.file}:{place.line}"


def _instead(filling: Filling, folder: str) -> str:
    if not filling.places:
        return f"{folder} has no line of"
    first = filling.places[0]
    if len(filling.places) == 1:
        return f"{folder}/{first.file}, line {first.line}, gives away"
    return f"{folder}/{first.file} has several lines of"
