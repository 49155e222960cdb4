"""What is long to call is a value that lacks a name."""

from __future__ import annotations

import ast
from pathlib import Path

import ol.commands

MOST = 6


def test_no_function_of_a_command_takes_more_than_six_arguments_by_place() -> None:
    long = []
    for path in Path(ol.commands.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                named = [each.arg for each in (*node.args.posonlyargs, *node.args.args) if each.arg != "self"]
                long += [f"{path.name}: {node.name}"] * (len(named) > MOST)
    assert long == []
