"""Tests that are still empty: a name and a docstring, and nothing that could fail."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from ol.domain.code.identity import is_test_file
from ol.domain.code.stub import functions
from ol.domain.code.syntax import parsed_or_refused
from ol.domain.file import File

_NAMED = 3
_MARK = "pytest.mark."
_CALLED = ("setup", "teardown", "pytest_")  # by pytest, without being named


@dataclass(frozen=True, slots=True)
class Empty:
    """The names of the tests without a body, and how many test functions there are.

    `alone`: beside them the folder holds nothing that pytest would call, such as a fixture: nothing in it can fail.
    """

    names: tuple[str, ...]
    of: int
    alone: bool = False

    @property
    def told(self) -> str:
        """`3 of 12 tests are still empty: test_a, test_b, test_c`; "" where none is."""
        if not self.names:
            return ""
        named = ", ".join(self.names[:_NAMED])
        more = f" and {len(self.names) - _NAMED} more" if len(self.names) > _NAMED else ""
        are = "test is" if self.of == 1 else "tests are" if len(self.names) > 1 else "tests is"
        return f"{len(self.names)} of {self.of} {are} still empty: {named}{more}"


def empty_tests(files: Iterable[File]) -> Empty:
    """Of a test folder. WorkRefused for a Python file that is not UTF-8 or does not parse."""
    trees = {file.name: parsed_or_refused(file) for file in files if file.name.endswith(".py")}
    tests = [
        (name, function)
        for file, tree in trees.items()
        if is_test_file(file)
        for name, function in functions(tree)
        if is_test(name)
    ]
    names = tuple(name for name, function in tests if _is_empty(function))
    idle = all(_can_do_nothing(node) for tree in trees.values() for node in tree.body)
    return Empty(names, len(tests), alone=bool(names) and idle)


def is_test(name: str) -> bool:
    """`test_a`, or `TestX.test_a`, as pytest looks for them."""
    *classes, last = name.split(".")
    return last.startswith("test") and all(each.startswith("Test") for each in classes)


def _is_empty(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """It says nothing, and nothing is made of it."""
    return is_only_marked(function) and all(map(_says_nothing, function.body))


def is_only_marked(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A mark leaves a test as it is; another decorator may make anything of it."""
    return all(ast.unparse(each).startswith(_MARK) for each in function.decorator_list)


def _can_do_nothing(node: ast.stmt) -> bool:
    """An import, a value, an empty test, a function that pytest does not call by itself, or a class of such."""
    match node:
        case ast.Import() | ast.ImportFrom():
            return True
        case ast.Assign() | ast.AnnAssign():
            return not any(map(_makes_something, ast.walk(node)))
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            if any(map(_makes_something, ast.walk(node.args))):
                return False
            if is_test(name):
                return _is_empty(node)
            return not (node.decorator_list or name.lower().startswith(_CALLED))
        case ast.ClassDef(body=body):
            return all(map(_can_do_nothing, body))
    return _says_nothing(node)


def _makes_something(node: ast.AST) -> bool:
    """A call, which may do anything; or a name that pytest takes for a test's."""
    match node:
        case ast.Call():
            return True
        case ast.Name(id=name, ctx=ast.Store()):
            return name.lower().startswith(("test", *_CALLED))
    return False


def _says_nothing(statement: ast.stmt) -> bool:
    """A docstring or another constant, `...` too; `pass`; a return of nothing."""
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Return(value=None):
            return True
        case ast.Return(value=ast.Constant(value=None)):
            return True
    return False
