"""A test file with some of its functions taken out, or others put in."""

from __future__ import annotations

import ast


def without(text: str, *names: str) -> str:
    """The text with these functions gone, decorators and all."""
    lines = text.splitlines(keepends=True)
    found = [
        node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and node.name in names
    ]
    assert {node.name for node in found} == set(names)
    for node in reversed(found):
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        del lines[first - 1 : node.end_lineno]
    return "".join(lines)


def one_more(body: str, decorator: str = "") -> str:
    """One more test, to be added to a file that has a function `model`."""
    lines = "".join(f"    {line}\n" for line in ("m = model()", *body.splitlines()))
    return f"\n\n{decorator}{decorator and chr(10)}def test_more():\n{lines}"
