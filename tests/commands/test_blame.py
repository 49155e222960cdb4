"""Which side is at fault where a module fails on needs that pass their own course tests."""

from __future__ import annotations

from ol.commands.steps.blame import blame
from ol.commands.steps.sources import survey
from ol.domain.course import CourseTest
from tests.fakes import Desk
from tests.made import module, texts
from tests.plain_runner import run_here

TESTS = tuple(CourseTest(f"test_{name}", ("unit",), "why") for name in ("sum", "product", "own"))
SUITE = """
from tiny.top import own, product, sum
def test_sum():
    assert sum(2, 3) == 5
def test_product():
    assert product(2, 3) == 6
def test_own():
    assert own() == 1
"""
TOP = """
from tiny.plus import add
from tiny.times import multiply
def sum(a, b):
    return add(a, b)
def product(a, b):
    return multiply(a, b)
def own():
    return 1
"""
PLUS, TIMES = "def add(a, b):\n    return a + b\n", "def multiply(a, b):\n    return a * b\n"
BAD_PLUS, BAD_TIMES = PLUS.replace("a + b", "a - b"), TIMES.replace("a * b", "a / b")
BAD_TOP = TOP.replace("return 1", "return 2")


def at_fault(plus: str = PLUS, times: str = TIMES, top: str = TOP, passed: tuple[str, ...] = ()) -> str:
    """What is said where the needs' own tests see nothing; `passed`: the tests that did."""
    made = Desk.of(
        module("P.1", "plus.py", tests=()),
        module("T.1", "times.py", tests=()),
        module("X.1", "top.py", needs=("P.1", "T.1"), tests=TESTS),
        answer=run_here,
    )
    made.catalog.references = {"plus.py": PLUS, "times.py": TIMES, "top.py": TOP}
    made.catalog.contracts = {
        "plus.py": "def add(a: int, b: int) -> int: ...\n",
        "times.py": "def multiply(a: int, b: int) -> int: ...\n",
    }
    made.catalog.tests = {made.module("X.1").id: texts({"test_x.py": SUITE})}
    made.workspace.units = {"plus.py": plus, "times.py": times, "top.py": top}
    resolved = survey(made.ports(), made.module("X.1"))
    (reason,) = blame(made.ports(), resolved, passed)
    return f"{reason.slug}: {reason.text}"


def test_one_need_that_passes_its_own_tests_is_convicted_among_several() -> None:
    told = at_fault(times=BAD_TIMES, passed=("test_sum", "test_own"))
    assert told == "fault-in-need: X.1 is right; the fault is in your T.1."


def test_two_wrong_needs_are_both_named() -> None:
    told = at_fault(BAD_PLUS, BAD_TIMES, passed=("test_own",))
    assert told == "fault-in-need: X.1 is right; the fault is in one of your P.1, T.1."


def test_a_module_that_fails_the_same_on_the_references_needs_is_at_fault() -> None:
    told = at_fault(top=BAD_TOP, passed=("test_sum", "test_product"))
    assert told == "fault-here: It is the same on the reference's needs: the fault is in your X.1."


def test_where_both_are_wrong_both_are_told() -> None:
    told = at_fault(times=BAD_TIMES, top=BAD_TOP, passed=("test_sum",))
    assert told.startswith("fault-in-both: X.1 is not right yet, and something that it needs is not either")
    assert "test_product" in told
    assert "test_sum" not in told
