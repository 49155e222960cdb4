"""`ol demo` on the tiny course: the real commands, a real journal, and an end that is earned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ol.adapters.journal.files import JournalFiles
from ol.adapters.runner import SuiteRunner
from ol.adapters.workspace.files import WorkspaceFiles
from ol.adapters.workspace.settings import Settings
from ol.commands.demo import demo
from ol.domain.errors import WrongRequest
from ol.domain.exit_code import ExitCode
from ol.ports import Ports
from tests.commands.author_world import AuthorWorld
from tests.fakes import FakeProgress

EXEMPLARS, GIVEN = "course/exemplars/A1/test_calc.py", "course/given/A1/test_calc.py"
PASSED = "A1 PASSED — 5/5 course tests, journal complete, 5/5 mutants (1.00 ≥ 0.70), s01 killed"


@pytest.fixture
def world(tmp_path: Path, tiny_runner: SuiteRunner) -> AuthorWorld:
    return AuthorWorld.of("tiny", tmp_path / "course", tiny_runner)


def at_home(world: AuthorWorld) -> Ports:
    """A student's workspace of its own, beside the course."""
    home = world.root.parent / "home"
    home.mkdir()
    ports = world.ports
    workspace = WorkspaceFiles(home, ports.catalog.course, Settings(home / ".ol"))
    journal = JournalFiles(home / "journals", home / ".ol" / "journal")
    return replace(ports, workspace=workspace, journal=journal)


def test_the_session_ends_with_the_last_line_of_its_check(world: AuthorWorld) -> None:
    page = demo(at_home(world))
    assert page.exit_code is ExitCode.PASSED
    assert page.lines[-1] == f"{PASSED} [assisted: A0 from the reference]"
    assert page.fields == {"module": "A1", "passed": True}


def test_every_command_is_a_heading_and_given_tests_alone_do_not_pass(world: AuthorWorld) -> None:
    lines = demo(at_home(world)).lines
    typed = [line.removeprefix("$ ol ") for line in lines if line.startswith("$ ol ")]
    session = ["start A1 --ref-deps", *["tdd red A1", "tdd green A1", "mutate A1"] * 2, "check A1"]
    assert typed == session
    first, second = (line.strip() for line in lines if "mutants (" in line and line.startswith("    A1"))
    assert first == "A1 FAILED — 1/5 mutants (0.20 < 0.70), s01 killed"
    assert second == "A1 PASSED — 5/5 mutants (1.00 ≥ 0.70), s01 killed"


def test_every_exemplar_test_was_seen_red_before_its_green(world: AuthorWorld) -> None:
    ports = at_home(world)
    demo(ports)
    module = ports.catalog.course.module("A1")
    phases = [link.entry.phase.value for link in ports.journal.read(module.id).links]
    assert phases == ["red", "green", "red", "green"]
    red = ports.journal.read(module.id).links[2].entry
    assert len(red.collected) == 5
    assert all(function.failed for function in red.functions.values())


def test_its_steps_are_told_as_they_begin(world: AuthorWorld) -> None:
    told = FakeProgress()
    demo(replace(at_home(world), progress=told))
    assert told.told[:3] == ["demo: 11", "$ ol start A1 --ref-deps", "$ ol tdd red A1"]
    assert told.told[-1] == "end"
    assert len(told.told) == 13


def test_exemplars_that_fall_short_do_not_pass(world: AuthorWorld) -> None:
    text = world.read(EXEMPLARS)
    world.write(EXEMPLARS, text[: text.index("@pytest.mark.parametrize")])
    page = demo(at_home(world))
    assert page.exit_code is ExitCode.FAILED
    assert page.lines[-1].startswith("A1 FAILED — ")


def test_a_given_test_that_passes_on_the_stub_ends_the_session_there(world: AuthorWorld) -> None:
    world.write(GIVEN, "def test_nothing():\n    assert True\n")
    page = demo(at_home(world))
    assert page.exit_code is ExitCode.FAILED
    assert page.lines[-1].startswith("A1 FAILED — nothing recorded")
    assert "$ ol tdd green A1" not in page.lines


def test_a_course_without_exemplars_has_nothing_to_play(world: AuthorWorld) -> None:
    world.remove(EXEMPLARS)
    with pytest.raises(WrongRequest, match="exemplar"):
        demo(at_home(world))


def test_of_several_modules_the_one_that_builds_on_most_is_played(world: AuthorWorld) -> None:
    """A0 made a module with all that is asked for: the session is still A1's, which needs it."""
    folder = world.root / "course"
    for kind in ("tests", "exemplars"):
        (folder / kind / "A0").mkdir()
        world.write(f"course/{kind}/A0/test_num.py", "def test_it():\n    assert True\n")
    world.edit("course/modules/A0.toml", 'rung = "R0"', 'rung = "R3"')
    assert demo(at_home(world)).fields["module"] == "A1"
