"""A mean for a sum, a least for a greatest."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_PAIRS = (
    ("sum", "mean"),
    ("max", "min"),
    ("argmax", "argmin"),
    ("maximum", "minimum"),
    ("any", "all"),
    ("zeros_like", "ones_like"),
    ("zeros", "ones"),
    ("left", "right"),
)
_OTHER = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}


def reductions(node: ast.AST) -> Iterator[ast.AST]:
    """The other of a pair, as a method, as a function, and as a word (`side="right"`)."""
    if isinstance(node, ast.Attribute) and node.attr in _OTHER:
        yield ast.Attribute(node.value, _OTHER[node.attr], node.ctx)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OTHER:
        yield ast.Call(ast.Name(_OTHER[node.func.id], ast.Load()), node.args, node.keywords)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in _OTHER:
        yield ast.Constant(_OTHER[node.value])
