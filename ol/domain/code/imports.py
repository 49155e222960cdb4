"""What student code may import and touch: contract names, and the modules that the course allows.

Everything is found in the syntax tree, so this stops what is written plainly. What is computed at run time is
stopped elsewhere: wheats and neutral variants expose a test that reads code, and the child serves none.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches

from ol.domain.code.contract import Contract
from ol.domain.code.escapes import escapes, hooks
from ol.domain.code.finding import Finding
from ol.domain.code.private import private_names
from ol.domain.code.syntax import parsed
from ol.domain.course import ImportRules
from ol.domain.file import File
from ol.domain.report import Reason

_MISSPELT = 0.8  # how near a module's name must be to be meant: `nmpy` is numpy, `scipy` is not `copy`

# fmt: off
# Modules that other modules carry as attributes, as in `dataclasses.inspect` and `numpy.f2py`.
_CARRIED = frozenset({
    "ast", "builtins", "ctypes", "ctypeslib", "dis", "distutils", "f2py", "gc", "importlib", "inspect",
    "linecache", "runpy", "subprocess", "sys", "tokenize",
})
# fmt: on


@dataclass(frozen=True, slots=True)
class _Allowed:
    """`contracts` is keyed by dotted unit name; `siblings`: the modules of a test folder, none for units."""

    package: str
    contracts: Mapping[str, Contract]
    modules: frozenset[str]
    siblings: frozenset[str] = frozenset()

    @property
    def who(self) -> str:
        return "a test" if self.siblings else "a unit"


def forbidden_in_units(
    files: Sequence[File], rules: ImportRules, package: str, contracts: Mapping[str, Contract]
) -> tuple[Reason, ...]:
    """Where the units of one module use what they may not. `contracts`: its closure's, by dotted name."""
    allowed = _Allowed(package, contracts, frozenset({*rules.third_party, *rules.standard}))
    return _forbidden(files, allowed)


def forbidden_in_tests(
    files: Sequence[File], rules: ImportRules, package: str, contracts: Mapping[str, Contract]
) -> tuple[Reason, ...]:
    """Where a test folder uses what it may not. `files`: the whole folder, of which only .py is read."""
    modules = frozenset({*rules.third_party, *rules.standard, *rules.tests_only})
    siblings = frozenset(file.name.split("/")[0].removesuffix(".py") for file in files)
    return _forbidden(files, _Allowed(package, contracts, modules, siblings))


def _forbidden(files: Sequence[File], allowed: _Allowed) -> tuple[Reason, ...]:
    read = {file.name: parsed(file) for file in files if file.name.endswith(".py")}
    trees = {name: tree for name, tree in read.items() if isinstance(tree, ast.Module)}
    private = private_names(trees)
    reasons = [tree for tree in read.values() if isinstance(tree, Reason)]
    for name, tree in trees.items():
        found: dict[tuple[int, str], Finding] = {}
        for finding in (*_findings(tree, allowed), *private[name]):
            found.setdefault((finding.line, finding.word), finding)
        reasons += [found[place].reason(name) for place in sorted(found)]
    return tuple(reasons)


def _findings(tree: ast.Module, allowed: _Allowed) -> Iterator[Finding]:
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    wrong = [finding for node in imports for finding in _of_statement(node, allowed)]
    yield from wrong
    yield from _of_uses(tree, imports, {finding.word for finding in wrong}, allowed)
    yield from escapes(tree, in_tests=bool(allowed.siblings))
    if allowed.siblings:
        yield from hooks(tree)


def _of_statement(node: ast.Import | ast.ImportFrom, allowed: _Allowed) -> Iterator[Finding]:
    if isinstance(node, ast.ImportFrom):
        yield from _of_import_from(node, allowed)
    else:
        for alias in node.names:
            yield from _of_import(node.lineno, alias.name, allowed)


def _of_uses(
    tree: ast.Module, imports: Sequence[ast.Import | ast.ImportFrom], told: Set[str], allowed: _Allowed
) -> Iterator[Finding]:
    """What the code does with what it imported. `told`: words refused where they are imported, which is enough."""
    aliases = {name: dotted for node in imports for name, dotted in _aliases(node, allowed)}
    for line, dotted in _uses(tree, aliases):
        if told.isdisjoint(dotted.split(".")):
            yield from _of_path(line, dotted, allowed)
    yield from (finding for finding in _of_carried(tree, allowed) if finding.word not in told)


def _of_import(line: int, module: str, allowed: _Allowed) -> Iterator[Finding]:
    top, *rest = module.split(".")
    if top == allowed.package:
        yield from _of_imported_path(line, module, allowed)
    elif top in allowed.siblings:
        yield _sibling(line, module)
    elif top not in allowed.modules:
        yield _not_allowed(line, top, allowed)
    else:
        yield from (_not_allowed(line, name, allowed) for name in rest if name in _CARRIED)


def _of_import_from(node: ast.ImportFrom, allowed: _Allowed) -> Iterator[Finding]:
    module, names = node.module or "", [alias.name for alias in node.names]
    if node.level:
        yield _relative(node.lineno, f".{module}", allowed)
    elif module.split(".")[0] != allowed.package:
        yield from _of_import(node.lineno, module, allowed)
        yield from (_not_allowed(node.lineno, name, allowed) for name in names if name in _CARRIED)
    elif "*" in names:
        told = f"`from {module} import *` hides what is used."
        yield Finding(node.lineno, module, "forbidden-import", told, "Name what you import.")
    else:
        for name in names:
            yield from _of_imported_path(node.lineno, f"{module}.{name}", allowed)


def _of_imported_path(line: int, dotted: str, allowed: _Allowed) -> Iterator[Finding]:
    """A package on the way to a unit, a unit, or a contract name of one."""
    if not any(f"{unit}.".startswith(f"{dotted}.") for unit in allowed.contracts):
        yield from _of_path(line, dotted, allowed)


def _of_path(line: int, dotted: str, allowed: _Allowed) -> Iterator[Finding]:
    """A path that the code uses must go through a unit to a name of its contract."""
    unit = next((unit for unit in allowed.contracts if f"{dotted}.".startswith(f"{unit}.")), None)
    if unit is None:
        told, name = f"{dotted} is in no contract that this module needs.", dotted.rsplit(".", 1)[-1]
        yield Finding(line, name, "not-in-contract", told, _nearest(name, allowed.contracts))
    elif dotted == unit:
        told = f"The module {unit} is used as a whole; {allowed.who} may use its contract names."
        yield Finding(line, unit, "not-in-contract", told, f"Write `from {unit} import …`.")
    else:
        name = dotted.removeprefix(f"{unit}.").split(".")[0]
        if name not in allowed.contracts[unit].surface:
            told = f"{name} is not in the contract of {unit}."
            yield Finding(line, name, "not-in-contract", told, _nearest(name, allowed.contracts, unit))


def _aliases(node: ast.Import | ast.ImportFrom, allowed: _Allowed) -> Iterator[tuple[str, str]]:
    """Names bound to the package, a part of it, or a unit as a whole, with the path that each stands for."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            name, dotted = (alias.asname, alias.name) if alias.asname else (allowed.package, allowed.package)
            is_ours = alias.name.split(".")[0] == allowed.package
        else:
            module = node.module or ""
            name, dotted = alias.asname or alias.name, f"{module}.{alias.name}"
            is_ours = module.split(".")[0] == allowed.package and module not in allowed.contracts
        if is_ours:
            yield name, dotted


def _uses(tree: ast.Module, aliases: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Every longest dotted path that starts at one of these names."""
    inner: set[ast.AST] = set()
    for node in ast.walk(tree):  # which gives an outer attribute before the inner ones
        if node in inner or not isinstance(node, (ast.Attribute, ast.Name)):
            continue
        parts: list[str] = []
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            inner.add(root.value)
            parts.insert(0, root.attr)
            root = root.value
        if isinstance(root, ast.Name) and root.id in aliases:
            yield node.lineno, ".".join([aliases[root.id], *parts])


def _of_carried(tree: ast.Module, allowed: _Allowed) -> Iterator[Finding]:
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    own = {node.attr for node in attributes if isinstance(node.ctx, ast.Store)}
    for node in attributes:
        if node.attr in _CARRIED - own:
            yield _not_allowed(node.lineno, node.attr, allowed)


def _not_allowed(line: int, module: str, allowed: _Allowed) -> Finding:
    why = f"{allowed.who} is built from contract names and a few modules"
    if allowed.siblings and module in _CARRIED:
        why = "a test looks at what code does, not at how it is written or run"
    told = f"The course does not allow {module} in {allowed.who}: {why}."
    near = (
        [] if module in sys.stdlib_module_names else get_close_matches(module, allowed.modules, 1, _MISSPELT)
    )
    standard = sorted(allowed.modules & sys.stdlib_module_names)
    other = ", ".join(sorted(allowed.modules - sys.stdlib_module_names))
    if near:
        step = f"Did you mean {near[0]}?"
    elif module in sys.stdlib_module_names:
        step = f"Of the standard modules the course allows {', '.join(standard)}."
    else:
        step = f"Beside contract names and some standard modules you may import {other}."
    return Finding(line, module, "forbidden-import", told, step)


def _sibling(line: int, module: str) -> Finding:
    told = f"{module} is another file of this test folder, which a test cannot import."
    step = "Make what is shared a fixture in conftest.py, and take it as an argument of the test."
    return Finding(line, module, "sibling-import", told, step)


def _relative(line: int, module: str, allowed: _Allowed) -> Finding:
    if allowed.siblings:
        return _sibling(line, module)
    step = f"Write the whole name: `from {allowed.package}.… import …`."
    return Finding(line, module, "forbidden-import", f"The import of {module} is relative.", step)


def _nearest(name: str, contracts: Mapping[str, Contract], unit: str = "") -> str:
    """Where the name is promised, else the contract name that looks most like it."""
    homes = [dotted for dotted, each in contracts.items() if name in each.surface]
    if homes:
        return f"Write `from {homes[0]} import {name}`."
    names = list(_all_names([contracts[unit]] if unit else contracts.values()))
    near = get_close_matches(name, names, n=1)
    return (
        f"Did you mean {near[0]}?" if near else f"The contract has {', '.join(names[:12])}." if unit else ""
    )


def _all_names(contracts: Iterable[Contract]) -> Iterator[str]:
    for each in contracts:
        yield from each.names
