"""A unit's text with one node of its tree replaced: the rest stays as it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from faults.operators import Operator


def faulty_texts(text: str, operators: Sequence[Operator]) -> Iterator[str]:
    """The whole text with each fault that the operators make of it, one at a time."""
    raw = text.encode("utf-8")  # columns of the tree count bytes
    starts = [0]
    for line in raw.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _nodes(ast.parse(text)):
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        for operator in operators:
            for other in operator(node):
                yield (raw[:first] + _written(other, node).encode("utf-8") + raw[last:]).decode("utf-8")


def _nodes(tree: ast.AST) -> Iterator[Any]:
    """Every node that has a place; not the parts of what is raised, which is a text, nor of an f-string, whose
    places are not told rightly before Python 3.12."""
    for child in ast.iter_child_nodes(tree):
        if hasattr(child, "lineno") and not isinstance(child, ast.JoinedStr):
            yield child
        if not isinstance(child, (ast.JoinedStr, ast.Raise)):
            yield from _nodes(child)


def _written(other: ast.AST, node: Any) -> str:
    """In the node's place: in brackets where what stands around it may bind it otherwise, lines indented."""
    told = ast.unparse(ast.fix_missing_locations(other))
    if isinstance(other, ast.stmt):
        return told.replace("\n", "\n" + " " * node.col_offset)
    plain = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.Slice)
    return told if isinstance(other, plain) else f"({told})"
