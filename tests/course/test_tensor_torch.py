"""Arithmetic, matmul and indexing against torch, forward and backward."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.course.against_torch import agree

pytestmark = pytest.mark.torch


def normal(*shape: int) -> Any:
    return np.asarray(np.random.default_rng(len(shape)).standard_normal(shape))


@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 4), (3, 4)),
        ((3, 4), (4,)),
        ((3, 1), (1, 4)),
        ((), (3, 4)),
        ((), ()),
        ((2, 3, 4), (3, 1)),
        ((1,), (3,)),
        ((0, 4), (1, 4)),
    ],
)
@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul, operator.truediv])
def test_arithmetic_broadcasts_as_torch_does(
    op: Callable[[Any, Any], Any], shapes: tuple[tuple[int, ...], ...]
) -> None:
    agree(op, lambda torch, a, b: op(a, b), *(normal(*shape) for shape in shapes))


@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul, operator.truediv])
def test_extreme_values_give_what_torch_gives(op: Callable[[Any, Any], Any]) -> None:
    a, b = np.meshgrid([-np.inf, -1e30, -1e-30, 0.0, 1e-30, 1e30], [-1e30, -1e-30, 0.0, 1e-30, 1e30, np.inf])
    agree(op, lambda torch, a, b: op(a, b), a, b)


@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul, operator.truediv])
def test_numbers_stand_on_either_side(op: Callable[[Any, Any], Any]) -> None:
    agree(lambda x: op(2.5, x), lambda torch, x: op(2.5, x), normal(3, 4))
    agree(lambda x: op(x, 3), lambda torch, x: op(x, 3), normal(3, 4))


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 0.5, -1, -1.5])
def test_powers_by_a_number(exponent: float) -> None:
    agree(lambda x: x**exponent, lambda torch, x: x**exponent, [0.0, 1e-3, 0.5, 1.0, 7.0])
    agree(lambda x: -(x**exponent), lambda torch, x: -(x**exponent), 2.0)


@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 4), (4, 5)),
        ((4,), (4,)),
        ((4,), (4, 5)),
        ((3, 4), (4,)),
        ((4,), (2, 4, 3)),
        ((2, 3, 4), (4,)),
        ((2, 3, 4), (4, 5)),
        ((2, 1, 3, 4), (5, 4, 2)),
        ((0, 4), (4, 5)),
        ((3, 0), (0, 5)),
    ],
)
def test_matmul_takes_vectors_matrices_and_stacks(shapes: tuple[tuple[int, ...], ...]) -> None:
    agree(operator.matmul, lambda torch, a, b: a @ b, *(normal(*shape) for shape in shapes))


@pytest.mark.parametrize(
    "index",
    [
        1,
        -1,
        slice(1, 3),
        slice(0, 0),
        (slice(None), slice(None, None, 2)),
        (..., None),
        (0, 2),
        [0, 0, 2, 0],
        ([0, 1, 0], [1, 1, 1]),
        (slice(None), [1, 1]),
        (None, [0, 0], slice(1, None)),
        np.array([[0, 2], [2, 2]]),
        np.array([True, False, True]),
    ],
    ids=str,
)
def test_indexing_adds_up_what_was_read_more_than_once(index: Any) -> None:
    agree(lambda x: x[index], lambda torch, x: x[index], normal(3, 4))


def test_a_number_can_be_indexed_with_an_ellipsis() -> None:
    agree(lambda x: x[...], lambda torch, x: x[...], 2.0)


def test_a_tensor_used_many_times_gets_every_share() -> None:
    agree(lambda x: x * x + x / (x * x + 1) - x, lambda torch, x: x * x + x / (x * x + 1) - x, normal(3, 4))
    agree(lambda x: x + x + x + x + x, lambda torch, x: x + x + x + x + x, 3.0)
