"""A parameter with another default."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy


def defaults(node: ast.AST) -> Iterator[ast.AST]:
    """A number and one more, True ↔ False."""
    if isinstance(node, ast.FunctionDef):
        for place, value in enumerate(node.args.defaults):
            other = _other(value)
            if other is not None:
                changed = deepcopy(node)
                changed.args.defaults[place] = other
                yield changed


def _other(value: ast.expr) -> ast.expr | None:
    if isinstance(value, ast.Constant) and isinstance(value.value, bool):
        return ast.Constant(not value.value)
    if isinstance(value, ast.UnaryOp) or (isinstance(value, ast.Constant) and isinstance(value.value, int)):
        return ast.BinOp(value, ast.Add(), ast.Constant(1))
    return None
