"""A hand-in graded with a course elsewhere that holds nothing: by the instructor's guide that is exit 3."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.student import ROOT, TINY, Student, begun

GUIDE = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")


@pytest.fixture
def blank(tmp_path: Path) -> Student:
    return begun(tmp_path, TINY, tiny=True)


def test_a_blank_hand_in_is_no_workspace_until_its_folder_is_made_and_then_not_started(
    blank: Student,
) -> None:
    told = blank.ol("check", "A1", "--replay")
    assert told.code == 2 and "[no-workspace]" in told.err
    (blank.root / "python" / blank.package).mkdir(parents=True)  # the `mkdir -p` of the guide
    told = blank.ol("check", "A1", "--replay")
    assert told.code == 3 and "[not-started]" in told.err
    assert GUIDE.count("mkdir -p python/tinyllm") == 3


def test_a_blank_hand_in_below_a_workspace_is_taken_for_that_one_until_its_folder_is_made(
    blank: Student,
) -> None:
    (blank.root / "python" / blank.package).mkdir(parents=True)
    source = TINY / "course" / "reference" / blank.package / blank.unit_name
    blank.unit.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    below = replace(blank, root=blank.root / "hand-in")
    below.root.mkdir()
    assert "not-started" not in below.ol("tests", "A1").err
    (below.root / "python" / blank.package).mkdir(parents=True)
    told = below.ol("tests", "A1")
    assert told.code == 3 and "[not-started]" in told.err
