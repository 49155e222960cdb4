"""Where a test failed, as a word: two failures with one mark failed in one way at one place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from ol.domain.code.syntax import tree_of
from ol.domain.suite import CaseResult
from ol.domain.telling.listing import Listing, Text

_KNOWN = "KnownMistake"  # stands for the exception where the test knew the wrong values


def marks(cases: Iterable[CaseResult], listing: Listing) -> Mapping[str, str]:
    """The mark of each of these failing cases, by case id."""
    python = {path: text for path, text in listing.tests.items() if path.endswith(".py")}
    statements = {path: _statements(text) for path, text in python.items()}
    return {case.case_id: _mark(case, statements) for case in cases}


def _mark(case: CaseResult, statements: Mapping[str, Mapping[int, int]]) -> str:
    """`KnownMistake 147`: what was raised, and the statements of the test file that led there, outermost first."""
    inside = [frame for frame in case.facts.frames if frame.file.startswith("tests/")]
    lines = [
        statements.get(frame.file.removeprefix("tests/"), {}).get(frame.line, frame.line) for frame in inside
    ]
    raised = _KNOWN if case.facts.known_wrong else case.facts.exception.rsplit(".", 1)[-1]
    return " ".join([raised, *map(str, lines)])


def is_known(mark: str) -> bool:
    """Whether the values were those that the test knows to be wrong."""
    return mark.split(" ")[0] == _KNOWN


def _statements(text: Text) -> dict[int, int]:
    """Line -> first line of the innermost statement on it: Pythons differ in which line of a long one they name."""
    first: dict[int, int] = {}
    for node in ast.walk(tree_of(text.text)):  # breadth first: an inner statement comes after its outer one
        if isinstance(node, ast.stmt):
            first |= dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), node.lineno)
    return first
