"""An array changed in place where a new one is wanted, and the other way round; an old value forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def in_place(node: ast.AST) -> Iterator[ast.AST]:
    """`x += v` → `x = x + v`, `x = v`; `x = x + v` → `x += v`."""
    if isinstance(node, ast.AugAssign):
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        yield ast.Assign([node.target], ast.BinOp(read, node.op, node.value), lineno=node.lineno)
        yield ast.Assign([node.target], node.value, lineno=node.lineno)
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, value = node.targets[0], _bare(node.value)
        added = isinstance(value, ast.BinOp) and ast.unparse(value.left) == ast.unparse(target)
        if added and isinstance(target, (ast.Name, ast.Attribute, ast.Subscript)):
            yield ast.AugAssign(target, value.op, value.right)  # type: ignore[attr-defined]


def _bare(value: ast.expr) -> ast.expr:
    """What stands inside `np.asarray(…)`."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "np.asarray" and value.args:
        return value.args[0]
    return value
