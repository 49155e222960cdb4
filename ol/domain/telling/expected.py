"""Which exception a test waits for at the line where another one came: `with pytest.raises(ValueError):`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache

from ol.domain.code.surface import last_name
from ol.domain.code.syntax import tree_of
from ol.domain.suite import Frame
from ol.domain.telling.listing import Listing


def expected(frames: Sequence[Frame], listing: Listing) -> str:
    """`ValueError`, `KeyError or IndexError`; "" where the test waits for none there. The innermost counts."""
    for frame in reversed(frames):
        text = listing.text(frame) if listing.in_tests(frame) else None
        awaited = _awaited(text.text) if text is not None else ()
        if found := [kind for first, last, kind in awaited if first <= frame.line <= last]:
            return found[-1]
    return ""


@lru_cache(maxsize=64)  # many cases fail in one file
def _awaited(text: str) -> tuple[tuple[int, int, str], ...]:
    """Of every `with pytest.raises(…)`, outer ones first: the first and last line of its body, and the exception."""
    withs = [node for node in ast.walk(tree_of(text)) if isinstance(node, ast.With)]
    return tuple(
        (node.body[0].lineno, node.end_lineno or 0, told)
        for node in withs
        for item in node.items
        if (told := _told(item.context_expr))
    )


def _told(call: ast.expr) -> str:
    """The exceptions that a call of `raises` names; "" of any other call, and where a variable stands for them."""
    if not isinstance(call, ast.Call) or last_name(call) != "raises" or not call.args:
        return ""
    kinds = call.args[0].elts if isinstance(call.args[0], ast.Tuple) else [call.args[0]]
    names = [last_name(kind) for kind in kinds]
    return " or ".join(names) if all(name[:1].isupper() for name in names) else ""
