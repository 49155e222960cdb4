"""The wrong axis: another one, or all of them; a new axis on the other side."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from faults.operators.keyword import keyword_of, with_keyword

_OTHER = {0: 1, 1: 0, -1: 0}


def axes(node: ast.AST) -> Iterator[ast.AST]:
    """`axis=0` ↔ `axis=1`, `axis=-1` → `axis=0`, no axis at all; `x[:, None]` ↔ `x[None, :]`."""
    axis = keyword_of(node, "axis")
    if axis is not None and isinstance(node, ast.Call):
        yield with_keyword(node, "axis", None)
        number = _number(axis)
        if number in _OTHER:
            yield with_keyword(node, "axis", ast.Constant(_OTHER[number]))
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
        one, other = node.slice.elts
        if any(isinstance(each, ast.Constant) and each.value is None for each in (one, other)):
            yield ast.Subscript(node.value, ast.Tuple([other, one], ast.Load()), node.ctx)


def _number(value: ast.expr) -> int | None:
    try:
        found = ast.literal_eval(value)
    except ValueError:
        return None
    return found if type(found) is int else None
