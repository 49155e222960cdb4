"""What a contract leaves unsaid: a public name without a docstring, or one that it does not promise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ol.domain.code.contract import Contract
from ol.domain.code.surface import Class, Def, Function, Surface
from ol.domain.code.syntax import tree_of


def undocumented(promise: Contract) -> tuple[str, ...]:
    """The functions, classes and methods of a `.pyi` without a docstring; "" stands for the file itself."""
    return tuple(_bare(tree_of(promise.text), ""))


def unpromised(promise: Contract, found: Surface) -> tuple[str, ...]:
    """The public functions, classes and methods that a source text defines beyond its contract."""
    return tuple(_beyond(promise.surface, found, ""))


def _bare(node: ast.Module | ast.ClassDef | Def, name: str) -> Iterator[str]:
    if ast.get_docstring(node) is None:
        yield name
    if isinstance(node, (ast.Module, ast.ClassDef)):
        for inner in node.body:
            if isinstance(inner, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from _bare(inner, f"{name}.{inner.name}".lstrip("."))


def _beyond(promised: Surface, found: Surface, prefix: str) -> Iterator[str]:
    for name, each in found.items():
        if name.startswith("_") or not isinstance(each, (Class, Function)):
            continue
        there = promised.get(name)
        if there is None:
            yield prefix + name
        elif isinstance(each, Class) and isinstance(there, Class):
            yield from _beyond(there.members, each.members, f"{prefix}{name}.")
