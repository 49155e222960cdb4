"""A condition turned round, taken for granted, or half forgotten."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def conditions(node: ast.AST) -> Iterator[ast.AST]:
    """`if c` → `if not c`, `if True`, `if False`; `a and b` → `a`, `b`, `a or b`."""
    if isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
        yield from (node.body, node.orelse)
    if isinstance(node, ast.If):
        for test in (ast.UnaryOp(ast.Not(), node.test), ast.Constant(True), ast.Constant(False)):
            yield ast.If(test, node.body, node.orelse)
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        for place in range(len(node.values)):
            rest = [*node.values[:place], *node.values[place + 1 :]]
            yield ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0]
    if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
        yield from _unfiltered(node)


def _unfiltered(node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Iterator[ast.AST]:
    if any(each.ifs for each in node.generators):
        every = [ast.comprehension(each.target, each.iter, [], each.is_async) for each in node.generators]
        yield type(node)(node.elt, every)
