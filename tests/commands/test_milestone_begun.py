"""A milestone in other commands: started, named, and told of by `ol status`."""

from __future__ import annotations

import pytest

from ol.commands.milestone import Options, milestone
from ol.commands.start_milestone import start_milestone
from ol.commands.status import status
from ol.commands.steps.meant import milestone_meant, milestone_named, module_meant
from ol.domain.course import ModuleId
from ol.domain.errors import WrongRequest
from ol.domain.journal.entry import JournalState
from ol.domain.milestone.judged import Judgement
from tests.commands.milestone_world import (
    MS,
    SKELETON,
    FakeStage,
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


def test_what_start_says_to_type_next_finds_own_units_and_the_reference_s() -> None:
    lines = start_milestone(desk().ports(), MS).lines
    assert "next      PYTHONPATH=python:course/reference python -m tiny --help" in lines


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


def test_a_bare_command_after_the_start_of_a_milestone_asks_for_the_module() -> None:
    at = desk()
    at.workspace.started = {MS.id: None}
    assert module_meant(at.ports(), "a1").id == "A1"
    with pytest.raises(WrongRequest) as stopped:
        module_meant(at.ports(), None)
    assert (stopped.value.slug, stopped.value.next_step) == ("no-module", "Name the module: A1, say.")
    assert (
        stopped.value.message
        == "No course module was named, and MS-1, which was started last, is a milestone."
    )


def test_status_tells_of_a_milestone_and_of_its_run_when_it_was_started_last() -> None:
    at = desk()
    at.workspace.started = {MS.id: None}
    at.journal.states = {ModuleId("A1"): JournalState(ModuleId("A1"))}
    page = status(at.ports())
    (told,) = page.fields["milestones"]
    assert told == {"id": "MS-1", "title": "Heard", "state": "begun", "told": "", "waits_for": ["A1"]}
    assert "◐  MS-1   begun        Heard" in page.lines and "             waits for A1" in page.lines
    at.workspace.started = {MS.id: "all"}
    page = status(at.ports())
    assert page.fields["milestones"][0]["waits_for"] == [] and "next   ol milestone MS-1" in page.lines


@pytest.mark.parametrize("ref_deps", [None, "all"])
def test_a_milestone_that_passed_as_it_is_now_is_told_as_passed_and_no_longer_next(
    ref_deps: str | None,
) -> None:
    at = desk()
    at.workspace.started = {MS.id: ref_deps}
    at.journal.states = {ModuleId("A1"): JournalState(ModuleId("A1"))}
    milestone(at.ports(), FakeStage(), MS, Options(seed=7, smoke=True))
    assert status(at.ports()).fields["milestones"][0]["state"] == "begun"
    assert milestone(at.ports(), FakeStage(), MS, Options(seed=7)).passed
    page = status(at.ports())
    assert "●  MS-1   passed       Heard" in page.lines and "next   ol milestone MS-1" not in page.lines
    lent = "with A1 from the reference" if ref_deps else ""
    assert page.fields["milestones"][0] == {
        "id": "MS-1", "title": "Heard", "state": "passed", "told": lent, "waits_for": []
    }  # fmt: skip
    at.workspace.units["cli/say.py"] += "\n"
    assert status(at.ports()).fields["milestones"][0]["state"] == "begun"


def test_a_run_that_failed_is_no_pass() -> None:
    at = desk()
    at.journal.states = {ModuleId("A1"): JournalState(ModuleId("A1"))}
    far = FakeStage(judgements={"figure_loss": Judgement(9.0)})
    assert not milestone(at.ports(), far, MS, Options(seed=7)).passed
    assert status(at.ports()).fields["milestones"][0]["state"] == "begun"


def test_a_command_line_that_cannot_be_read_is_told_beside_its_milestone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = desk()
    at.journal.states = {ModuleId("A1"): JournalState(ModuleId("A1"))}

    def refused(milestone: ModuleId) -> tuple[str, ...]:
        raise WrongRequest("wrong-entry", "pyproject.toml is not TOML: line 1.")

    monkeypatch.setattr(at.workspace, "declared_entry", refused)
    page = status(at.ports())
    assert (
        page.lines[page.lines.index("◐  MS-1   unreadable   Heard") + 1].strip()
        == "pyproject.toml is not TOML: line 1."
    )


def test_status_of_a_milestone_that_is_not_begun() -> None:
    at = desk()
    at.workspace.units = {}
    page = status(at.ports())
    assert page.fields["milestones"][0]["waits_for"] == ["A1"] and "waits for A1" not in "".join(page.lines)
    assert (
        page.fields["milestones"][0]["state"] == "not started"
        and "○  MS-1   not started  Heard" in page.lines
    )
