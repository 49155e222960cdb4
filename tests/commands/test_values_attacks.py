"""Units that talk the course tests round in their own process, and are found out by their values outside it."""

from __future__ import annotations

import pytest

from ol.adapters.runner import SuiteRunner
from ol.domain.exit_code import ExitCode
from ol.domain.report import Verdict
from tests.commands.values_world import RIGHT, Student, gates

WRONG = RIGHT.replace("* factor", "* factor + 1.0").replace(".argmax()", ".argmin()")

# How a unit finds what its process holds, although it may import none of it.
FOUND = """

def _kinds(kind):
    for each in getattr(type, "__sub" + "classes__")(kind):
        yield each
        if each is not type:
            yield from _kinds(each)


def _kind(name):
    return next(each for each in _kinds(object) if getattr(each, "__name__") == name)


def _scope(function):
    return getattr(function, "__glo" + "bals__")


def _tell_of_passes():
    recorder = _kind("Recorder")
    tell = getattr(recorder, "_tell")
    setattr(recorder, "_tell", lambda self, stage, outcome, found: tell(self, "call", "passed", found))
    return _scope(tell)

"""

ATTACKS = {
    "assertions that hold whatever they compare": """
np.testing.assert_allclose = lambda *_, **__: None


class _Equal(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__


_largest = largest
def largest(values): return _Equal(_largest(values))
""",
    "a report class that knows no failure": """
_report = _kind("TestReport")
_made = _report.from_item_and_call


def _passing(item, call):
    call.excinfo = None
    return _made(item, call)


_report.from_item_and_call = _passing
""",
    "calls that swallow what is raised": """
_info = _kind("CallInfo")
_called = _info.from_call


def _quiet(func, when, reraise=None):
    def quietly():
        try:
            return func()
        except Exception:
            return None
    return _called(quietly, when, reraise)


_info.from_call = _quiet
""",
    "a recorder that tells of passes alone": "_tell_of_passes()\n",
    "records rewritten on their way out": """
_out = _scope(_kind("Records").write)
_dumps = _out["dumps"]


def _passed(record, **options):
    if record["kind"] == "result":
        record = {**record, "stage": "call", "outcome": "passed"}
    return _dumps(record, **options)


_out["dumps"] = _passed
""",
    "arrays packed by the unit itself": """
_tell_of_passes()["sys"].modules["ol.child.arrays"].packed = lambda named: bytes(3 << 20)
""",
    "answers for the inputs of the course tests alone": """
_wrong, _worse = scaled, largest
def scaled(values, factor):
    return np.array([3.0, -6.0]) if list(np.ravel(values)) == [1.0, -2.0] else _wrong(values, factor)
def largest(values):
    return 1 if list(values) == [1.0, 7.0, 7.0] else _worse(values)
""",
    "an exit where values are asked for": """
import os


def scaled(values, factor):
    return np.array([3.0, -6.0]) if np.ndim(values) == 1 else os.kill(os.getpid(), 9)
def largest(values): return 1
""",
}


@pytest.fixture(scope="module")
def student(probed_runner: SuiteRunner) -> Student:
    return Student(probed_runner)


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_the_course_tests_believe_the_values_do_not(student: Student, attack: str) -> None:
    report = student.check(WRONG + FOUND + ATTACKS[attack])
    found = gates(report)
    assert found["contract"].verdict is Verdict.PASSED, "the attack is not stopped by reading"
    assert found["course tests"].verdict is Verdict.PASSED, "the attack works where it is meant to"
    assert found["values"].verdict is Verdict.FAILED
    assert report.exit_code is ExitCode.FAILED


def test_the_wrong_unit_without_an_attack_passes_neither(student: Student) -> None:
    found = gates(student.check(WRONG))
    assert found["course tests"].verdict is found["values"].verdict is Verdict.FAILED


ODD = {
    "an object that is equal to everything": (
        "class _Equal:\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "def scaled(values, factor): return _Equal()\n",
        "scaled: the probe cannot use what your unit gave: TypeError: product is no array of numbers, but _Equal",
    ),
    "an array that says it is another": (
        "class _Odd(np.ndarray):\n    shape = (2, 3)\n    dtype = np.dtype(np.float64)\n"
        "    def __eq__(self, other): return np.ones((2, 3), dtype=bool)\n"
        "    def __array__(self, *_, **__): return np.zeros((2, 3))\n"
        "    def tobytes(self, *_): return b''\n"
        "def scaled(values, factor): return np.zeros(6).view(_Odd)\n",
        "scaled: the array product has shape (6,), expected (2, 3)",
    ),
    "an object that makes an array of itself": (
        "class _Array:\n    def __array__(self, *_, **__): return np.zeros((2, 3))\n"
        "def scaled(values, factor): return _Array()\n",
        "scaled: product is off in 6 of 6 values",
    ),
    "values that are no numbers": (
        "def scaled(values, factor): return np.full((2, 3), np.nan)\n",
        "scaled: product[0, 0] is nan, expected ",
    ),
    "another dtype": (
        "def scaled(values, factor): return (values * factor).astype(np.float32)\n",
        "scaled: the array product has dtype float32, expected float64",
    ),
    "text": (
        "def scaled(values, factor): return np.full((2, 3), 'one')\n",
        "scaled: the probe cannot use what your unit gave: TypeError: product is no array of numbers, but ndarray",
    ),
}


@pytest.mark.parametrize("odd", ODD)
def test_whatever_comes_out_is_a_plain_array_or_a_failure(student: Student, odd: str) -> None:
    unit, told = ODD[odd]
    values = gates(student.check(f"{RIGHT}\n{unit}"))["values"]
    assert values.verdict is Verdict.FAILED
    assert values.reasons[0].text.startswith(told)
