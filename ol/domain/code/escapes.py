"""Names that lead from a value to code, files, frames or the import system: not for student code."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ol.domain.code.finding import Finding

# fmt: off
_ANYWHERE = frozenset({
    "__base__", "__bases__", "__builtins__", "__cached__", "__closure__", "__code__", "__file__",
    "__getattribute__", "__globals__", "__loader__", "__mro__", "__self__", "__spec__", "__subclasses__",
    "__traceback__", "ag_frame", "co_code", "co_consts", "co_names", "cr_code", "cr_frame", "f_back",
    "f_builtins", "f_code", "f_globals", "f_locals", "gi_code", "gi_frame", "tb_frame", "tb_lineno",
    "tb_next",
})
_IN_TESTS = frozenset({"__dict__", "__module__", "importorskip", "rundocs", "runstring", "traceback"})
_CALLS = frozenset({"__import__", "compile", "eval", "exec"})  # by bare name: not `model.eval()`
_CALLS_IN_TESTS = frozenset({"globals", "locals", "vars"})
# fmt: on


def escapes(tree: ast.Module, in_tests: bool) -> Iterator[Finding]:
    """Every mention of such a name, spelled out in a string too."""
    names = _ANYWHERE | _IN_TESTS if in_tests else _ANYWHERE
    calls = _CALLS | _CALLS_IN_TESTS if in_tests else _CALLS
    asides = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings among them
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=word) if word in names:
                yield _finding(node.lineno, word)
            case ast.Name(id=word) if word in names | calls:
                yield _finding(node.lineno, word)
            case ast.ImportFrom(names=aliases):  # numpy carries __builtins__, and any module its __loader__
                yield from (
                    _finding(node.lineno, each.name) for each in aliases if each.name in names | calls
                )
            case ast.MatchClass(kwd_attrs=words):
                yield from (_finding(node.lineno, word) for word in words if word in names)
            case ast.Constant(value=str(text)) if "__" in text and node not in asides:
                spelled = (word for word in names if word.startswith("__") and word in text)
                yield from (_finding(node.lineno, word) for word in spelled)


def hooks(tree: ast.Module) -> Iterator[Finding]:
    """What would change how tests are collected, run or reported."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=word) if word.startswith("pytest_"):
                yield _hook(node.lineno, word)
            case ast.Assign(targets=[ast.Name(id="pytest_plugins" as word)]):
                yield _hook(node.lineno, word)


def _finding(line: int, word: str) -> Finding:
    told = f"{word} leads to code or into the interpreter, where student code may not go."
    return Finding(line, word, "forbidden-name", told, "Say what you need by calling contract names.")


def _hook(line: int, word: str) -> Finding:
    told = f"{word} would change how the tests are run."
    return Finding(line, word, "conftest-hook", told, "Keep fixtures in conftest.py, and no pytest hooks.")
