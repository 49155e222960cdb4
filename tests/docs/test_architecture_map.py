"""docs/architecture.md names every file of ol/, and no file that is not there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
OF_STUDENTS = {
    "journals/",
    "python/tinyllm/",
    "python/tests/",
    ".ol/",
}  # made by the commands, not there in a fresh clone
NAMED = set(re.findall(r"`([\w./-]+/[\w./-]*)`", MAP))


def test_every_path_of_the_map_is_there() -> None:
    assert NAMED
    assert sorted(path for path in NAMED if not (ROOT / path).exists() and path not in OF_STUDENTS) == []


def test_every_source_file_of_the_harness_is_on_the_map() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "ol").rglob("*.py")}
    told = {file for file in files if not file.endswith("__init__.py")}
    assert sorted(told - NAMED) == []


def test_every_top_level_folder_is_on_the_map() -> None:
    folders = {"ol/", "course/", "python/", "oracle/", "tests/", "docs/", "bench/"}
    assert folders <= NAMED
