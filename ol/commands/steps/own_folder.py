"""A student's own test folder: its files, and what to do where there is none."""

from __future__ import annotations

from ol.commands.steps.shown import shown
from ol.domain.course import CourseModule
from ol.domain.errors import NotReady
from ol.domain.file import File
from ol.ports import Ports


def own_files(ports: Ports, module: CourseModule) -> tuple[File, ...]:
    """NotReady where it holds no file."""
    if files := ports.workspace.tests(module):
        return files
    where = own_folder(ports, module)
    raise NotReady("no-tests", f"There are no tests of yours in {where} yet.", way_to_tests(module))


def way_to_tests(module: CourseModule) -> str:
    """How the first tests come there: handed out, or written by the student alone."""
    if module.given:
        return f"Run `ol start {module.id}`."
    return "Write one there if you like, in a file test_….py: this module asks for none."


def own_folder(ports: Ports, module: CourseModule) -> str:
    return shown(ports, ports.workspace.tests_path(module))
