"""A reduced axis kept, or dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from faults.operators.keyword import keyword_of, with_keyword


def keepdims(node: ast.AST) -> Iterator[ast.AST]:
    """`keepdims=True` ↔ `keepdims=False`, `keepdims=k` → `keepdims=not k`."""
    value = keyword_of(node, "keepdims")
    if value is not None and isinstance(node, ast.Call):
        known = isinstance(value, ast.Constant)
        other = ast.Constant(not value.value) if known else ast.UnaryOp(ast.Not(), value)  # type: ignore[attr-defined]
        yield with_keyword(node, "keepdims", other)
