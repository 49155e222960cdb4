"""Red: the student's tests, on the student's present unit, and at least one of them fails."""

from __future__ import annotations

from ol.domain.code.identity import is_test_file
from ol.domain.course import ModuleId
from ol.domain.journal.entry import Entry
from ol.domain.report import Reason


def why_no_tests(place: str, run: Entry, way: str) -> Reason | None:
    """None when something was collected.

    `place` is the test folder as its owner knows it, `way` how the first tests come there.
    """
    if run.collected:
        return None
    if not run.files:
        return Reason("no-test-folder", f"{place} holds no file.", way)
    if not any(is_test_file(name) for name in run.files):
        told = f"No file in {place} is named as pytest looks for them."
        return Reason("no-tests", told, "Name a file test_….py, and the functions in it test_….")
    told = f"Nothing was collected from {place}: no file holds a test function."
    return Reason("no-tests", told, "Name each function, or method of a class Test…, test_….")


def judge_red(module: ModuleId, run: Entry, empty: str = "") -> Reason | None:
    """None when the run is a red, to be recorded as it is. `empty`: which tests have no body yet, if any."""
    if any(function.failed for function in run.functions.values()):
        return None
    count = len(run.collected)
    told = f"{'The test passes' if count == 1 else f'All {count} tests pass'}: there is no red to record."
    if empty:
        way = f"Write what its name and docstring promise, then `ol tdd red {module}`: an empty test cannot fail."
        return Reason("red-all-pass", f"{told} {empty}.", way)
    ways = f"`ol tdd green {module}` books what passes at once as refactor. Or {recipe(module)}"
    return Reason("red-all-pass", told, ways)


def recipe(module: ModuleId) -> str:
    """How a test that passes at once is seen failing after all."""
    return (
        f"see it fail: break the line of your unit that it guards, `ol tdd red {module}`, "
        f"restore the line, `ol tdd green {module}`."
    )
