"""Operands the wrong way round, and a product by element for a product of matrices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_ORDERED = (ast.MatMult, ast.Sub, ast.Div, ast.Mod, ast.FloorDiv, ast.Pow)


def products(node: ast.AST) -> Iterator[ast.AST]:
    """`a @ b` → `b @ a`, `a * b`; `a - b` → `b - a`, and so on."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _ORDERED):
        yield ast.BinOp(node.right, node.op, node.left)
        if isinstance(node.op, ast.MatMult):
            yield ast.BinOp(node.left, ast.Mult(), node.right)
