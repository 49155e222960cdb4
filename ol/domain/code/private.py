"""A private name, `_x`, is for the files that bind it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ol.domain.code.finding import Finding

_OF_NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}


def private_names(trees: Mapping[str, ast.Module]) -> Mapping[str, tuple[Finding, ...]]:
    """For each file the private attributes and imports that none of the files binds."""
    own = {name for tree in trees.values() for node in ast.walk(tree) for name in _bound(node)}
    return {
        file: tuple(
            _finding(line, name) for node in ast.walk(tree) for line, name in _used(node) if name not in own
        )
        for file, tree in trees.items()
    }


def _finding(line: int, name: str) -> Finding:
    told = f"{name} is private to another file."
    return Finding(line, name, "private-name", told, "Use a public name: a contract promises no other.")


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_") and name not in _OF_NAMED_TUPLES


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            yield name
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
            yield name
        case ast.Assign(targets=[ast.Name(id="__slots__")]):
            constants = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
            yield from (value for value in constants if isinstance(value, str))


def _used(node: ast.AST) -> Iterator[tuple[int, str]]:
    parts: list[str] = []
    match node:
        case ast.Attribute(attr=name):
            parts = [name]
        case ast.ImportFrom(module=module, names=names):
            parts = [*(module or "").split("."), *(alias.name for alias in names)]
        case ast.Import(names=names):
            parts = [part for alias in names for part in alias.name.split(".")]
    yield from ((getattr(node, "lineno", 0), part) for part in parts if _is_private(part))
