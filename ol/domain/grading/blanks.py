"""Blanks: names of the given tests that are `...` until a student writes the value in, worked out by hand.

They are read from the syntax tree and never run: a value is what stands there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ol.domain.code.syntax import lines_of, parsed_or_refused
from ol.domain.course import Blank
from ol.domain.file import File
from ol.domain.grading.literal import Value, kind, read
from ol.domain.report import Reason

NAME = "blanks"
_NAMED = 3  # places of a name in a message
_POINT = "A number is written with a point, as in 1.5: a comma makes a list of it."
_SHOWN = 60  # characters of a value in a message


@dataclass(frozen=True, slots=True)
class Place:
    """One assignment of a name. `node` is what is assigned; None where that is no `NAME = value` of its file."""

    file: str
    line: int
    text: str  # what is written there, in one line
    node: ast.expr | None

    @property
    def open(self) -> bool:
        return isinstance(self.node, ast.Constant) and self.node.value is ...

    @property
    def value(self) -> Value | None:
        return None if self.node is None else read(self.node)


@dataclass(frozen=True, slots=True)
class Filling:
    """A blank and every place where its name is assigned."""

    blank: Blank
    places: tuple[Place, ...]

    @property
    def open(self) -> bool:
        """Whether it is as it was handed out."""
        return len(self.places) == 1 and self.places[0].open

    @property
    def file(self) -> str:
        """The file that it is in, by its first place; "" where it is in none."""
        return self.places[0].file if self.places else ""

    @property
    def value(self) -> Value | None:
        """What was filled in; None where it is open, or cannot be read."""
        return self.places[0].value if len(self.places) == 1 else None

    @property
    def has_comma(self) -> bool:
        """`1,6740`: two numbers, where somebody meant one."""
        node = self.places[0].node if self.places else None
        return isinstance(node, ast.Tuple) and isinstance(self.value, list) and len(self.value) == 2

    def told_open(self, folder: str) -> Reason:
        """Of one that is open: where, and what its line says of it. `folder` is as its owner knows it."""
        told = f"{self.blank.name} is not filled yet: {self.at(folder)}."
        step = "Work it out by hand, and write it in the place of `...`."
        return Reason("blank-open", told, step, (self.places[0].text,))

    def at(self, folder: str) -> str:
        """`python/tests/m06-3-pcg32/test_rng.py:12`."""
        shown = [f"{folder}/{place.file}:{place.line}" for place in self.places[:_NAMED]]
        more = len(self.places) - len(shown)
        return " and ".join([*shown, f"{more} more"] if more else shown)


def fillings(files: Iterable[File], blanks: Sequence[Blank]) -> tuple[Filling, ...]:
    """Of each blank, in the manifest's order. WorkRefused for a Python file that does not parse."""
    places = [pair for file in files if file.name.endswith(".py") for pair in assigned(file)]
    return tuple(
        Filling(blank, tuple(place for name, place in places if name == blank.name)) for blank in blanks
    )


def assigned(file: File) -> Iterator[tuple[str, Place]]:
    """Every name that a file assigns, wherever in it, with its place."""
    tree, lines = parsed_or_refused(file), lines_of(file.text())
    values = {id(name): (value, last) for name, value, last in _values(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            value, last = values.get(id(node), (None, node.lineno))
            text = " ".join(line.strip() for line in lines[node.lineno - 1 : last])
            yield node.id, Place(file.name, node.lineno, text, value)


def why_unread(filling: Filling, folder: str) -> Reason | None:
    """Why a blank has no value to compare, if it has none. `folder`: the test folder as its owner knows it."""
    name, place = filling.blank.name, filling.at(folder)
    if not filling.places:
        told = f"{name} is assigned nowhere in {folder}/."
        return Reason("blank-missing", told, f"Write it as it was handed out, `{name} = …`, with your value.")
    if len(filling.places) > 1:
        told = f"{name} is assigned {len(filling.places)} times: {place}."
        return Reason("blank-twice", told, "Keep the one with your value, and delete the others.")
    (only,) = filling.places
    if only.open:
        return filling.told_open(folder)
    if only.value is None:
        told = f"{name} is no plain value: {place}."
        step = (
            f"At the left margin write `{name} = ` and the value itself: a number, a text, or a list of them."
        )
        return Reason("blank-not-plain", told, step, (_shortly(only.text),))
    return None


def wrong(filling: Filling, asked: Value, folder: str) -> Reason:
    """Which one, and how it was read: never what is right."""
    name, value, place = filling.blank.name, filling.value, filling.at(folder)
    assert value is not None
    told = f"{name} is not right. It is read as {_shortly(repr(value))}: {place}."
    step = "Work it out once more, step by step, from what the comment beside it asks for."
    if kind(value) != kind(asked):
        told = f"{name} is read as {kind(value)}, and {kind(asked)} is asked for: {place}."
        step = _POINT if filling.has_comma and kind(asked) == kind(0) else step
    return Reason("blank-wrong", told, step, (f"why       {filling.blank.why}",))


def _shortly(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _values(tree: ast.Module) -> Iterator[tuple[ast.Name, ast.expr, int]]:
    """The plain assignments of a file's own level, `NAME = value` and `NAME: int = value`, with their last line."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name() as name], value=value):
                yield name, value, node.end_lineno or node.lineno
            case ast.AnnAssign(target=ast.Name() as name, value=ast.expr() as value):
                yield name, value, node.end_lineno or node.lineno
