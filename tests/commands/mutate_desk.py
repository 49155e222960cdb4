"""A module with four faults, a wheat, and suites that find all of them or one, on a desk."""

from __future__ import annotations

from collections.abc import Callable

from ol.commands.mutate import Options, mutate
from ol.domain.mutation import Wheat
from ol.domain.report import GateResult
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from tests.fakes import Desk
from tests.made import module, mutant
from tests.plain_runner import run_here

REFERENCE = """
def add(x, y):
    total = x + y
    return total


def top(items):
    best = items[0]
    for item in items:
        if item > best:
            best = item
    return best
"""
WHEAT = """
def add(a, b):
    return sum((a, b))


def top(items):
    return max(items)
"""
CONTRACT = "def add(x: int, y: int) -> int: ...\ndef top(items: list[int]) -> int: ...\n"
FAULTS = (
    mutant("s01", "x + y", "x - y", required=True, pitfall="1"),
    mutant("s02", "item > best", "item < best"),
    mutant("s03", "best = items[0]", "best = 0"),
    mutant("s04", "return total", "return abs(total)"),
)
WHOLE = """
from tiny.a1 import add, top

def test_add():
    assert add(1, 2) == 3

def test_add_below_zero():
    assert add(-1, -2) == -3

def test_top():
    assert top([-2, -1, -3]) == -1
"""
GIVEN = "from tiny.a1 import top\n\ndef test_top():\n    assert top([1, 3, 2]) == 3\n"


def desk(suite: str | dict[str, str] = WHOLE, answer: Callable[[RunRequest], SuiteRun] = run_here) -> Desk:
    made = Desk.of(module("A.1"), module("A.2", needs=("A.1",)), answer=answer)
    one = made.module("A.1").id
    made.catalog.references = {"a1.py": REFERENCE}
    made.catalog.contracts = {"a1.py": CONTRACT}
    made.catalog.seeded = {one: FAULTS}
    made.catalog.correct = {one: (Wheat("w01", {"a1.py": WHEAT}),)}
    made.workspace.suites = {one: {"test_a.py": suite} if isinstance(suite, str) else suite}
    return made


def gate(made: Desk, **options: object) -> GateResult:
    (found,) = mutate(made.ports(), made.module("A.1"), Options(jobs=2, **options)).gates  # type: ignore[arg-type]
    return found


def texts(found: GateResult) -> list[str]:
    return [reason.text for reason in found.reasons]


def only_on(fault: int, answer: Callable[[RunRequest], SuiteRun]) -> Callable[[RunRequest], SuiteRun]:
    """That answer for one fault's source, the true one for all else."""
    return lambda r: answer(r) if r.sources["tiny.a1"] == FAULTS[fault].applied_to(REFERENCE) else run_here(r)
