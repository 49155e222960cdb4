"""docs/instructors.md says what a change in mid-term costs, and names a test that shows it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.course.chapter import section, table

ROOT = Path(__file__).resolve().parents[2]
TOLD = section((ROOT / "docs/instructors.md").read_text(encoding="utf-8"), "Changing the course in mid-term")
ROWS = table(TOLD)


def test_every_change_has_its_cost_and_a_test() -> None:
    assert len(ROWS) > 7
    assert all(all(cell.strip() for cell in row) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_test_that_is_named_is_there(row: list[str]) -> None:
    found = re.fullmatch(r"`(tests/[\w/]+\.py)::(\w+)`", row[-1])
    assert found, row
    tree = ast.parse((ROOT / found[1]).read_text(encoding="utf-8"))
    assert found[2] in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
