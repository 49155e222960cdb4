"""A body that runs without its context, or without what was to follow it."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def contexts(node: ast.AST) -> Iterator[ast.AST]:
    """`with c:` → the body alone; `try … finally` → the body alone, and the body with the rest after it."""
    if isinstance(node, ast.With):
        yield _alone(node.body)
    if isinstance(node, ast.Try) and node.finalbody:
        yield _alone(node.body)
        yield _alone([*node.body, *node.finalbody])


def _alone(body: list[ast.stmt]) -> ast.If:
    return ast.If(ast.Constant(True), body, [])
