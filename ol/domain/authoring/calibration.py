"""A module's calibration: `measure_<bar>(seed)` and `floor_<bar>()`, run as tests that record a figure.

A bar without seeds is exact: `exact_<bar>()` alone gives it.
"""

from __future__ import annotations

import ast
import math

from ol.domain.code.syntax import tree_of
from ol.domain.course import Bar, ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.suite import Crashed, SuiteRun
from ol.domain.telling.cause import first_line
from ol.domain.telling.ending import how_it_ended

_FIGURE = "figure"


def path(module: ModuleId) -> str:
    return f"course/calibration/{module}.py"


def measure(bar: str, seed: int) -> str:
    return f"measure_{bar}({seed})"


def floor(bar: str) -> str:
    return f"floor_{bar}()"


def exact(bar: str) -> str:
    return f"exact_{bar}()"


def calls(bar: Bar) -> list[str]:
    """Every call that a bar is made of."""
    return (
        [*(measure(bar.name, seed) for seed in bar.seeds), floor(bar.name)]
        if bar.seeds
        else [exact(bar.name)]
    )


def recipe(calibration: File, bar: Bar) -> str:
    """The first docstring line of what measures it. CourseWrong where that or a function is missing."""
    tree = tree_of(calibration.text())
    defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    needed = [call.partition("(")[0] for call in calls(bar)]
    for name in needed:
        if name not in defined:
            told = f"{calibration.name} defines no {name}, and the manifest declares the bar {bar.name}."
            step = f"Write {name}, or take the bar out of the manifest."
            raise CourseWrong("calibration-missing", told, step)
    docstring = ast.get_docstring(defined[needed[0]])
    if not docstring:
        told = f"{calibration.name}: {needed[0]} has no docstring, whose first line is the bar's recipe."
        raise CourseWrong("calibration-recipe", told, "Say in one line what is trained, and how.")
    return docstring.splitlines()[0]


def figure_test(calibration: File, call: str) -> File:
    """The calibration with a test at its end that records what a call gives."""
    test = f"\n\ndef test_figure(record_property):\n    record_property({_FIGURE!r}, repr(float({call})))\n"
    return File("test_figure.py", (calibration.text() + test).encode("utf-8"))


def figure(run: SuiteRun, call: str, calibration: File) -> float:
    """What was recorded. CourseWrong where nothing was, or no finite number."""
    for case in run.results:
        if text := dict(case.facts.properties).get(_FIGURE):
            if math.isfinite(float(text)):
                return float(text)
            raise _no_figure(calibration, call, f"gives {text}")
    raise _no_figure(calibration, call, _why_none(run))


def _why_none(run: SuiteRun) -> str:
    if isinstance(run, Crashed):
        return f"does not end: {how_it_ended(run)}"
    facts = [error.facts for error in run.collection_errors] + [case.facts for case in run.results]
    return f"raises {facts[0].exception}: {first_line(facts[0])}" if facts else "was not run"


def _no_figure(calibration: File, call: str, told: str) -> CourseWrong:
    step = "Mend that function; it runs on the reference, with OL_COURSE_ROOT naming the course."
    return CourseWrong("calibration-failed", f"{calibration.name}: {call} {told}.", step)
