"""docs/authors.md lists every wrong course with the proof and the message that its file asks for."""

from __future__ import annotations

import re

from tests.wrong import table, wrong

TEXT = table.PAGE.read_text(encoding="utf-8")


def test_the_table_is_what_the_files_say() -> None:
    assert table.page(TEXT) == TEXT, "write it by `python -m tests.wrong.table`"


def test_every_wrong_course_has_its_row() -> None:
    rows = re.findall(r"^\| \[[^]]+\]\(\.\./tests/courses/wrong/(\w+)\.toml\)", TEXT, re.MULTILINE)
    assert sorted(rows) == wrong.names()


def test_every_proof_has_a_course_that_it_catches() -> None:
    assert {wrong.read(name).fails[0] for name in wrong.names()} == set(wrong.proofs())
