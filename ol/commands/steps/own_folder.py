"""A student's own test folder: its files, what no run of them sees, and what to do where there is none."""

from __future__ import annotations

from collections.abc import Iterator

from ol.commands.steps.shown import shown
from ol.domain.code.overlooked import named, overlooked
from ol.domain.course import CourseModule
from ol.domain.errors import NotReady, WorkRefused
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


def never_run(ports: Ports, module: CourseModule) -> tuple[str, ...]:
    """Remarks on tests that no run sees, or that show nothing. A folder that cannot be taken is told elsewhere."""
    try:
        files = ports.workspace.tests(module)
    except WorkRefused:
        return ()
    return (*overlooked(own_folder(ports, module), files), *_loose(ports, module))


def _loose(ports: Ports, module: CourseModule) -> Iterator[str]:
    if names := ports.workspace.loose_tests():
        own = own_folder(ports, module)
        paths = named([f"{own.rpartition('/')[0]}/{name}" for name in names])
        yield f"never run, for no module's tests lie there: {paths}; those of {module.id} lie in {own}/"
