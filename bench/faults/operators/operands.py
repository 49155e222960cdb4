"""A term, a factor, a divisor, a sign or a power that is forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def operands(node: ast.AST) -> Iterator[ast.AST]:
    """`a / n` → `a`, `n`; `-x`, `not x` and `~x` → `x`."""
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    if isinstance(node, ast.UnaryOp):
        yield node.operand
