"""A course in files is read right."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.domain.errors import WrongRequest
from ol.domain.exit_code import ExitCode
from tests.adapters.tiny_course import catalog


def test_a_course_is_read_whole(root: Path) -> None:
    files = catalog(root)
    module = files.course.module("a1")
    assert files.course.package == "tinycalc" and [str(id) for id in files.course.modules] == ["A0", "A1"]
    assert [each.id for each in files.course.closure(module.id)] == ["A0", "A1"]
    assert module.units == ("calc.py",) and module.hours == (0.0, 1.0) and len(module.tests) == 5
    assert module.tests[0].smoke and files.course.rungs[module.rung].threshold == 0.70
    assert files.contract("calc.py").startswith('"""A calculator') and "def mean" in files.reference(
        "calc.py"
    )
    assert [file.name for file in files.course_tests(module)] == ["test_calc.py"]
    assert [file.name for file in files.given(module)] == ["test_calc.py"]
    assert [file.name for file in files.exemplars(module)] == ["test_calc.py"]
    assert [mutant.id for mutant in files.mutants(module)] == ["s01", "s02", "s03", "s04", "s05"]
    assert files.mutants(module)[0].required and files.wheats(module)[0].id == "w01"
    assert set(files.wheats(module)[0].sources) == {"calc.py"}


def test_a_module_without_tests_has_none_and_no_mutants(root: Path) -> None:
    module = catalog(root).course.module("A0")
    assert not module.graded and catalog(root).course_tests(module) == ()
    assert catalog(root).mutants(module) == () and catalog(root).wheats(module) == ()


def test_an_unknown_id_names_the_nearest_ones(root: Path) -> None:
    with pytest.raises(WrongRequest) as caught:
        catalog(root).course.module("A11")
    assert caught.value.exit_code is ExitCode.WRONG_REQUEST and "A1" in caught.value.next_step


def test_modules_come_in_natural_order(root: Path) -> None:
    for name in ("A10", "A2"):
        (root / f"course/modules/{name}.toml").write_text("", encoding="utf-8")
    assert [str(id) for id in catalog(root).course.modules] == ["A0", "A1", "A2", "A10"]
