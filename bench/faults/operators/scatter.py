"""A place that was read twice keeps its last gradient only: assigned where it is to be added."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from faults.operators.keyword import keyword_of


def scatter(node: ast.AST) -> Iterator[ast.AST]:
    """`np.add.at(a, i, v)` → `a[i] = v`; bincount and reduceat likewise."""
    if isinstance(node, ast.Expr) and _function(node.value) == "np.add.at":
        array, index, values = map(ast.unparse, node.value.args)  # type: ignore[attr-defined]
        yield ast.parse(f"{array}[{index}] = {values}").body[0]
    if isinstance(node, ast.Call):
        function = _function(node)
        if function == "np.add.reduceat":
            values, starts = map(ast.unparse, node.args[:2])
            yield ast.parse(f"({values})[{starts}]", mode="eval").body
        weights, size = keyword_of(node, "weights"), keyword_of(node, "minlength")
        if function == "np.bincount" and weights is not None and size is not None:
            places, values, n = map(ast.unparse, (node.args[0], weights, size))
            assigned = f"(lambda out: (np.put(out, {places}, {values}), out)[1])(np.zeros({n}))"
            yield ast.parse(assigned, mode="eval").body


def _function(node: ast.expr) -> str:
    return ast.unparse(node.func) if isinstance(node, ast.Call) else ""
