"""Faults made by rule: what the operators put wrong, what is left out as trivial, and what a review may say."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from faults.fault import faults_of  # noqa: E402
from faults.meaning import labelled, meaning  # noqa: E402
from faults.operators import OPERATORS  # noqa: E402
from faults.splice import faulty_texts  # noqa: E402
from faults.verdict import Fate, verdict_on  # noqa: E402
from ol.domain.suite import (  # noqa: E402
    CaseResult,
    CollectionError,
    Completed,
    Crashed,
    Exited,
    Facts,
    Outcome,
    Stage,
    TimedOut,
)


def made(text: str) -> set[str]:
    return set(faulty_texts(text, OPERATORS))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("y = x.sum(axis=1)", "y = x.sum(axis=0)"),
        ("y = x.sum(axis=a)", "y = x.sum()"),
        ("y = x[:, None]", "y = x[None, :]"),
        ("y = x[1:]", "y = x[:]"),
        ("y = a < b <= c", "y = (a < b < c)"),
        ("y = a and b", "y = a"),
        ("y = a if c else b", "y = (a if not c else b)"),
        ("y = np.zeros(n, dtype=d)", "y = np.zeros(n)"),
        ("y = x.astype(np.float64)", "y = x.astype(np.float32)"),
        ("y = x.astype(np.float64)", "y = x"),
        ("x += v", "x = x + v"),
        ("x += v", "x = v"),
        ("x = np.asarray(x + v)", "x += v"),
        ("y = x.max(keepdims=True)", "y = x.max(keepdims=False)"),
        ("y = x.max(keepdims=k)", "y = x.max(keepdims=not k)"),
        ("y = x.copy()", "y = x"),
        ("y = np.broadcast_to(x, s)", "y = x"),
        ("y = x.T @ z", "y = x @ z"),
        ("y = np.array(x)", "y = np.asarray(x)"),
        ("y = a / n", "y = a"),
        ("y = -x", "y = x"),
        ("y = a @ b", "y = (b @ a)"),
        ("y = a - b", "y = (b - a)"),
        ("y = sum(x)", "y = mean(x)"),
        ("y = x.argmax()", "y = x.argmin()"),
        ("np.add.at(a, i, v)", "a[i] = v"),
        ("y = np.add.reduceat(g[o], s, axis=0)", "y = g[o][s]"),
        ("x[i] = v", "pass"),
        ("def f(a=True): pass", "def f(a=False):\n    pass"),
        ("with c:\n    y = 1", "if True:\n    y = 1"),
    ],
)
def test_each_operator_makes_its_fault(line: str, fault: str) -> None:
    assert fault in made(line)


def test_a_bincount_becomes_an_assignment_that_keeps_the_last() -> None:
    import numpy as np

    line = "y = np.bincount(i, weights=w, minlength=n)"
    (fault,) = (each for each in made(line) if "np.put" in each)
    names = {"np": np, "i": [0, 2, 0], "w": [1.0, 2.0, 4.0], "n": 4}
    exec(fault, names)
    assert list(names["y"]) == [4.0, 0.0, 2.0, 0.0]  # type: ignore[call-overload]


def test_only_the_node_is_changed_and_whole_statements_keep_their_indentation() -> None:
    text = (
        "def f(x):  # straße\n    with c:\n        y = 1\n        z = 'ü' + x  # left alone\n    return z\n"
    )
    assert text.replace("'ü' + x", "x") in made(text)
    assert all(ast.parse(each) for each in made(text))
    assert (
        "def f(x):  # straße\n    if True:\n        y = 1\n        z = 'ü' + x  # left alone\n    return z\n"
        in made(text)
    )


def test_what_is_told_is_left_alone() -> None:
    assert made("y = f'{a - b}'") == set()
    assert made("raise E(a - b)") == {"pass"}


UNIT = '''"""A unit."""

from __future__ import annotations

Axis = int | None
Axes = tuple[Axis, ...]


def f(x: int, op: str = "") -> int:
    """Double."""
    if x < 0:
        told = f"not {x}"
        raise ValueError(f"x is {x}, {told}")
    y: int = 2 * x
    return g(y, "double")


def g(y: int, op: str) -> int:
    return y


class C:
    def __repr__(self) -> str:
        return "C"
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Double", "Treble"),
        ("int | None", "int & None"),
        ("tuple[Axis, ...]", "None"),
        ("x: int,", "x: None,"),
        ("y: int = 2", "y: None = 2"),
        ("x is {x}", "XXx is {x}XX"),
        ('f"not {x}"', "None"),
        ('raise ValueError(f"x is {x}, {told}")', "raise ValueError(None)"),
        ('"double"', '"DOUBLE"'),
        ('"double"', "None"),
        ('op: str = ""', 'op: str = "XXXX"'),
        ('return "C"', "return None"),
        ("2 * x", "(2 * x)"),
    ],
)
def test_docstrings_hints_and_messages_have_no_meaning(old: str, new: str) -> None:
    labels = labelled([UNIT])
    assert UNIT.count(old) == 1
    assert meaning(UNIT.replace(old, new), labels) == meaning(UNIT, labels)


@pytest.mark.parametrize(
    ("old", "new"),
    [("ValueError", "TypeError"), ("x < 0", "x <= 0"), ("2 * x", "2.0 * x"), ("return y", "return op")],
)
def test_what_a_unit_does_has_a_meaning(old: str, new: str) -> None:
    labels = labelled([UNIT])
    assert meaning(UNIT.replace(old, new), labels) != meaning(UNIT, labels)


def test_a_fault_is_known_by_its_lines_and_each_meaning_counts_once() -> None:
    labels = labelled([UNIT])
    texts = [
        UNIT,
        UNIT.replace("2 * x", "3 * x"),
        UNIT.replace("2 * x", "(3) * x"),
        UNIT.replace("2 *", "2 *)"),
    ]
    (fault,) = faults_of("u.py", UNIT, texts, labels)
    assert (fault.place, fault.line) == (("u.py", "f", "y: int = 2 * x", "y: int = 3 * x"), 14)
    told = 'raise ValueError(f"x is {x}, {told}")'
    (gone,) = faults_of("u.py", UNIT, [UNIT.replace(told, "pass")], labels)
    assert (gone.before, gone.after) == (told, "pass")


def case(outcome: Outcome, exception: str = "") -> CaseResult:
    return CaseResult("test_a.py::test_b[0]", outcome, Stage.CALL, Facts(exception=exception), 0.1)


def test_a_run_says_how_a_fault_was_caught() -> None:
    passed = case(Outcome.PASSED)
    assert verdict_on(Completed((passed,), (), 0, 1.0), 1).fate is Fate.SURVIVED
    assert verdict_on(Completed((passed,), (), 0, 1.0), 2).fate is Fate.OPEN
    wrong = verdict_on(Completed((case(Outcome.FAILED, "builtins.AssertionError"),), (), 0, 1.0), 1)
    assert (wrong.fate, wrong.killer) == (Fate.WRONG, "test_a.py::test_b")
    raised = verdict_on(Completed((case(Outcome.FAILED, "builtins.TypeError"),), (), 0, 1.0), 1)
    assert raised.fate is Fate.RAISED
    uncollected = Completed((), (CollectionError("test_a.py", Facts()),), 0, 1.0)
    assert verdict_on(uncollected, 1).fate is Fate.TRIVIAL
    assert verdict_on(Crashed(TimedOut(1.0, "cpu"), (), None, ""), 1).fate is Fate.STOPPED
    assert verdict_on(Crashed(Exited(0), (passed,), None, ""), 1).fate is Fate.OPEN
