"""The chapter of L0.2 says what the course says, and its worked numbers are those of the reference."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tinyllm.autograd.functional as F
from frozen import PCG32
from frozen.toml_file import read_toml
from tests.course import chapter_agrees
from tests.course.chapter import COURSE, chapter, flat, section, worked
from tinyllm.autograd.tensor import Tensor

TEXT = chapter("L0.2")
A, B, C = 0, 1, 2  # the rows of the example's table
TABLE = [[0.5, -0.5], [9.0, 9.0], [1.0, 0.0]]


def leaf(values: Any) -> Tensor:
    """In float64, so that the last digit printed is right."""
    return Tensor(values, requires_grad=True, dtype=np.float64)


def pulled(op: Callable[[Tensor], Tensor], values: Any, upstream: Any) -> Any:
    x = leaf(values)
    op(x).backward(upstream)
    return x.grad


def at_one() -> dict[str, Any]:
    ops = {"tanh": F.tanh, "sigmoid": F.sigmoid, "silu": F.silu, "gelu": F.gelu}
    ops["gelu tanh"] = lambda x: F.gelu(x, "tanh")
    return {name: [op(leaf(1.0)).data, pulled(op, 1.0, 1.0)] for name, op in ops.items()}


def square() -> dict[str, Any]:
    rows, g = [[1, 2, 4], [8, 16, 32], [64, 128, 256]], [1, 2, 3]
    sums = F.sum(leaf(rows), axis=1).data
    told = "row sums of 1 2 4, 8 16 32, 64 128 256"
    return {told: sums, "g": g, "x bar": pulled(lambda x: F.sum(x, axis=1), rows, g)}


def variance() -> dict[str, Any]:
    values = np.array([1.0, 2.0, 6.0])
    mean = F.mean(leaf(values)).data
    squares = (values - mean) ** 2
    return {
        "values": values,
        "mean": mean,
        "squares, their sum": [*squares, squares.sum()],
        "var": F.var(leaf(values)).data,
        "var, correction 0": F.var(leaf(values), correction=0).data,
    }


def broadcast() -> dict[str, Any]:
    a, b, g = leaf([[1, 2, 3]]), leaf(7.0), [[1, 2, 4], [8, 16, 32]]
    out = F.where([[True, False, False], [False, False, True]], a, b)
    out.backward(g)
    return {"out": out.data, "g": g, "a bar": a.grad, "b bar": b.grad}


def mask() -> dict[str, Any]:
    ones = F.dropout(leaf(np.ones(4)), 0.3, True, PCG32(3))
    return {"u": PCG32(3).uniforms(4), "m": ones.data}


def forward() -> dict[str, Any]:
    tanh = np.tanh(TABLE)
    p = F.softmax(leaf(tanh)).data
    taken = F.gather(leaf(p[[A, C, A]]), [[0], [1], [0]]).data
    return {"tanh a": tanh[A], "tanh c": tanh[C], "p of a": p[A], "p of c": p[C], "taken": taken}


def backward() -> dict[str, Any]:
    table = leaf(TABLE)
    rows = F.embedding(table, [A, C, A])
    F.gather(F.softmax(F.tanh(rows)), [[0], [1], [0]]).backward([[1], [2], [3]])
    at_tanh = pulled(F.softmax, np.tanh(rows.data), [[1, 0], [0, 2], [3, 0]])
    slopes = 1 - np.tanh(TABLE) ** 2
    assert table.grad is not None
    return {
        "softmax, first a": at_tanh[0],
        "softmax, c": at_tanh[1],
        "softmax, second a": at_tanh[2],
        "slope of tanh at a": slopes[A],
        "slope of tanh at c": slopes[C],
        "first a": at_tanh[0] * slopes[A],
        "second a": at_tanh[2] * slopes[A],
        "row a": table.grad[A],
        "row b": table.grad[B],
        "row c": table.grad[C],
    }


EXPECTED = {
    "at one": at_one(),
    "square": square(),
    "variance": variance(),
    "where": broadcast(),
    "dropout": mask(),
    "forward": forward(),
    "backward": backward(),
}


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    """All that chapters agree with, but for blanks: at rung R0 a student writes no tests."""
    manifest = read_toml(COURSE / "modules" / "L0.2.toml")
    for part in (chapter_agrees._header, chapter_agrees._interface, chapter_agrees._tests):
        part(TEXT, manifest)
    chapter_agrees._pitfalls(TEXT, "L0.2")
    assert section(TEXT, "The interface").count("\ndef ") == 25, "twenty-five functions are announced"


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_computes(title: str) -> None:
    told = worked(TEXT, title)
    assert list(told) == list(EXPECTED[title])
    for name, values in told.items():
        want = np.ravel(EXPECTED[title][name])
        assert [f"{value:.6f}" for value in values] == [f"{value + 0.0:.6f}" for value in want], name


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_the_limits_named_in_the_prose_are_those_of_float32() -> None:
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(np.float32(89))) and np.isfinite(np.exp(np.float32(88)))
    by_tanh = 0.5 * (1 + np.tanh(np.float32([-15.0, -21.0]) / 2))
    assert by_tanh[0] > 0 == by_tanh[1], "the sigmoid by tanh is gone from about -20 down"
    assert np.exp(np.float32(-200)) == 0


def test_the_inverse_of_the_permutation_is_the_one_named() -> None:
    told = re.search(r"`axes = (\(.*?\))` that is `(\(.*?\))`", flat(TEXT))
    assert told and told.groups() == ("(1, 2, 0)", str(tuple(np.argsort([1, 2, 0]).tolist())))


def test_adding_in_place_by_a_repeated_index_adds_once() -> None:
    out = np.zeros(2)
    out[[1, 1]] += [1.0, 2.0]
    assert out.tolist() == [0.0, 2.0]
