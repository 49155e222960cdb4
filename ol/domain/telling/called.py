"""Which functions of a unit a test calls by name: where to look when a value is wrong."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ol.domain.code.stub import functions
from ol.domain.code.surface import Def
from ol.domain.code.syntax import tree_of
from ol.domain.telling.listing import Text

_SHOWN = 4


def called(test: Text, line: int, unit: Text) -> str:
    """`python/tinyllm/lm/nplm.py: windows (line 31), NPLM.nll (line 80)`; "" where the test names none."""
    names = _mentioned(tree_of(test.text), line)
    known = {name: node.lineno for name, node in functions(tree_of(unit.text))}
    found = [name for name in known if _is_called(name, names)]
    found = found or [name for name in known if name in {f"{each}.__init__" for each in names}]
    told = ", ".join(f"{name} (line {known[name]})" for name in found[:_SHOWN])
    return f"{unit.path}: {told}" if told else ""


def _is_called(name: str, mentioned: set[str]) -> bool:
    """A method where both its class and itself are mentioned."""
    owner, _, own = name.rpartition(".")
    return own in mentioned and (not owner or owner in mentioned)


def _mentioned(tree: ast.Module, line: int) -> set[str]:
    """Names in the function that the line stands in, down to it, and in the functions of its file that these are."""
    known = {name.rsplit(".", 1)[-1]: node for name, node in functions(tree)}
    frontier = [node for node in known.values() if _holds(node, line)]
    reached = {node: _end_of_statement(node, line) for node in frontier}
    seen: set[Def] = set()
    names: set[str] = set()
    while frontier:
        function = frontier.pop()
        seen.add(function)
        words = set(_words(function, reached.get(function, function.end_lineno or 0)))
        names |= words
        frontier += [node for word, node in known.items() if word in words and node not in seen]
    return names


def _holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or 0)


def _end_of_statement(function: Def, line: int) -> int:
    """Of the simple statement on this line: what comes after it was not run."""
    simple = [node for node in ast.walk(function) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    return max((node.end_lineno or 0 for node in simple if _holds(node, line)), default=line)


def _words(function: Def, until: int) -> Iterator[str]:
    nodes = [node for node in ast.walk(function) if getattr(node, "lineno", 0) <= until]
    made = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    for each in nodes:
        if isinstance(each, ast.Call) and _is_made(each.func, made):
            yield from ("__call__", "forward")  # what a model does when it is called
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield each.attr
        elif isinstance(each, ast.arg):
            yield each.arg  # a fixture


def _is_made(called: ast.expr, made: set[str]) -> bool:
    """Whether what is called came of a call itself: `model(x)` after `model = …`, or `made()(x)`."""
    return isinstance(called, ast.Call) or (isinstance(called, ast.Name) and called.id in made)
