"""What a source text binds at its top level and in its classes, read from the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Function:
    """`signature` is how it is called, `(ids, batch_size=1024)`: annotations and self aside."""

    line: int
    signature: str
    kind: str = "function"  # or "async function", "property", "static method", "class method"


@dataclass(frozen=True, slots=True)
class Class:
    """`members`: inherited ones too, if the base stands in the same file; `sets`: what self is given."""

    line: int
    members: Mapping[str, Definition]
    sets: frozenset[str] = frozenset()

    @property
    def constructor(self) -> Definition | None:
        return self.members.get("__init__")


@dataclass(frozen=True, slots=True)
class Value:
    """A name bound by anything but `def` and `class`; `text` is None where no value can be read."""

    line: int
    text: str | None = None
    how: str = "an assignment"


Definition: TypeAlias = "Function | Class | Value"
Surface: TypeAlias = Mapping[str, Definition]
Def: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
_KINDS = {"staticmethod": "static method", "classmethod": "class method"}


def surface(tree: ast.Module) -> Surface:
    """Every name that the text binds, the last binding of each."""
    found: dict[str, Definition] = {}
    for statement in _statements(tree.body):
        found |= _bound(statement, found, method=False)
    return found


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """A body's statements in order, those inside if, try and with too."""
    for statement in body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            for field in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, field, []))
            for handler in getattr(statement, "handlers", []):
                yield from _statements(handler.body)


def _bound(statement: ast.stmt, so_far: Surface, method: bool) -> dict[str, Definition]:
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return {} if _is_rest_of(statement) else {statement.name: _function(statement, method)}
        case ast.ClassDef():
            return {statement.name: _class(statement, so_far)}
        case ast.Import() | ast.ImportFrom():
            names = [alias.asname or alias.name.split(".")[0] for alias in statement.names]
            return {name: Value(statement.lineno, how="an import") for name in names}
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            return {name: _value(statement, value, so_far)}
        case ast.Assign(targets=targets, value=value):
            whole = all(isinstance(target, ast.Name) for target in targets)
            bound = _value(statement, value if whole else None, so_far)
            return {
                node.id: bound for each in targets for node in ast.walk(each) if isinstance(node, ast.Name)
            }
    return {}


def _value(statement: ast.stmt, value: ast.expr | None, so_far: Surface) -> Definition:
    """An alias of something defined above, as in `__radd__ = __add__`, is what it names."""
    if isinstance(value, ast.Name) and isinstance(known := so_far.get(value.id), (Function, Class)):
        return known
    return Value(statement.lineno, _text(value) if value is not None else None)


def _is_rest_of(function: Def) -> bool:
    """A property's setter, or one of a function's overloads: the name is bound by another `def`."""
    return any(
        last_name(decorator) in ("setter", "deleter", "overload") for decorator in function.decorator_list
    )


def _function(node: Def, method: bool) -> Function:
    decorators = {last_name(decorator) for decorator in node.decorator_list}
    if method and decorators & {"property", "cached_property"}:
        return Function(node.lineno, "", "property")
    kind = next((told for name, told in _KINDS.items() if method and name in decorators), "function")
    if isinstance(node, ast.AsyncFunctionDef):
        kind = f"async {kind}"
    is_bound = method and "staticmethod" not in decorators
    return Function(node.lineno, _signature(node.args, is_bound), kind)


def _signature(arguments: ast.arguments, bound: bool) -> str:
    """The parameters as `ast.unparse` writes them: no annotations and, for a bound method, not its first."""

    def bare(argument: ast.arg) -> ast.arg:
        return ast.arg(arg=argument.arg)

    positional_only = [bare(each) for each in arguments.posonlyargs]
    positional = [bare(each) for each in arguments.args]
    if bound and (first := positional_only or positional):
        first.pop(0)
    plain = ast.arguments(
        posonlyargs=positional_only,
        args=positional,
        vararg=bare(arguments.vararg) if arguments.vararg else None,
        kwonlyargs=[bare(each) for each in arguments.kwonlyargs],
        kw_defaults=arguments.kw_defaults,
        kwarg=bare(arguments.kwarg) if arguments.kwarg else None,
        defaults=arguments.defaults,
    )
    return f"({_text(plain)})"


def _class(node: ast.ClassDef, so_far: Surface) -> Class:
    bases = [known for base in node.bases if isinstance(known := so_far.get(last_name(base)), Class)]
    inherited = {name: member for base in reversed(bases) for name, member in base.members.items()}
    own: dict[str, Definition] = {}
    for statement in _statements(node.body):
        own |= _bound(statement, own, method=True)
    if _makes_constructor(node) and "__init__" not in own:
        own["__init__"] = Function(node.lineno, _fields_signature(node))
    sets = _assigned_to_self(node).union(*(base.sets for base in bases))
    return Class(node.lineno, inherited | own, sets)


def _assigned_to_self(node: ast.ClassDef) -> frozenset[str]:
    attributes = (each for each in ast.walk(node) if isinstance(each, ast.Attribute))
    return frozenset(
        each.attr
        for each in attributes
        if isinstance(each.ctx, ast.Store) and isinstance(each.value, ast.Name)
    )


def _makes_constructor(node: ast.ClassDef) -> bool:
    """A dataclass or a named tuple: its fields are its constructor's parameters."""
    made_by = [*node.decorator_list, *node.bases]
    return any(last_name(each) in ("dataclass", "NamedTuple") for each in made_by)


def _fields_signature(node: ast.ClassDef) -> str:
    fields = [_field(each) for each in node.body if isinstance(each, ast.AnnAssign)]
    keyword_only = any("kw_only=True" in _text(decorator) for decorator in node.decorator_list)
    return f"({', '.join(['*'] * keyword_only + [field for field in fields if field])})"


def _field(node: ast.AnnAssign) -> str:
    """`name` or `name=default`; empty for what is no parameter."""
    value = _text(node.value) if node.value else ""
    if "ClassVar" in _text(node.annotation) or "init=False" in value:
        return ""
    return _text(node.target) + (f"={value}" if value else "")


def last_name(node: ast.expr) -> str:
    """The last name of `a.b.c`, `a.b.c(…)` or `a.b.c[…]`."""
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _text(node: ast.AST) -> str:
    """As Python writes it; what is nested too deeply to be written, or too long a number, equals nothing."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return "… nested too deeply"
    except ValueError:  # Python writes no more than 4300 digits
        return "… too long a number"
