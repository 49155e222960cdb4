"""Plain `pytest` and an editor's test explorer run on the units in this folder, or stop and say why."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import pytest

toml: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")  # pytest needs tomli too
Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))


def pytest_configure(config: pytest.Config) -> None:
    """The package of this folder must be a namespace package, and no other may stand in its way."""
    for folder in HERE.iterdir():
        if folder.is_dir() and folder.name.isidentifier() and folder.name != "tests":
            _stop_unless_namespace(folder.name)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> None:
    """A module's tests run on its units in this folder: not on the reference, where one of them is gone."""
    if not file_path.is_relative_to(HERE / "tests"):
        return
    slug = file_path.relative_to(HERE / "tests").parts[0]
    for package, unit in _units().get(slug, ()):
        if not (HERE / package / unit).is_file():
            _stop(f"python/{package}/{unit} is not there, so its tests would not run on it: see `ol start`.")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """A test that names a blank fails by a sentence, before it compares anything with `...`; so does an empty one."""
    if isinstance(item, pytest.Function) and hasattr(item.function, "__code__"):
        if item.function.__qualname__ in _empty_tests(item.path):
            told = f"{item.originalname} in {item.path.name} is still empty: write what shows what it says."
            pytest.fail(told, pytrace=False)
        bound = vars(item.module)
        for name in item.function.__code__.co_names:
            if name.isupper() and bound.get(name) is ...:
                told = (
                    f"{name} in {item.path.name} is not filled yet: work it out by hand, and write it there."
                )
                pytest.fail(told, pytrace=False)


@cache
def _empty_tests(path: Path) -> frozenset[str]:
    """By qualified name: a docstring and marks at most, so that nothing in them could fail."""
    found = dict(_functions(ast.parse(path.read_bytes()).body))
    return frozenset(name for name, node in found.items() if _is_empty(node))


def _functions(body: list[ast.stmt], within: str = "") -> Iterator[tuple[str, Function]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{within}{node.name}.")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield f"{within}{node.name}", node


def _is_empty(function: Function) -> bool:
    marked = all(ast.unparse(each).startswith("pytest.mark.") for each in function.decorator_list)
    return marked and all(map(_says_nothing, function.body))


def _says_nothing(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Return):
        return value is None or (isinstance(value, ast.Constant) and value.value is None)
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(value, ast.Constant)
    )


def _stop_unless_namespace(package: str) -> None:
    found = find_spec(package)
    if found is None or found.origin is None:
        return
    if HERE in Path(found.origin).parents:
        _stop(
            f"Delete python/{package}/__init__.py: {package} is shared with the course, a namespace package."
        )
    _stop(f"Uninstall the other {package}, in {Path(found.origin).parent}: your tests would run on it.")


def _stop(sentence: str) -> None:
    pytest.exit(sentence, returncode=4)


@lru_cache(maxsize=1)
def _units() -> dict[str, list[tuple[str, str]]]:
    """(package, unit) pairs by the slug of their test folder; none where the course lies elsewhere."""
    course = HERE.parent / "course"
    if not (course / "course.toml").is_file():
        return {}
    package = _toml(course / "course.toml")["package"]
    return {each["slug"]: [(package, unit) for unit in each["units"]] for each in _manifests(course)}


def _manifests(course: Path) -> Iterator[dict[str, Any]]:
    for path in sorted((course / "modules").glob("*.toml")):
        yield _toml(path)


def _toml(path: Path) -> dict[str, Any]:
    table: dict[str, Any] = toml.loads(path.read_text(encoding="utf-8"))
    return table
