"""A command that stops with one sentence: what it said, and that it left everything as it was."""

from __future__ import annotations

import re

from tests.cli.student import Student, Told, tree


def refused(student: Student, *words: str, code: int, slug: str, says: str) -> Told:
    """On standard error, in a sentence with its next step and slug; no file is made, changed or gone."""
    before = tree(student.root)
    told = student.ol(*words)
    shown = f"{' '.join(words)}: exit {told.code}\n{told.out}{told.err}"
    assert (told.code, told.out) == (code, ""), shown
    sentence, *step, last = told.err.splitlines()
    assert re.fullmatch(r"ol: \S.*[.?!]", sentence), shown
    assert len(step) <= 1, shown
    assert last == f"    [{slug}]", shown
    assert says in told.err, shown
    after = tree(student.root)
    changed = [name for name in before | after if before.get(name) != after.get(name)]
    assert changed == [], f"{shown}\nchanged: {changed}"
    return told
