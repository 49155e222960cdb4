"""A milestone in other commands: started, named, and told of by `ol status`."""

from __future__ import annotations

import pytest

from ol.commands.start_milestone import start_milestone
from ol.commands.status import status
from ol.commands.steps.meant import milestone_meant, milestone_named
from ol.domain.course import ModuleId
from ol.domain.errors import WrongRequest
from ol.domain.journal.entry import JournalState
from tests.commands.milestone_world import (
    MS,
    SKELETON,
    desk,
)
from tests.fakes import Desk


def test_start_writes_the_skeleton_once_and_remembers_the_reference() -> None:
    at = desk()
    path = at.workspace.unit_path("__main__.py")
    page = start_milestone(at.ports(), MS, ref_deps="failing")
    assert at.workspace.written[path] == SKELETON.encode()
    assert "written   python/tiny/__main__.py" in page.lines
    at.workspace.written[path] = b"mine"
    page = start_milestone(at.ports(), MS)
    assert at.workspace.written[path] == b"mine"
    assert "left      python/tiny/__main__.py, which was there" in page.lines
    assert any("--ref-deps=failing is remembered" in line for line in page.lines)


def test_start_of_a_milestone_has_no_unit_to_add_to_or_begin_again() -> None:
    with pytest.raises(WrongRequest) as stopped:
        start_milestone(desk().ports(), MS, renewing=True)
    assert stopped.value.slug == "milestone-option"


def test_the_milestone_is_the_one_named_the_last_started_or_the_only_one() -> None:
    at = desk()
    ports = at.ports()
    assert milestone_meant(ports, "ms-1") is milestone_meant(ports, None) is MS
    assert milestone_named(ports, "a1") is milestone_named(ports, None) is None
    for named, slug in (("a1", "is-a-module"), ("ms-2", "unknown-id")):
        with pytest.raises(WrongRequest) as stopped:
            milestone_meant(ports, named)
        assert stopped.value.slug == slug
    with pytest.raises(WrongRequest) as stopped:
        at.catalog.course.module("MS-1")
    assert stopped.value.slug == "is-a-milestone"
    with pytest.raises(WrongRequest, match=r"no course module MS-2") as stopped:
        at.catalog.course.module("MS-2")
    assert stopped.value.next_step == "Did you mean MS-1?"
    bare = Desk.of().ports()
    with pytest.raises(WrongRequest) as stopped:
        milestone_meant(bare, None)
    assert stopped.value.slug == "no-milestone"


def test_status_tells_of_a_milestone_and_of_its_run_when_it_was_started_last() -> None:
    at = desk()
    at.workspace.started = {MS.id: None}
    at.journal.states = {ModuleId("A1"): JournalState(ModuleId("A1"))}
    page = status(at.ports())
    (told,) = page.fields["milestones"]
    assert told == {"id": "MS-1", "title": "Heard", "state": "begun", "waits_for": ["A1"]}
    assert "◐  MS-1   begun        Heard" in page.lines and "             waits for A1" in page.lines
    at.workspace.started = {MS.id: "all"}
    page = status(at.ports())
    assert page.fields["milestones"][0]["waits_for"] == [] and "next   ol milestone MS-1" in page.lines


def test_status_of_a_milestone_that_is_not_begun() -> None:
    at = desk()
    at.workspace.units = {}
    page = status(at.ports())
    assert (
        page.fields["milestones"][0]["state"] == "not started"
        and "○  MS-1   not started  Heard" in page.lines
    )
