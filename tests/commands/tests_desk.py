"""A module with a test for each of its two functions, on a desk whose runner gives the run it is told."""

from __future__ import annotations

from ol.commands.tests import tests as run_tests
from ol.domain.course import CourseTest
from ol.domain.report import Report
from ol.domain.suite import SuiteRun
from tests.fakes import Desk
from tests.made import module, texts

UNIT = "def add(x, y):\n    return x - y\n\ndef sub(x, y):\n    return x - y\n"
CONTRACT = "def add(x: int, y: int) -> int: ...\ndef sub(x: int, y: int) -> int: ...\n"
COURSE_TESTS = "def test_add():\n    assert add(1, 2) == 3\n\ndef test_sub():\n    assert sub(1, 2) == -1\n"
ASKED = (
    CourseTest("test_add", ("unit", "smoke"), "every sum is made of it"),
    CourseTest("test_sub", ("unit",), "every difference is made of it"),
)
IN_TEST, IN_UNIT = ("tests/test_x.py", 2, "test_add"), ("<tiny.a1>", 2, "add")


def desk(run: SuiteRun, unit: str = UNIT) -> Desk:
    made = Desk.of(module("A.1", tests=ASKED), answer=lambda request: run)
    made.catalog.contracts["a1.py"] = CONTRACT
    made.catalog.tests[made.module("A.1").id] = texts({"test_x.py": COURSE_TESTS})
    made.workspace.units["a1.py"] = unit
    return made


def report(run: SuiteRun, unit: str = UNIT, **options: object) -> Report:
    made = desk(run, unit)
    return run_tests(made.ports(), made.module("A.1"), **options)  # type: ignore[arg-type]
