"""Which files are a student's command line, and when it is none."""

from __future__ import annotations

import pytest

from ol.commands.milestone import Options, milestone
from ol.domain.errors import NotReady
from ol.domain.report import Report
from tests.commands.milestone_world import (
    MS,
    SKELETON,
    FakeStage,
    desk,
)
from tests.fakes import Desk

SEVEN = Options(seed=7)


def played(at: Desk, stage: FakeStage, options: Options = SEVEN) -> Report:
    return milestone(at.ports(), stage, MS, options)


def test_a_command_line_that_is_not_there_is_not_started() -> None:
    at = desk()
    del at.workspace.units["__main__.py"]
    with pytest.raises(NotReady) as stopped:
        played(at, FakeStage())
    assert (stopped.value.slug, stopped.value.next_step) == ("not-started", "Run `ol start MS-1`.")


def test_a_skeleton_is_no_command_line() -> None:
    at = desk()
    at.workspace.units["__main__.py"] = SKELETON
    del at.workspace.units["cli/say.py"]
    with pytest.raises(NotReady) as stopped:
        played(at, FakeStage())
    assert stopped.value.slug == "entry-stub"


def test_the_workspace_may_name_other_files_of_its_command_line() -> None:
    at, stage = desk(), FakeStage()
    at.workspace.units["app/words.py"] = at.workspace.units.pop("cli/say.py")
    at.workspace.declared = ("app/",)
    report = played(at, stage)
    assert {"__main__.py", "app/words.py"} <= stage.lines[0].keys()
    assert report.notes[0] == "command line: app/, as pyproject.toml says"


def test_a_file_that_is_named_and_not_there_is_told() -> None:
    at = desk()
    at.workspace.declared = ("__main__.py", "app/")
    with pytest.raises(NotReady) as stopped:
        played(at, FakeStage())
    assert stopped.value.slug == "entry-missing" and "app/" in stopped.value.message
