"""The whole course as a student goes it: every module in the needs' order, on their own needs, to a pass of L2.2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ol.adapters.course.files import CourseFiles
from ol.domain.course import CourseModule
from ol.domain.graph import nearest_needs, study_order
from tests.cli.student import ROOT, Student, begun, course_in, gates, lock, slugs, words_of

CATALOG = CourseFiles(ROOT)
COURSE = CATALOG.course
LAST = COURSE.module("L2.2")


def path() -> Iterator[CourseModule]:
    """The closure of L2.2, each module after its needs."""
    closure = {module.id for module in COURSE.closure(LAST.id)}
    return (COURSE.modules[id] for id in study_order(COURSE, nearest_needs(COURSE)) if id in closure)


class Walker:
    """Who writes the reference's code, and the exemplar tests, as their own."""

    def __init__(self, student: Student) -> None:
        self.student = student

    def passes(self, module: CourseModule) -> dict[str, object]:
        """From `ol start` to `ol check`: tests first, and red, where the rung asks for a journal."""
        self.student.does("start", module.id)
        self.tests(module)
        if COURSE.rungs[module.rung].journal:
            self.student.does("tdd", "red")
        self.code(module)
        if COURSE.rungs[module.rung].journal:
            self.student.does("tdd", "green")
        return self.student.json("check", exits=0)

    def tests(self, module: CourseModule) -> None:
        folder = self.student.root / "python" / "tests" / module.slug
        for file in CATALOG.exemplars(module):
            (folder / file.name).write_bytes(file.content)

    def code(self, module: CourseModule) -> None:
        for unit in module.units:
            self.unit(unit).write_text(CATALOG.reference(unit), encoding="utf-8", newline="\n")

    def unit(self, unit: str) -> Path:
        return self.student.root / "python" / COURSE.package / unit


@pytest.fixture(scope="module")
def walker(tmp_path_factory: pytest.TempPathFactory) -> Walker:
    student = begun(tmp_path_factory.mktemp("whole"))
    lock(course_in(student.root, ROOT))
    return Walker(student)


def test_the_whole_course_is_passed_module_by_module_on_ones_own_code_alone(walker: Walker) -> None:
    for module in path():
        report = walker.passes(module)
        assert (report["module"], report["assisted_by"], report["unverified"]) == (module.id, [], [])
        assert set(report["sources"].values()) == {"student"}  # type: ignore[attr-defined]
    rows = walker.student.json("status", exits=0)["fields"]["modules"]
    states = {row["id"]: row["state"] for row in rows}
    assert {states[module.id] for module in path()} == {"passing"}


@contextmanager
def broken(walker: Walker, unit: str, by: str) -> Iterator[None]:
    """After the whole path: a unit that spoils itself in a last line."""
    path = walker.unit(unit)
    kept = path.read_text(encoding="utf-8")
    path.write_text(f"{kept}\n\n{by}\n", encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(kept, encoding="utf-8")


NO_BACKWARD = ("autograd/tensor.py", "Tensor.backward = lambda self, *given: None")


def test_an_edit_for_one_module_that_breaks_another_is_a_regression_of_that_one(walker: Walker) -> None:
    with broken(walker, *NO_BACKWARD):
        refused = walker.student.json("tests", "L0.2", exits=3)
        told = walker.student.does("status").out
    assert refused["slug"] == "blocked-by-need"
    assert "your change of autograd/tensor.py broke L0.1, which passed before: test_" in refused["message"]
    assert "`ol tests L0.1`" in refused["next_step"]
    assert "waits for L0.1" in told


@pytest.mark.parametrize("lent", ["--ref-deps", "--ref-deps=all", "--ref-deps=L0.1"])
def test_the_reference_stands_in_for_what_is_broken_and_the_report_says_so(walker: Walker, lent: str) -> None:
    with broken(walker, *NO_BACKWARD):
        report = walker.student.json("check", "L0.2", lent, exits=0)
    assert report["assisted_by"] == ["L0.1"]
    assert report["last_line"].endswith("[assisted: L0.1 from the reference]")


def test_a_broken_need_blocks_the_course_tests_alone_and_is_found_at_fault(walker: Walker) -> None:
    with broken(walker, *NO_BACKWARD):
        report = walker.student.json("check", "L0.2", exits=3)
    found = gates(report)
    assert slugs(found["needs"]) == ["need-regressed"]
    assert "L0.2 is right; the fault is in your L0.1." in words_of(found["course tests"])
    assert found["contract"]["verdict"] == "passed"
