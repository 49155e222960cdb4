"""What a unit does, without what it says: two texts of one meaning differ in nothing that a test should catch."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import CodeType

LABEL = "op"  # a parameter of this name is only told in messages
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)

Places = Mapping[str, int]  # function -> at which place it takes a label


def labelled(texts: Iterable[str]) -> Places:
    """The functions of these units that take a label."""
    functions = (node for text in texts for node in ast.walk(ast.parse(text)))
    return {
        node.name: names.index(LABEL)
        for node in functions
        if isinstance(node, ast.FunctionDef) and LABEL in (names := [each.arg for each in node.args.args])
    }


def meaning(text: str, labels: Places) -> CodeType | None:
    """The compiled code without docstrings, type hints, texts of messages, labels and places; None for no code."""
    try:
        tree = _Bare(labels).visit(ast.parse(text))
        _drop_unread(tree)
        for node in ast.walk(tree):
            for place in ("lineno", "end_lineno"):
                setattr(node, place, 1)
            for place in ("col_offset", "end_col_offset"):
                setattr(node, place, 0)
        code: CodeType = compile(tree, "unit", "exec")
    except SyntaxError:
        return None
    return code


def _drop_unread(tree: ast.Module) -> None:
    """Take out names that only hints and messages mention, and those that only such names mention."""
    dropped = True
    while dropped:
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        read = {node.id for node in names if not isinstance(node.ctx, ast.Store)}
        dropped = False
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.FunctionDef, ast.If)):
                kept = [each for each in node.body if not _names_unread(each, read)]
                dropped |= len(kept) < len(node.body)
                node.body = kept or [ast.Pass()]


def _names_unread(node: ast.stmt, read: set[str]) -> bool:
    names = node.targets if isinstance(node, ast.Assign) else []
    return bool(names) and all(isinstance(each, ast.Name) and each.id not in read for each in names)


class _Bare(ast.NodeTransformer):
    def __init__(self, labels: Places) -> None:
        self._labels = labels

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        self._blank_default(node.args)
        if node.name == "__repr__":
            node.body = [ast.Pass()]
        return self.generic_visit(node)

    def _blank_default(self, arguments: ast.arguments) -> None:
        names = [each.arg for each in arguments.args]
        place = names.index(LABEL) - len(names) if LABEL in names else 0
        if place < 0 and len(arguments.defaults) >= -place:
            arguments.defaults[place] = ast.Constant("")

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return self.visit(ast.Assign([node.target], node.value))  # type: ignore[no-any-return]

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        if isinstance(node.exc, ast.Call):
            node.exc.args, node.exc.keywords = [], []
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        place = self._labels.get(name, len(node.args))
        if place < len(node.args):
            node.args[place:] = [ast.Constant(""), *node.args[place + 1 :]]
        elif name in self._labels and len(node.args) == place:
            node.args.append(ast.Constant(""))  # the default
        return self.generic_visit(node)
