"""docs/outside-checks.md names tests that exist, and every test file that asks an outsider."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.course.chapter import code_names, table

ROOT = Path(__file__).resolve().parents[2]
COURSE_TESTS = ROOT / "tests" / "course"
PAGE = (ROOT / "docs" / "outside-checks.md").read_text(encoding="utf-8")
CHECKS, DEPARTURES = table(PAGE), table(PAGE.partition("## Where we depart")[2])
NAMED = sorted({name for row in [*CHECKS, *DEPARTURES] for name in code_names(row[2])})
# The mark of torch, and the official package of safetensors.
OUTSIDERS = re.compile(r"^(pytestmark = |@)pytest\.mark\.torch$|^(import|from) safetensors", re.MULTILINE)


@pytest.mark.parametrize("name", NAMED)
def test_every_test_named_is_there(name: str) -> None:
    file, _, function = name.partition("::")
    tree = ast.parse((COURSE_TESTS / file).read_text(encoding="utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert function in functions if function else any(each.startswith("test_") for each in functions)


def test_every_row_names_a_test_and_says_against_what() -> None:
    assert len(CHECKS) >= 15 and len(DEPARTURES) >= 5
    for row in [*CHECKS, *DEPARTURES]:
        assert len(row) == 3 and all(row) and code_names(row[2])


def test_no_file_that_asks_an_outsider_is_left_out() -> None:
    """But the tests of the chapters: they hold a chapter's words against the reference."""
    files = set(COURSE_TESTS.glob("test_*.py")) - set(COURSE_TESTS.glob("test_chapter_*.py"))
    asking = {path.name for path in files if OUTSIDERS.search(path.read_text(encoding="utf-8"))}
    left_out = sorted(asking - {name.partition("::")[0] for name in NAMED})
    assert left_out == [], "add a row to docs/outside-checks.md for each"


def test_every_departure_tested_is_told() -> None:
    tree = ast.parse((COURSE_TESTS / "test_departures_torch.py").read_text(encoding="utf-8"))
    tested = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    told = [code_names(row[2])[0].partition("::")[2] for row in DEPARTURES]
    assert told == [name for name in tested if name.startswith("test_")]


def test_the_readme_leads_here() -> None:
    assert "(docs/outside-checks.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
