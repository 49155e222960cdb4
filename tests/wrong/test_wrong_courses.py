"""Every course under `tests/courses/wrong/` is caught by `ol verify`, in words that name the file and the cure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ol.adapters.course.files import CourseFiles
from ol.adapters.runner import SuiteRunner
from ol.domain.exit_code import ExitCode
from ol.domain.report import Verdict
from tests.commands.author_world import AuthorWorld
from tests.wrong import wrong

MakeCourse = Callable[[str], AuthorWorld]
PLANS = {name: wrong.read(name) for name in wrong.names()}


@pytest.fixture(scope="module")
def runners() -> Iterator[dict[str, SuiteRunner]]:
    """One a package: a course of its own has one of its own."""
    sound = {plan.course for plan in PLANS.values()}
    packages = {CourseFiles(wrong.COURSES / course).course.package for course in sound}
    made = {package: SuiteRunner(package) for package in packages}
    yield made
    for runner in made.values():
        runner.close()


@pytest.fixture
def copy(runners: dict[str, SuiteRunner], tmp_path: Path) -> MakeCourse:
    def made(course: str) -> AuthorWorld:
        package = CourseFiles(wrong.COURSES / course).course.package
        return AuthorWorld.of(course, tmp_path / course, runners[package])

    return made


@pytest.mark.parametrize("course", sorted({plan.course for plan in PLANS.values()}))
def test_the_course_that_is_edited_is_sound(course: str, copy: MakeCourse) -> None:
    """So that what is caught below is the edit."""
    report = copy(course).verify()
    assert report.exit_code is ExitCode.PASSED
    assert "PROVED" in report.last_line


@pytest.mark.parametrize("name", PLANS)
def test_wrong_course(name: str, copy: MakeCourse) -> None:
    plan = PLANS[name]
    world = copy(plan.course)
    if plan.locked:
        assert world.verify(lock=True).passed
    for edit in plan.edit:
        edit.apply(world.root)
    report = world.verify(plan.prove)
    failed = {gate.gate: gate for gate in report.gates if gate.verdict is Verdict.FAILED}
    told = [reason for gate in failed.values() for reason in gate.reasons]
    assert report.exit_code is ExitCode.COURSE_WRONG, told
    assert set(failed) == set(plan.fails), told
    (reason, *_) = [each for each in failed[plan.fails[0]].reasons if each.slug == plan.slug] or told
    assert reason.slug == plan.slug, told
    assert plan.file in reason.text and plan.says in reason.text, reason.text
    assert plan.cure and plan.cure in reason.next_step, reason.next_step
    assert all(each.text and each.next_step for each in told), told


def test_each_is_wrong_in_another_way() -> None:
    ways = [(plan.course, plan.edit) for plan in PLANS.values()]
    assert len(PLANS) >= 22
    assert all(ways.count(way) == 1 for way in ways)
