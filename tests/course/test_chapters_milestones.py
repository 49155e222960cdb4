"""A chapter says of a milestone what is so: who builds what a milestone runs learns that it is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, chapter, flat, section, table

MILESTONES = sorted((COURSE / "milestones").glob("*.toml"))
RUN_BY = [(path.stem, module) for path in MILESTONES for module in read_toml(path)["needs"]]
PLANNED = re.compile(r"in this version|[Tt]o come|[Nn]ot part of this course|does not exist")


@pytest.mark.parametrize(("milestone", "module"), RUN_BY)
def test_a_module_that_a_milestone_needs_says_so_in_its_header_and_at_its_end(
    milestone: str, module: str
) -> None:
    text = chapter(module)
    header = {row[0]: row[1] for row in table(text)}
    assert f"the milestone {milestone} runs it" in header["Used by"]
    assert f"milestone {milestone}" in flat(section(text, "Where it is used next"))


@pytest.mark.parametrize("path", sorted((COURSE / "chapters").glob("*.md")), ids=lambda path: path.stem)
def test_no_chapter_calls_planned_what_is_there(path: Path) -> None:
    there = [each.stem for each in (COURSE / "chapters").glob("*.md")]
    for line in path.read_text(encoding="utf-8").splitlines():
        told = PLANNED.search(line)
        assert not told or not [name for name in there if name in line[told.start() :]], line
