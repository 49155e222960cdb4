"""A slice that begins or ends elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def bounds(node: ast.AST) -> Iterator[ast.AST]:
    """`x[a:b]` → `x[:b]`, `x[a:]`; a step is left out too."""
    if isinstance(node, ast.Slice):
        for part in ("lower", "upper", "step"):
            if getattr(node, part) is not None:
                kept = {name: getattr(node, name) for name in ("lower", "upper", "step") if name != part}
                yield ast.Slice(**kept)
