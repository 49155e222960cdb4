"""What the docstring of a course test says it catches, it was seen to catch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ol.adapters.course.files import CourseFiles
from ol.domain.course import CourseModule

FILES = CourseFiles(Path(__file__).parents[2])
MODULES = list(FILES.course.in_order())


def claims(module: CourseModule) -> Iterator[tuple[str, str]]:
    """(test, mutant) for each id in the sentence that begins with Catches."""
    for file in FILES.course_tests(module):
        for node in ast.walk(ast.parse(file.content)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                told = re.search(r"\bCatches\b(.*?)(\.\s|\.$|\Z)", ast.get_docstring(node) or "", re.DOTALL)
                yield from ((node.name, id) for id in re.findall(r"\bs\d\d\b", told[1] if told else ""))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.id)
def test_a_claim_to_catch_a_mutant_is_borne_out_by_the_matrix(module: CourseModule) -> None:
    caught = {
        (re.sub(r"\[.*", "", case).rsplit("::", 1)[-1], mutant)
        for mutant, marks in FILES.matrix(module).items()
        for case in marks
    }
    claimed = set(claims(module))
    assert claimed and claimed - caught == set()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.id)
def test_every_mutant_is_claimed_by_some_test(module: CourseModule) -> None:
    claimed = {id for _, id in claims(module)}
    assert {mutant.id for mutant in FILES.mutants(module) if not mutant.retired} - claimed == set()
