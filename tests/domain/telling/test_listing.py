"""The line that a traceback names, as its file has it."""

from __future__ import annotations

import pytest

from ol.domain.telling.listing import Text


@pytest.mark.parametrize("between", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_lines_are_counted_as_python_counts_them(between: str) -> None:
    text = Text("python/tiny/a1.py", f"# a{between}b\nsecond()\n")
    assert (text.line(1), text.line(2), text.line(3), text.line(0)) == (f"# a{between}b", "second()", "", "")
