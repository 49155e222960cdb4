"""What looks like a test and shows nothing: pytest passes its file or class over, or it returns and asserts nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from ol.domain.code.empty import is_only_marked, is_test
from ol.domain.code.identity import is_fixture, is_test_file
from ol.domain.code.stub import functions
from ol.domain.code.syntax import parsed
from ol.domain.errors import WorkRefused
from ol.domain.file import File

_NAMED = 3
_CONFTEST = "conftest.py"
_UNITTEST = "TestCase"  # pytest collects such a class under any name


def overlooked(place: str, files: Iterable[File]) -> Iterator[str]:
    """A remark each, without its stop; `place` is the folder as its owner knows it.

    A file that is no Python is not looked into: what runs the tests says so.
    """
    trees = {file.name: tree for file in files if (tree := _tree(file)) is not None}
    yield from _unseen([f"{place}/{name}" for name in trees if _is_unseen(name, trees[name])])
    for name, tree in trees.items():
        if is_test_file(name):
            yield from (f"{place}/{name}: {told}" for told in (*_classes(tree), *_returning(tree)))


def named(names: Sequence[str]) -> str:
    """The first ones by name, the others by their number."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _is_unseen(name: str, tree: ast.Module) -> bool:
    return not is_test_file(name) and _holds_tests(tree)


def _unseen(paths: Sequence[str]) -> Iterator[str]:
    """A conftest keeps its name, so that its tests must leave it."""
    if misnamed := [path for path in paths if PurePosixPath(path).name != _CONFTEST]:
        are, it = ("is", "it") if len(misnamed) == 1 else ("are", "them")
        yield f"{named(misnamed)} {are} passed over, tests and all: test files are named test_*.py; rename {it}"
    for path in paths:
        if path not in misnamed:
            yield f"{path} holds tests, and they are passed over: move them to a file named test_*.py"


def _tree(file: File) -> ast.Module | None:
    try:
        found = parsed(file) if file.name.endswith(".py") else None
    except WorkRefused:
        return None
    return found if isinstance(found, ast.Module) else None


def _holds_tests(tree: ast.Module) -> bool:
    """Whether pytest would find a test in it under another name; a helper may well be called `testing`."""
    return any(is_test(name) and _is_named_test(function) for name, function in functions(tree))


def _classes(tree: ast.Module) -> Iterator[str]:
    """Those that hold tests and are not called Test…; one that another class is made of may be so."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    bases = {ast.unparse(base) for each in classes for base in each.bases}
    for each in classes:
        kept = any(isinstance(node, ast.FunctionDef) and _is_named_test(node) for node in each.body)
        unittest = any(ast.unparse(base).endswith(_UNITTEST) for base in each.bases)
        if kept and not (each.name.startswith("Test") or each.name in bases or unittest):
            yield f"class {each.name} is passed over, tests and all: such classes are named Test…; rename it"


def _returning(tree: ast.Module) -> Iterator[str]:
    found = [
        name
        for name, function in functions(tree)
        if is_test(name) and is_only_marked(function) and any(map(_returns_a_value, function.body))
    ]
    if found:
        returns = "returns" if len(found) == 1 else "return"
        yield f"{named(found)} {returns} a value that nobody looks at: write `assert` for `return`"


def _returns_a_value(node: ast.AST) -> bool:
    """Of the function itself, not of one that is written inside it."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    if isinstance(node, ast.Return):
        return not (node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None))
    return any(map(_returns_a_value, ast.iter_child_nodes(node)))


def _is_named_test(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return function.name.startswith("test_") and not any(map(is_fixture, function.decorator_list))
