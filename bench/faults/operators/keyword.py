"""A call with one of its keywords changed or dropped."""

from __future__ import annotations

import ast


def with_keyword(call: ast.Call, name: str, value: ast.expr | None) -> ast.Call:
    """The keyword's value replaced; None drops it."""
    kept = [each for each in call.keywords if each.arg != name]
    given = [] if value is None else [ast.keyword(name, value)]
    return ast.Call(call.func, call.args, [*kept, *given])


def keyword_of(node: ast.AST, name: str) -> ast.expr | None:
    """The value that a call gives to this keyword."""
    if not isinstance(node, ast.Call):
        return None
    return next((each.value for each in node.keywords if each.arg == name), None)
