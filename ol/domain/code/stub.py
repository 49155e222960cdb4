"""The stub that `ol start` hands out, made from a contract, and how much of it a source text still is.

A stub is the contract's own text, in which every function that a student is to write raises. Constants and
imports stand in it as they are, and a Protocol, which only names what others must have, is given whole.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ol.domain.code.contract import Contract, missing
from ol.domain.code.surface import Def, last_name, surface
from ol.domain.code.syntax import lines_of, tree_of
from ol.domain.course import ModuleId

_ENDING = "is not written yet"
_FUTURE = "from __future__ import annotations"


@dataclass(frozen=True, slots=True)
class Progress:
    """The contract's functions that the stub asks for, and those of them that still raise as it does."""

    asked: tuple[str, ...]
    unwritten: tuple[str, ...]

    @property
    def is_stub(self) -> bool:
        """Whether nothing has been written yet."""
        return bool(self.asked) and self.unwritten == self.asked


@dataclass(frozen=True, slots=True)
class Lacking:
    """What `--missing` adds: `appended` for top-level names; a method's stub is for its author to paste."""

    names: tuple[str, ...]
    appended: str
    methods: Mapping[str, str]


def stub(promise: Contract, module: ModuleId) -> str:
    """The source text of a unit of which nothing is written yet."""
    content = promise.text.encode("utf-8")
    starts = _line_starts(content)
    for name, function in reversed(list(_to_write(tree_of(promise.text)))):
        raising = f'raise NotImplementedError("{module}: {name} {_ENDING}")'.encode()
        last = function.body[-1]
        begin = starts[last.lineno - 1] + last.col_offset
        end = starts[(last.end_lineno or last.lineno) - 1] + (last.end_col_offset or 0)
        if not _is_ellipsis(last):
            begin = end  # a docstring alone
        indent = b"\n" + b" " * (function.col_offset + 4)
        content = content[:begin].rstrip() + indent + raising + content[end:]
    return _with_future(content.decode("utf-8"))


def progress(promise: Contract, text: str) -> Progress:
    """How far a source text has come. SyntaxError when it does not parse."""
    asked = tuple(name for name, _ in _to_write(tree_of(promise.text)))
    raising = {name for name, function in functions(tree_of(text)) if _is_unwritten(function)}
    return Progress(asked, tuple(name for name in asked if name in raising))


def lacking(promise: Contract, module: ModuleId, text: str) -> Lacking:
    """Stubs for the contract names that a source text does not bind. SyntaxError when it does not parse."""
    found = surface(tree_of(text))
    names = missing(promise, found)
    whole = stub(promise, module)
    pieces = _pieces(whole)
    top = "\n\n\n".join(pieces[name] for name in names if "." not in name)
    imports = "\n".join(_imports_for(top, whole, bound=set(found)))
    appended = "\n\n\n".join(part for part in (imports, top) if part)
    return Lacking(names, appended, {name: pieces[name] for name in names if "." in name})


def functions(tree: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[tuple[str, Def]]:
    """Functions and methods with qualified names, in the text's order; none from inside functions."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")


def _to_write(tree: ast.Module) -> Iterator[tuple[str, Def]]:
    given = {node.name for node in tree.body if isinstance(node, ast.ClassDef) and _is_protocol(node)}
    return ((name, function) for name, function in functions(tree) if name.split(".")[0] not in given)


def _is_protocol(node: ast.ClassDef) -> bool:
    return any(last_name(base) == "Protocol" for base in node.bases)


def _is_ellipsis(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and statement.value.value is ...
    )


def _is_unwritten(function: Def) -> bool:
    """Raises as the stub does: a NotImplementedError that an author means, as in a base class, is not one."""
    match function.body[-1]:
        case ast.Raise(
            exc=ast.Call(func=ast.Name(id="NotImplementedError"), args=[ast.Constant(value=str(told))])
        ):
            return told.endswith(_ENDING)
    return False


def _line_starts(content: bytes) -> list[int]:
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _with_future(text: str) -> str:
    """With the import that lets an annotation name what comes later in the file."""
    if _FUTURE in text:
        return text
    first = tree_of(text).body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    cut = (first.end_lineno or 0) if is_docstring else 0
    lines = lines_of(text)
    return "\n".join([*lines[:cut], "", _FUTURE, *lines[cut:]]).lstrip("\n") + "\n"


def _pieces(text: str) -> dict[str, str]:
    """The lines of every top-level name and every method, decorators included."""
    lines, pieces = lines_of(text), {}
    tree = tree_of(text)
    named: list[tuple[str, ast.stmt]] = [*functions(tree)]
    for node in tree.body:
        match node:
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                named.append((name, node))
            case ast.Assign(targets=[ast.Name(id=name)]):
                named.append((name, node))
    for name, statement in named:
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
        pieces[name] = "\n".join(lines[first - 1 : statement.end_lineno])
    return pieces


def _imports_for(piece: str, whole: str, bound: set[str]) -> Iterator[str]:
    """The stub's imports that a piece of it needs and that the student's file does not make."""
    used = {node.id for node in ast.walk(tree_of(piece)) if isinstance(node, ast.Name)} - bound
    for node in tree_of(whole).body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        node.names = [alias for alias in node.names if (alias.asname or alias.name.split(".")[0]) in used]
        if node.names:
            yield ast.unparse(node)
