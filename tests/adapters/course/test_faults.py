"""Every way for a course's files to be wrong, named with its file and its cure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ol.adapters.course.faults import faults
from ol.adapters.course.files import CourseFiles
from ol.domain.course import ModuleId
from ol.domain.errors import CourseWrong, OlError
from ol.domain.exit_code import ExitCode
from tests.adapters.tiny_course import catalog, edit

A1 = "course/modules/A1.toml"
MUTANTS = "course/mutants/A1.toml"
Reading = Callable[[CourseFiles], object]


def a1(files: CourseFiles) -> Any:
    return files.course.module("A1")


def test_a_sound_course_has_no_faults(root: Path) -> None:
    assert faults(catalog(root)) == ()


WRONG: list[tuple[str, str, str, Reading, str, str]] = [
    # file, old, new, what is read, slug, what the message holds
    ("course/course.toml", "format = 1", "format = 9", lambda c: c.course, "course-format", "format 1"),
    ("course/course.toml", "name =", "nmae =", lambda c: c.course, "unknown-key", "nmae"),
    (
        "course/course.toml",
        "threshold = 0.70",
        "treshold = 0.70",
        lambda c: c.course,
        "unknown-key",
        "rungs.R3.treshold",
    ),
    ("course/course.toml", 'version = "1"', "version = 1", lambda c: c.course, "wrong-value", "version"),
    ("course/course.toml", "[policy]", "[policy", lambda c: c.course, "toml-unreadable", "course.toml"),
    (A1, "slug =", "slgu =", a1, "unknown-key", f"{A1}: the key slgu"),
    (A1, 'why = "both', 'wy = "both', a1, "unknown-key", "tests.3.wy"),
    (A1, 'title = "A calculator"\n', "", a1, "wrong-value", "`title`"),
    (A1, 'id = "A1"', 'id = "A2"', a1, "id-and-file", "A2"),
    (A1, '"A0"', '"A9"', a1, "unknown-name", "need A9"),
    (A1, '"R3"', '"R4"', a1, "unknown-name", "rung R4"),
    (
        A1,
        "test_clamp_refuses_an_empty_interval",
        "test_mean_of_a_few",
        a1,
        "named-twice",
        "test_mean_of_a_few",
    ),
    (A1, '"calc.py"', '"num.py"', lambda c: list(c.course.in_order()), "owned-twice", "num.py belongs to A0"),
    (
        A1,
        '["test_calc.py"]',
        '["test_gone.py"]',
        lambda c: c.given(a1(c)),
        "course-file-missing",
        "test_gone.py",
    ),
    (
        MUTANTS,
        "return total(values) / len",
        "return totals / len",
        lambda c: c.mutants(a1(c)),
        "mutant-find",
        "0 times",
    ),
    (
        MUTANTS,
        'find = "self._sum += value"',
        'find = "value"',
        lambda c: c.mutants(a1(c)),
        "mutant-find",
        "times",
    ),
    (MUTANTS, "required =", "requried =", lambda c: c.mutants(a1(c)), "unknown-key", "mutant.1.requried"),
    (MUTANTS, 'find = "self._sum += value"\n', "", lambda c: c.mutants(a1(c)), "wrong-value", "`find`"),
    (MUTANTS, 'id = "s02"', 'id = "s01"', lambda c: c.mutants(a1(c)), "named-twice", "s01"),
    (
        "course/reference/tinycalc/calc.py",
        "def mean",
        "def mean(",
        lambda c: c.reference("calc.py"),
        "course-unreadable",
        "line",
    ),
    (
        "course/wheats/A1/w01.py",
        "def mean",
        "def mean(",
        lambda c: c.wheats(a1(c)),
        "course-unreadable",
        "w01.py",
    ),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "reading", "slug", "told"), WRONG, ids=[f"{w[4]}-{w[5][:20]}" for w in WRONG]
)
def test_a_wrong_course_file_is_named_with_what_is_wrong_and_a_cure(
    root: Path, file: str, old: str, new: str, reading: Reading, slug: str, told: str
) -> None:
    edit(root / file, old, new)
    with pytest.raises(CourseWrong) as caught:
        reading(catalog(root))
    assert caught.value.exit_code is ExitCode.COURSE_WRONG
    assert (caught.value.slug, told in caught.value.message) == (slug, True), caught.value.message
    assert caught.value.next_step
    assert slug in [fault.slug for fault in _faults_or_first(root)]


def _faults_or_first(root: Path) -> tuple[OlError, ...]:
    """course.toml itself is read before anything can be gathered."""
    try:
        return faults(catalog(root))
    except CourseWrong as error:
        return (error,)


def test_an_unknown_key_names_the_nearest_known_one(root: Path) -> None:
    edit(root / A1, "needs =", "need =")
    with pytest.raises(CourseWrong) as caught:
        a1(catalog(root))
    assert caught.value.next_step == "Did you mean needs?"


def test_a_wrong_module_hinders_only_those_that_need_it(root: Path) -> None:
    edit(root / A1, "slug =", "slgu =")
    course = catalog(root).course
    assert [each.id for each in course.closure(course.module("A0").id)] == ["A0"]
    with pytest.raises(CourseWrong):
        course.module("A1")


def test_a_ring_of_needs_is_the_course_s_fault(root: Path) -> None:
    edit(root / "course/modules/A0.toml", "needs = []", 'needs = ["A1"]')
    with pytest.raises(CourseWrong, match="ring") as caught:
        catalog(root).course.closure(ModuleId("A1"))
    assert caught.value.slug == "needs-cycle"
    assert [fault.slug for fault in faults(catalog(root))] == ["needs-cycle"]


def test_course_tests_that_the_manifest_lists_must_be_there(root: Path) -> None:
    (root / "course/tests/A1/test_calc.py").unlink()
    with pytest.raises(CourseWrong) as caught:
        catalog(root).course_tests(a1(catalog(root)))
    assert caught.value.slug == "tests-missing"


def test_a_course_test_that_does_not_parse_is_the_course_s_fault(root: Path) -> None:
    edit(root / "course/tests/A1/test_calc.py", "def test_mean_of_a_few():", "def test_mean_of_a_few(:")
    with pytest.raises(
        CourseWrong, match=r"course/tests/A1/test_calc\.py, line \d+, does not parse"
    ) as caught:
        catalog(root).course_tests(a1(catalog(root)))
    assert caught.value.slug == "course-unreadable"
    assert [fault.slug for fault in faults(catalog(root))] == ["course-unreadable"]


def test_a_graded_module_without_mutants_is_a_fault(root: Path) -> None:
    (root / MUTANTS).unlink()
    assert [fault.slug for fault in faults(catalog(root))] == ["mutants-missing"]


def test_a_contract_that_is_missing_or_not_utf8_is_a_fault(root: Path) -> None:
    path = root / "course/contracts/py/tinycalc/calc.pyi"
    path.write_bytes('"""é"""'.encode("latin-1"))
    assert [fault.slug for fault in faults(catalog(root))] == ["not-utf8"]
    path.unlink()
    assert [fault.slug for fault in faults(catalog(root))] == ["course-file-missing"]


def test_a_unit_without_a_reference_is_a_fault(root: Path) -> None:
    (root / "course/reference/tinycalc/num.py").unlink()
    assert [fault.message for fault in faults(catalog(root))] == [
        "course/reference/tinycalc/num.py is missing."
    ]


def test_every_fault_is_told_not_only_the_first(root: Path) -> None:
    edit(root / "course/modules/A0.toml", "slug =", "slgu =")
    (root / "course/given/A1/test_calc.py").unlink()
    (root / "course/wheats/A1/w02.py").write_text("def f(", encoding="utf-8")
    slugs = [fault.slug for fault in faults(catalog(root))]
    assert slugs[:3] == ["unknown-key", "course-file-missing", "course-unreadable"]


def test_wheats_of_a_module_of_several_units_are_folders(root: Path) -> None:
    edit(root / A1, '["calc.py"]', '["calc.py", "more.py"]')
    (root / "course/reference/tinycalc/more.py").write_text("", encoding="utf-8")
    with pytest.raises(CourseWrong, match=r"w01\.py stands for no unit"):
        catalog(root).wheats(a1(catalog(root)))
    folder = root / "course/wheats/A1"
    (folder / "w01").mkdir()
    (folder / "w01.py").rename(folder / "w01" / "calc.py")
    (wheat,) = catalog(root).wheats(a1(catalog(root)))
    assert wheat.id == "w01" and set(wheat.sources) == {"calc.py"}
    (folder / "w01" / "other.py").write_text("", encoding="utf-8")
    with pytest.raises(CourseWrong, match=r"w01/other\.py stands for no unit"):
        catalog(root).wheats(a1(catalog(root)))
