"""A dtype left to numpy, or half or twice as wide."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from faults.operators.keyword import keyword_of, with_keyword

_OTHER = {"float64": "float32", "float32": "float64", "int64": "int32", "intp": "int32"}


def dtypes(node: ast.AST) -> Iterator[ast.AST]:
    """`dtype=d` dropped; `np.float64` ↔ `np.float32`, `np.int64` → `np.int32`."""
    if keyword_of(node, "dtype") is not None and isinstance(node, ast.Call):
        yield with_keyword(node, "dtype", None)
    if isinstance(node, ast.Attribute) and node.attr in _OTHER:
        yield ast.Attribute(node.value, _OTHER[node.attr], node.ctx)
