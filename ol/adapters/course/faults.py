"""Everything that is wrong with a course as files: what `ol verify` asks before it runs anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ol.adapters.course.files import CourseFiles
from ol.domain.authoring import manifest
from ol.domain.code.contract import contract
from ol.domain.course import CourseModule, ModuleId
from ol.domain.errors import CourseWrong, WorkRefused
from ol.domain.grading import handed_out


def faults(files: CourseFiles) -> tuple[CourseWrong, ...]:
    """One error for each thing found wrong, in the modules' order; empty for a sound course."""
    return tuple(_raised(_checks(files)))


def _raised(checks: Iterator[Callable[[], object]]) -> Iterator[CourseWrong]:
    for check in checks:
        try:
            check()
        except CourseWrong as error:
            yield error


def _checks(files: CourseFiles) -> Iterator[Callable[[], object]]:
    for id in files.course.modules:
        manifest_is_right = partial(files.course.modules.__getitem__, id)
        yield manifest_is_right
        if not list(_raised(iter([manifest_is_right]))):
            yield from _of_module(files, manifest_is_right())
    yield lambda: list(files.course.in_order())
    for id in files.course.milestones:
        yield partial(_milestone, files, id)


def _of_module(files: CourseFiles, module: CourseModule) -> Iterator[Callable[[], object]]:
    for unit in module.units:
        yield partial(_contract, files, unit)
        yield partial(files.reference, unit)
    read = (files.course_tests, files.probes, files.answers, files.given, files.exemplars, files.wheats)
    yield from (partial(each, module) for each in read)
    yield partial(_handed_out, files, module)
    yield partial(_mutants, files, module)


def _milestone(files: CourseFiles, id: ModuleId) -> None:
    files.material(files.course.milestones[id])


def _contract(files: CourseFiles, unit: str) -> None:
    contract(unit, files.contract(unit))


def _handed_out(files: CourseFiles, module: CourseModule) -> None:
    """CourseWrong, too, where tests that are to hold blanks do not parse."""
    if not module.blanks:
        return
    try:
        handed_out.check(module, files.given(module), files.exemplars(module))
    except WorkRefused as error:
        told = f"course/given/{module.id} or course/exemplars/{module.id}: {error.message}"
        raise CourseWrong(error.slug, told, error.next_step) from error


def _mutants(files: CourseFiles, module: CourseModule) -> None:
    manifest.check_graded(files.course, module, files.mutants(module))
