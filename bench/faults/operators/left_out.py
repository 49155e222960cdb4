"""A step left out: no copy, no cast, no transpose, no reshape, no broadcast, no sum over copies."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def left_out(node: ast.AST) -> Iterator[ast.AST]:
    """`f(x, …)` → `x`; `x.f(…)` → `x`, for what is no module; `x.T` → `x`; `np.array` → `np.asarray`."""
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value
    if not isinstance(node, ast.Call):
        return
    if node.args and not isinstance(node.args[0], ast.Starred):
        yield node.args[0]
    if isinstance(node.func, ast.Attribute):
        if ast.unparse(node.func) == "np.array":
            yield ast.Call(ast.Attribute(node.func.value, "asarray", ast.Load()), node.args, node.keywords)
        elif not ast.unparse(node.func.value).startswith(("np.", "math.")):
            yield node.func.value
