"""A witness: lines that assign `out`, which a mutant changes; run as a test that records it."""

from __future__ import annotations

import ast

from ol.domain.file import File
from ol.domain.suite import SuiteRun

_NAME = "out"


def witness_test(witness: str) -> File:
    """A test file that runs the lines and records `out`."""
    return File(
        "test_witness.py",
        (
            f"LINES = {witness!r}\n\n\n"
            "def test_witness(record_property):\n"
            "    names = {}\n"
            "    exec(LINES, names)\n"
            f"    record_property({_NAME!r}, repr(names['out']))\n"
        ).encode(),
    )


def witnessed(run: SuiteRun) -> str:
    """What `out` was, or what was raised instead; "" where the run gave neither."""
    for case in run.results:
        if text := dict(case.facts.properties).get(_NAME):
            return _plain(text)
        if case.facts.exception:
            return f"raises {case.facts.exception}: {case.facts.message}".rstrip(": ")
    return ""


def _plain(text: str) -> str:
    """A string's own words rather than its repr."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if isinstance(value, str) else text
