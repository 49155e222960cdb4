"""The course as data: read whole, without a fault, and its own code keeps the rules that students keep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ol.adapters.course.faults import faults
from ol.adapters.course.files import CourseFiles
from ol.domain.code.contract import Contract, breaches, contract
from ol.domain.code.imports import forbidden_in_tests, forbidden_in_units
from ol.domain.code.stub import progress
from ol.domain.course import CourseModule
from ol.domain.file import File
from tests.course.chapter import chapter

FILES = CourseFiles(Path(__file__).parents[2])
MODULES = list(FILES.course.in_order())


def contracts(module: CourseModule) -> dict[str, Contract]:
    units = [unit for each in FILES.course.closure(module.id) for unit in each.units]
    return {FILES.course.dotted(unit): contract(unit, FILES.contract(unit)) for unit in units}


def versions(module: CourseModule) -> Iterator[list[File]]:
    """The reference's units of a module, and those of each wheat."""
    yield [File(unit, FILES.reference(unit).encode()) for unit in module.units]
    for wheat in FILES.wheats(module):
        yield [File(unit, text.encode()) for unit, text in wheat.sources.items()]


def test_the_course_has_no_fault() -> None:
    assert [(fault.message, fault.next_step) for fault in faults(FILES)] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.id)
def test_reference_and_wheats_keep_their_contract_and_write_all_of_it(module: CourseModule) -> None:
    for files in versions(module):
        for file in files:
            promise = contract(file.name, FILES.contract(file.name))
            assert breaches(promise, file) == () and progress(promise, file.text()).unwritten == ()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.id)
def test_reference_and_wheats_reach_other_units_by_contract_names_of_their_needs_only(
    module: CourseModule,
) -> None:
    course = FILES.course
    for files in versions(module):
        assert forbidden_in_units(files, course.imports, course.package, contracts(module)) == ()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.id)
def test_a_mutant_sends_its_readers_to_a_section_that_the_chapter_has(module: CourseModule) -> None:
    mutants = FILES.mutants(module)
    headings = re.findall(r"^## (\d+)\. ", chapter(module.id), re.MULTILINE) if mutants else []
    assert [mutant.id for mutant in mutants if mutant.section not in headings] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.id)
def test_the_tests_that_are_given_or_shown_keep_the_rules_for_tests(module: CourseModule) -> None:
    course = FILES.course
    for files in (FILES.given(module), FILES.exemplars(module)):
        assert forbidden_in_tests(files, course.imports, course.package, contracts(module)) == ()
