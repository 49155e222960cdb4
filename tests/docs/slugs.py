"""Every slug that a program can print, found in the syntax trees of its source.

A slug is what is handed to a parameter or a field named `slug`. It stands there whole: as a literal, in a
table of literals, or as an enum's value. Or it is handed on: another object's `.slug`, a parameter `slug`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

_Node = TypeVar("_Node", bound=ast.AST)


@dataclass(frozen=True)
class Maker:
    """A class or function that takes a slug: at which place, and the class of what it makes."""

    place: int
    makes: str


class Program:
    """`slugs` holds each slug with the exit codes that follow from what is made of it; a reason has none."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._trees = {path: ast.parse(text) for path, text in texts.items()}
        classes = [each for tree in self._trees.values() for each in _nodes(tree, ast.ClassDef)]
        self._classes = {each.name: each for each in classes}
        self._enums = {each.name: _members(each) for each in classes if _is_enum(each)}

    @staticmethod
    def below(folder: Path) -> Program:
        paths = sorted(folder.rglob("*.py"))
        return Program({path.as_posix(): path.read_text(encoding="utf-8") for path in paths})

    @cached_property
    def slugs(self) -> dict[str, set[int]]:
        found: defaultdict[str, set[int]] = defaultdict(set)
        for path, tree in self._trees.items():
            makers = {**self._known_everywhere, **_functions(_nodes(tree, ast.FunctionDef))}
            handed_on = set(_handed_on(tree))
            for call in _nodes(tree, ast.Call):
                maker = makers.get(_name(call.func))
                given = _given(call, maker)
                if given is not None and given not in handed_on:
                    for slug in self._values(given, tree, f"{path}:{call.lineno}"):
                        found[slug] |= self._exit_codes(call, maker)
        return dict(found)

    # ---- who takes slugs

    @cached_property
    def _known_everywhere(self) -> dict[str, Maker]:
        places = {name: self._place_in(each) for name, each in self._classes.items()}
        classes = {name: Maker(place, name) for name, place in places.items() if place is not None}
        outermost = [each for tree in self._trees.values() for each in tree.body]
        functions = _functions(each for each in outermost if isinstance(each, ast.FunctionDef))
        return {**{name: each for name, each in functions.items() if name[0] != "_"}, **classes}

    def _place_in(self, cls: ast.ClassDef) -> int | None:
        """Among the arguments of its constructor, its own or of a base; else among its fields."""
        line = self._line_of(cls)
        for function in (each for base in line for each in base.body if isinstance(each, ast.FunctionDef)):
            if function.name == "__init__":
                return _place(function)
        fields = [name for base in line for name, _ in _declared(base)]
        return fields.index("slug") if "slug" in fields else None

    def _line_of(self, cls: ast.ClassDef) -> list[ast.ClassDef]:
        """The bases that are known here, the furthest first, and the class itself."""
        bases = [self._classes[name] for base in cls.bases if (name := _name(base)) in self._classes]
        return [*(each for base in bases for each in self._line_of(base)), cls]

    # ---- what is handed to them

    def _values(self, given: ast.expr, tree: ast.Module, where: str) -> Iterator[str]:
        match given:
            case ast.Constant(value=str(slug)):
                yield slug
            case ast.Attribute(attr="slug"):
                return
            case ast.Attribute(value=ast.Attribute() as member, attr="value"):
                yield from self._of_enum(member, where)
            case ast.Subscript(value=ast.Name(id=table)):
                yield from _of_table(tree, table, where)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=table), attr="get"), args=[_, other]):
                yield from (*_of_table(tree, table, where), ast.literal_eval(other))
            case _:
                told = "a slug stands whole where it is made, not as"
                raise AssertionError(f"{where}: {told} {ast.unparse(given)}")

    def _of_enum(self, member: ast.Attribute, where: str) -> Iterator[str]:
        """`Why.STUB`: that one; `cause.why`: every member of the enum that a field `why` is of."""
        if (owner := _name(member.value)) in self._enums:
            yield str(self._enums[owner][member.attr])
            return
        fields = (field for cls in self._classes.values() for field in _declared(cls))
        held = {kind for name, kind in fields if name == member.attr} & self._enums.keys()
        assert held, f"{where}: no field {member.attr} holds an enum"
        yield from (str(value) for name in held for value in self._enums[name].values())

    # ---- exit codes

    def _exit_codes(self, call: ast.Call, maker: Maker | None) -> set[int]:
        """That of the error made, or the one given in the call."""
        cls = self._classes.get(maker.makes) if maker else None
        set_by = [_assigned(base) for base in self._line_of(cls)] if cls else []
        of_class = [names["exit_code"] for names in set_by if "exit_code" in names][-1:]
        told = [each for each in (*of_class, *call.args) if isinstance(each, ast.Attribute)]
        return {int(self._enums["ExitCode"][each.attr]) for each in told if _name(each.value) == "ExitCode"}


def _functions(nodes: Iterator[ast.FunctionDef]) -> dict[str, Maker]:
    places = {each.name: (_place(each), _name(each.returns)) for each in nodes if each.name != "__init__"}
    return {name: Maker(place, makes) for name, (place, makes) in places.items() if place is not None}


def _place(function: ast.FunctionDef) -> int | None:
    names = [each.arg for each in function.args.args if each.arg != "self"]
    return names.index("slug") if "slug" in names else None


def _handed_on(tree: ast.Module) -> Iterator[ast.expr]:
    """Every mention of a parameter `slug` in its function."""
    for function in _nodes(tree, ast.FunctionDef):
        if _place(function) is not None:
            yield from (each for each in _nodes(function, ast.Name) if each.id == "slug")


def _given(call: ast.Call, maker: Maker | None) -> ast.expr | None:
    """By name in any call, by place in a maker's."""
    named = [each.value for each in call.keywords if each.arg == "slug"]
    placed = call.args[maker.place : maker.place + 1] if maker else []
    return next(iter([*named, *placed]), None)


def _of_table(tree: ast.Module, name: str, where: str) -> Iterator[str]:
    """The values of a dictionary of this file."""
    table = _assigned(tree).get(name)
    assert isinstance(table, ast.Dict), f"{where}: no table {name} stands in this file"
    yield from (ast.literal_eval(value) for value in table.values)


def _is_enum(cls: ast.ClassDef) -> bool:
    return any(_name(base).endswith("Enum") for base in cls.bases)


def _members(enum: ast.ClassDef) -> dict[str, str | int]:
    return {name: ast.literal_eval(value) for name, value in _assigned(enum).items()}


def _assigned(scope: ast.Module | ast.ClassDef) -> dict[str, ast.expr]:
    """What the names of a file or a class stand for."""
    found: dict[str, ast.expr] = {}
    for line in scope.body:
        match line:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = value
    return found


def _declared(cls: ast.ClassDef) -> list[tuple[str, str]]:
    """The fields, each with the name of its type."""
    lines = [line for line in cls.body if isinstance(line, ast.AnnAssign)]
    return [(_name(line.target), _name(line.annotation)) for line in lines]


def _nodes(tree: ast.AST, kind: type[_Node]) -> Iterator[_Node]:
    return (node for node in ast.walk(tree) if isinstance(node, kind))


def _name(node: ast.expr | None) -> str:
    """The last name of `a.b.c`; none of another expression."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
