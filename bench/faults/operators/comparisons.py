"""A comparison that holds at equality, or does not; and its opposite."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_OTHERS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}


def comparisons(node: ast.AST) -> Iterator[ast.AST]:
    """Each operator of a chain on its own: `>` → `>=` and `<=`, `==` → `!=`, and so on."""
    if isinstance(node, ast.Compare):
        for place, sign in enumerate(node.ops):
            for other in _OTHERS[type(sign)]:
                signs = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                yield ast.Compare(node.left, signs, node.comparators)
