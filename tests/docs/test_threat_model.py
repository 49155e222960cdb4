"""docs/threat-model.md lists every attack with the verdict that its file asks for, and tests that are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.attacks import attack, table

ROOT = Path(__file__).resolve().parents[2]
TEXT = table.PAGE.read_text(encoding="utf-8")
TESTS = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)
SPEC = 40  # section 11 names about as many, and ten more were asked for


def test_the_table_is_what_the_attack_files_say() -> None:
    assert table.page(TEXT) == TEXT, "write it by `python -m tests.attacks.table`"


def test_every_attack_has_its_row_and_every_row_its_attack() -> None:
    rows = re.findall(r"^\| \[([\w/]+)\]\(\.\./tests/courses/attacks/[\w/]+\.toml\)", TEXT, re.MULTILINE)
    assert rows == attack.names()
    assert len(rows) > SPEC + 10


@pytest.mark.parametrize(("path", "name"), TESTS)
def test_every_test_that_is_named_is_there(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_row_of_the_second_table_names_a_test() -> None:
    rows = TEXT.partition("## Held elsewhere")[2].count("\n| ") - 1  # less its head
    assert rows == len(TESTS) - 1  # the first is the one of all attacks
