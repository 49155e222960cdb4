"""A statement that is not there."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Whatever works by its effect: a call, a raise, a change in place, `break`. A name that is never made is
    too plain a fault."""
    if isinstance(node, (ast.Raise, ast.AugAssign, ast.Break, ast.Continue)) or _effect(node):
        yield ast.Pass()


def _effect(node: ast.AST) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Assign) and all(
        isinstance(each, (ast.Attribute, ast.Subscript)) for each in node.targets
    )
