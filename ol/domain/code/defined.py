"""The functions of a course file that begin with a prefix, beside those that a manifest declares."""

from __future__ import annotations

import ast
from collections.abc import Collection

from ol.domain.code.syntax import tree_of
from ol.domain.file import File


def apart(file: File, prefix: str, declared: Collection[str]) -> tuple[str, str]:
    """By full name: the first that is declared and not defined, and the first of the other way; empty for none."""
    names = {node.name for node in tree_of(file.text()).body if isinstance(node, ast.FunctionDef)}
    defined = {name for name in names if name.startswith(prefix)}
    return min({*declared} - defined, default=""), min(defined - {*declared}, default="")
