"""The data that came from elsewhere is what tests/data/PROVENANCE.md says, to the byte."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.course.chapter import table

DATA = Path(__file__).resolve().parents[1] / "data"
ROWS = {row[0]: row[1:] for row in table((DATA / "PROVENANCE.md").read_text(encoding="utf-8"))}


def test_every_file_is_accounted_for() -> None:
    assert sorted(ROWS) == sorted(path.name for path in DATA.iterdir() if path.name != "PROVENANCE.md")


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_file_is_the_one_whose_hash_was_noted(name: str) -> None:
    _, size, sha256, licence = ROWS[name]
    content = (DATA / name).read_bytes()
    assert (str(len(content)), hashlib.sha256(content).hexdigest()) == (size, sha256)
    assert licence
