"""A neutral variant: the same code under other local names. A test that tells it apart looks at the text.

Renamed are the locals of functions, by `symtable`, and of them only names whose every mention is a plain name
in the function's own scope: never parameters, imports, globals, nonlocals, names that an inner scope or an
f-string mentions (`{x=}` prints its own text), nor anything in a function that calls locals, vars, dir, eval
or exec. The new names are spliced in by span, so that everything else stays as it is, to the byte.
"""

from __future__ import annotations

import ast
import random
import string
import symtable
from collections.abc import Iterable, Iterator

from ol.domain.code.surface import Def
from ol.domain.code.syntax import tree_of

_LOOKS_AT_NAMES = frozenset({"locals", "vars", "dir", "eval", "exec"})
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def neutral(source: str, seed: int) -> str:
    """The source with its functions' locals renamed; the same seed gives the same names."""
    tree = tree_of(source)
    fresh = _fresh_names(source, seed)
    tables = _function_tables(symtable.symtable(source, "unit", "exec"))
    renamed: list[tuple[ast.Name, str]] = []
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            here = [table for table in tables if _place(table) == (function.name, function.lineno)]
            renamed += _renamings(function, here[0], fresh) if len(here) == 1 else []
    return _spliced(source, renamed)


def _renamings(
    function: Def, table: symtable.SymbolTable, fresh: Iterator[str]
) -> list[tuple[ast.Name, str]]:
    if any(isinstance(node, ast.Name) and node.id in _LOOKS_AT_NAMES for node in ast.walk(function)):
        return []
    mentions = list(_own_names(function.body))
    hidden = set(_hidden_names(function))
    names = {name for name in _plain_locals(table) if name not in hidden}
    new = {name: next(fresh) for name in dict.fromkeys(mention.id for mention in mentions) if name in names}
    return [(mention, new[mention.id]) for mention in mentions if mention.id in new]


def _plain_locals(table: symtable.SymbolTable) -> Iterator[str]:
    for symbol in table.get_symbols():
        bound_elsewhere = symbol.is_parameter() or symbol.is_imported() or symbol.is_namespace()
        mangled = symbol.get_name().startswith("__")
        if symbol.is_local() and symbol.is_assigned() and not (bound_elsewhere or mangled):
            yield symbol.get_name()


def _own_names(nodes: Iterable[ast.AST]) -> Iterator[ast.Name]:
    """Plain names read and written in the function's own scope, f-strings aside."""
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node
        elif not isinstance(node, ast.JoinedStr):
            yield from _own_names(_own_children(node))


def _own_children(node: ast.AST) -> Iterator[ast.AST]:
    """The children that run in the scope that the node stands in."""
    if isinstance(node, _COMPREHENSIONS):
        yield node.generators[0].iter
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield from (*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d))
    elif isinstance(node, ast.Lambda):
        yield from (*node.args.defaults, *(default for default in node.args.kw_defaults if default))
    elif isinstance(node, ast.ClassDef):
        yield from (*node.decorator_list, *node.bases, *node.keywords)
    else:
        yield from ast.iter_child_nodes(node)


def _hidden_names(function: Def) -> Iterator[str]:
    """Names mentioned where no plain name of the function's own scope stands: they are left alone."""
    seen = {id(name) for name in _own_names(function.body)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and id(node) not in seen:
            yield node.id
        yield from _names_as_text(node)


def _names_as_text(node: ast.AST) -> Iterator[str]:
    """`except E as name`, `case name`, `nonlocal name`: bound by a string in the tree."""
    for field in ("name", "rest", "names"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (each for each in value if isinstance(each, str))


def _function_tables(table: symtable.SymbolTable) -> list[symtable.SymbolTable]:
    own = [table] if table.get_type() == "function" else []
    return own + [inner for child in table.get_children() for inner in _function_tables(child)]


def _place(table: symtable.SymbolTable) -> tuple[str, int]:
    return table.get_name(), table.get_lineno()


def _fresh_names(source: str, seed: int) -> Iterator[str]:
    """Names that the source does not hold, by seed."""
    rng = random.Random(seed)
    while True:
        name = "v_" + "".join(rng.choice(string.ascii_lowercase) for _ in range(7))
        if name not in source:
            source += name  # given once
            yield name


def _spliced(source: str, renamed: Iterable[tuple[ast.Name, str]]) -> str:
    """Columns of the tree count bytes of UTF-8; the last name of a line goes first."""
    lines = [line.encode("utf-8") for line in source.split("\n")]
    for name, new in sorted(renamed, key=lambda pair: (pair[0].lineno, pair[0].col_offset), reverse=True):
        line = lines[name.lineno - 1]
        lines[name.lineno - 1] = line[: name.col_offset] + new.encode() + line[name.end_col_offset :]
    return b"\n".join(lines).decode("utf-8")
