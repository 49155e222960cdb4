"""What makes a test function, and a test folder, the same one: hashes that no formatter changes.

A test function is known by its node id and by a hash of everything but its name. The rest of a test file
is its tree without its test functions; a fixture, an inherited or an imported test belongs to the rest. Every
other Python file is one rest, and a file of another kind is known by its bytes.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, TypeAlias

from ol.domain.code.syntax import parsed_or_refused, tree_of
from ol.domain.file import File

_Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_MARKS = {"kind", "type_comment"}  # how a literal or a type was spelled, not what it is
_CLOSE = object()


@dataclass(frozen=True, slots=True)
class FolderIdentity:
    """`functions`: node id -> hash. `rests`: file -> hash of what is no test function in it."""

    functions: Mapping[str, str]
    rests: Mapping[str, str]

    def hash_of(self, id: str) -> str:
        """Of a test function that a run collected; "" where the folder has no such file.

        One that is not written in its file (inherited, imported, made in a loop) is as the file's rest.
        """
        if id in self.functions:
            return self.functions[id]
        file, _, name = id.partition("::")
        return _digest([self.rests[file], name]) if file in self.rests else ""


def identify(files: Iterable[File]) -> FolderIdentity:
    """Of a test folder. WorkRefused for a Python file that is not UTF-8 or does not parse."""
    functions: dict[str, str] = {}
    rests: dict[str, str] = {}
    for file in files:
        if not file.name.endswith(".py"):
            rests[file.name] = file.sha256
            continue
        tree = parsed_or_refused(file)
        found = _take_tests(tree, file.name) if is_test_file(file.name) else {}
        functions |= {id: _digest([_unnamed(node) for node in nodes]) for id, nodes in found.items()}
        rests[file.name] = _digest(tree)
    return FolderIdentity(functions, rests)


def code_hash(source: str) -> str:
    """Of a unit: all that a run can see of it, docstrings too. Text that does not parse is itself."""
    try:
        return _digest(tree_of(source), docstrings=True)
    except SyntaxError:
        return hashlib.sha256(source.encode("utf-8")).hexdigest()


def is_test_file(name: str) -> bool:
    """Whether pytest looks for tests in it."""
    stem = PurePosixPath(name).name
    return stem.endswith(".py") and (stem.startswith("test_") or stem.endswith("_test.py"))


def _take_tests(node: ast.Module | ast.ClassDef, prefix: str) -> dict[str, list[_Function]]:
    """Take the test functions out of a body, in place: what stays is the rest. A name used twice has two."""
    taken: dict[str, list[_Function]] = {}
    kept: list[ast.stmt] = []
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and _is_test(item):
            taken.setdefault(f"{prefix}::{item.name}", []).append(item)
            continue
        if isinstance(item, ast.ClassDef) and item.name.startswith("Test"):
            for id, nodes in _take_tests(item, f"{prefix}::{item.name}").items():
                taken.setdefault(id, []).extend(nodes)
        kept.append(item)
    node.body = kept
    return taken


def _is_test(function: _Function) -> bool:
    return function.name.startswith("test") and not any(is_fixture(mark) for mark in function.decorator_list)


def is_fixture(mark: ast.expr) -> bool:
    """Whether a decorator makes a fixture of a function."""
    if isinstance(mark, ast.Call):
        mark = mark.func
    return (isinstance(mark, ast.Attribute) and mark.attr == "fixture") or (
        isinstance(mark, ast.Name) and mark.id == "fixture"
    )


def _unnamed(function: _Function) -> list[Any]:
    """Its kind and every field but the name."""
    fields = [pair for pair in _fields(function, docstrings=False) if pair[0] != "name"]
    return [type(function).__name__, *fields]


def _digest(tree: Any, docstrings: bool = False) -> str:
    return hashlib.sha256("\n".join(_tokens(tree, docstrings)).encode("ascii")).hexdigest()


def _tokens(tree: Any, docstrings: bool) -> Iterator[str]:
    """The tree written out, parent before children; with a stack of its own, so that no depth is too deep."""
    pending: list[Any] = [tree]
    while pending:
        item = pending.pop()
        if item is _CLOSE:
            yield ")"
        elif isinstance(item, ast.AST):
            yield f"({type(item).__name__}"
            pending += [_CLOSE, *reversed(_fields(item, docstrings))]
        elif isinstance(item, (list, tuple)):
            yield "("
            pending += [_CLOSE, *reversed(item)]
        else:  # a name, a constant or None; hex has no limit of digits
            yield f"int {item:x}" if type(item) is int else ascii(item)


def _fields(node: ast.AST, docstrings: bool) -> list[tuple[str, Any]]:
    """Field names and values, by name; a field is skipped when empty, for only some Pythons have it then."""
    found = {name: _kept(node, name, value, docstrings) for name, value in ast.iter_fields(node)}
    return [(name, found[name]) for name in sorted(found.keys() - _MARKS) if found[name] not in (None, [])]


def _kept(node: ast.AST, name: str, value: Any, docstrings: bool) -> Any:
    if name == "body" and isinstance(node, _DOCUMENTED) and not docstrings:
        return value[1:] if ast.get_docstring(node, clean=False) is not None else value
    if isinstance(node, ast.JoinedStr):  # 3.12 ends a nested format with an empty constant
        return [part for part in value if not (isinstance(part, ast.Constant) and part.value == "")]
    return value
