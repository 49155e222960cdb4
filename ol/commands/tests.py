"""`ol tests`: the course tests on the student's unit."""

from __future__ import annotations

from collections.abc import Sequence

from ol.commands.steps.blanks import unfilled
from ol.commands.steps.course_tests import course_tests_gate
from ol.commands.steps.sources import own_units, resolve
from ol.commands.steps.told_tests import Selection
from ol.commands.steps.untampered import untampered
from ol.domain.course import CourseModule
from ol.domain.errors import WrongRequest
from ol.domain.exit_code import ExitCode
from ol.domain.report import Page, Report
from ol.ports import Ports


def tests(
    ports: Ports,
    module: CourseModule,
    *,
    ref_deps: str | None = None,
    keyword: str = "",
    smoke: bool = False,
    show_all: bool = False,
) -> Report:
    """What passed and what did not, the detail of the first failure, and whether exactly the listed tests passed."""
    _graded(module)
    untampered(ports, module)
    resolved = resolve(ports, module, ref_deps)
    gate = course_tests_gate(ports, resolved, Selection(keyword, smoke), show_all)
    if gate.fields.get("of") == 0 and not gate.reasons:
        asked = f"-k {keyword!r}" if keyword else "--smoke"
        raise WrongRequest("nothing-selected", f"No course test of {module.id} matches {asked}.")
    return Report(
        "tests",
        module.id,
        (gate,),
        ports.catalog.course.version,
        ports.catalog.lock_hash,
        resolved.origin,
        (*resolved.notes, *unfilled(ports, module)),
        ports.runner.unconfined,
    )


def debug(
    ports: Ports, module: CourseModule, *, keyword: str = "", pdb: bool = True, arguments: Sequence[str] = ()
) -> Page:
    """Hand the terminal to pytest on the real files: cold, without limits, grading and recording nothing."""
    _graded(module)
    own_units(ports, module)
    given = [*(["--pdb"] if pdb else []), *(["-k", keyword] if keyword else []), *arguments]
    code = ports.foreground.pytest(given, [ports.catalog.root / "course" / "tests" / module.id])
    lines = ("Run in the foreground on your files as they are: nothing was graded or recorded.",)
    return Page("tests", lines, {"pytest": code}, ExitCode.PASSED if code == 0 else ExitCode.FAILED)


def _graded(module: CourseModule) -> None:
    if not module.graded:
        told = f"The course has no tests for {module.id} yet."
        raise WrongRequest(
            "no-course-tests", told, "Write tests of your own; `ol status` lists what is graded."
        )
