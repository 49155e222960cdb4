"""A module of two functions and its one need, for the tests of `ol check`: its runs are real."""

from __future__ import annotations

from ol.commands.check import Options, check
from ol.domain.course import CourseTest
from ol.domain.report import Report
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from tests.fakes import Desk
from tests.made import module, mutant, texts
from tests.plain_runner import run_here

BELOW = "def one():\n    return 1\n"
UNIT = (
    "from tiny.a1 import one\n\n\ndef two():\n    return one() + one()\n\n\n"
    "def three():\n    return two() + one()\n"
)
WRONG = UNIT.replace("two() + one()", "two()")
STUB = "".join(
    f'def {n}():\n    raise NotImplementedError("A.2: {n} is not written yet")\n' for n in ("two", "three")
)
CONTRACTS = {"a1.py": "def one() -> int: ...\n", "a2.py": "def two() -> int: ...\ndef three() -> int: ...\n"}
BELOW_TESTS = "from tiny.a1 import one\n\ndef test_it():\n    assert one() == 1\n"
COURSE_TESTS = (
    "from tiny.a2 import three, two\n\ndef test_two():\n    assert two() == 2\n\n"
    "def test_three():\n    assert three() == 3\n"
)
OWN_TESTS = "from tiny.a2 import three, two\n\ndef test_both():\n    assert (two(), three()) == (2, 3)\n"
FAULTS = (
    mutant("s01", "two() + one()", "two()", unit="a2.py", required=True),
    mutant("s02", "one() + one()", "one()", unit="a2.py"),
)


def answer(request: RunRequest) -> SuiteRun:
    return run_here(request)


def desk(below: str = BELOW, unit: str = UNIT, own_tests: str = OWN_TESTS, **more: object) -> Desk:
    asked = (CourseTest("test_two", ("unit",), "pairs"), CourseTest("test_three", ("unit",), "triples"))
    made = Desk.of(module("A.1"), module("A.2", needs=("A.1",), tests=asked, **more), answer=answer)
    one, two = made.module("A.1").id, made.module("A.2").id
    made.catalog.contracts = CONTRACTS
    made.catalog.references = {"a1.py": BELOW, "a2.py": UNIT}
    made.catalog.tests = {one: texts({"test_a.py": BELOW_TESTS}), two: texts({"test_b.py": COURSE_TESTS})}
    made.catalog.seeded = {two: FAULTS}
    made.workspace.units = {"a1.py": below, "a2.py": unit}
    made.workspace.suites = {two: {"test_own.py": own_tests}}
    return made


def checked(made: Desk, **options: object) -> Report:
    return check(made.ports(), made.module("A.2"), Options(jobs=1, **options))  # type: ignore[arg-type]


def verdicts(report: Report) -> dict[str, str]:
    return {gate.gate: gate.verdict.value for gate in report.gates}


def texts_of(report: Report, gate: str) -> str:
    return " ".join(reason.text for each in report.gates if each.gate == gate for reason in each.reasons)
