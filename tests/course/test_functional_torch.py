"""Every op of the library against torch, forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tinyllm.autograd.functional as F
from tests.course.against_torch import agree

pytestmark = pytest.mark.torch

EXTREME = [-100.0, -20.0, -1.0, -1e-20, -0.0, 0.0, 1e-20, 0.5, 20.0, 100.0]
POSITIVE = [0.0, 1e-38, 0.5, 1.0, 1e30]

ELEMENTWISE: list[tuple[str, Callable[[Any], Any], Callable[[Any, Any], Any], list[float]]] = [
    ("exp", F.exp, lambda torch, x: torch.exp(x), EXTREME),
    ("log", F.log, lambda torch, x: torch.log(x), POSITIVE),
    ("tanh", F.tanh, lambda torch, x: torch.tanh(x), EXTREME),
    ("sigmoid", F.sigmoid, lambda torch, x: torch.sigmoid(x), EXTREME),
    ("relu", F.relu, lambda torch, x: torch.relu(x), EXTREME),
    ("silu", F.silu, lambda torch, x: torch.nn.functional.silu(x), EXTREME),
    ("gelu", F.gelu, lambda torch, x: torch.nn.functional.gelu(x), EXTREME),
    (
        "gelu tanh",
        lambda x: F.gelu(x, approximate="tanh"),
        lambda torch, x: torch.nn.functional.gelu(x, approximate="tanh"),
        EXTREME,
    ),
]


def normal(*shape: int) -> Any:
    return np.asarray(np.random.default_rng(len(shape)).standard_normal(shape))


@pytest.mark.parametrize(
    ("ours", "theirs", "values"), [c[1:] for c in ELEMENTWISE], ids=[c[0] for c in ELEMENTWISE]
)
def test_elementwise_ops(ours: Any, theirs: Any, values: list[float]) -> None:
    agree(ours, theirs, values)
    agree(ours, theirs, np.abs(normal(2, 3, 4)) + 0.1)
    agree(ours, theirs, 0.7)
    agree(ours, theirs, np.ones((0, 3)))


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (-1, 1)])
@pytest.mark.parametrize("name", ["sum", "mean", "max", "var"])
def test_reductions_over_any_axes(name: str, axis: Any, keepdims: bool) -> None:
    over = tuple(range(3)) if axis is None else axis
    torch_name = {"max": "amax"}.get(name, name)
    for x in (normal(2, 3, 4), np.arange(24).reshape(2, 3, 4) // 7):  # the second has ties
        agree(
            lambda x: getattr(F, name)(x, axis, keepdims),
            lambda torch, x: getattr(torch, torch_name)(x, dim=over, keepdim=keepdims),
            x,
        )


def test_reductions_of_a_number_and_sums_of_nothing() -> None:
    agree(F.sum, lambda torch, x: x.sum(), 3.0)
    agree(F.mean, lambda torch, x: x.mean(), 3.0)
    agree(F.max, lambda torch, x: x.amax(), 3.0)
    agree(lambda x: F.sum(x, 1), lambda torch, x: x.sum(1), np.ones((3, 0)))
    agree(lambda x: F.max(x, 1), lambda torch, x: x.amax(1), np.ones((0, 3)))


@pytest.mark.parametrize("correction", [0, 1, 2])
def test_variance_with_a_correction(correction: int) -> None:
    agree(
        lambda x: F.var(x, 1, correction=correction),
        lambda torch, x: torch.var(x, dim=1, correction=correction),
        normal(3, 5) * 10 + 3,
    )


def test_ops_that_move_values() -> None:
    x = normal(2, 3, 4)
    agree(lambda x: F.reshape(x, (4, -1)), lambda torch, x: x.reshape(4, -1), x)
    agree(lambda x: F.reshape(x, -1), lambda torch, x: x.reshape(-1), x)
    agree(lambda x: F.reshape(x, ()), lambda torch, x: x.reshape(()), [[1.0]])
    agree(F.transpose, lambda torch, x: x.transpose(-2, -1), x)
    agree(lambda x: F.transpose(x, 0, 2), lambda torch, x: x.transpose(0, 2), x)
    agree(lambda x: F.permute(x, (2, 0, -2)), lambda torch, x: x.permute(2, 0, -2), x)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_concat_and_stack(axis: int) -> None:
    a, b, c = (np.random.default_rng(i).standard_normal((3, 3)) for i in range(3))
    agree(lambda *xs: F.concat(xs, axis), lambda torch, *xs: torch.cat(xs, dim=axis), a, b, c)
    agree(lambda *xs: F.stack(xs, axis), lambda torch, *xs: torch.stack(xs, dim=axis), a, b, c)
    agree(lambda x: F.concat([x, x], axis), lambda torch, x: torch.cat([x, x], dim=axis), a)


def test_concat_of_unequal_and_empty_parts() -> None:
    agree(lambda a, b: F.concat([a, b]), lambda torch, a, b: torch.cat([a, b]), normal(2, 3), np.ones((0, 3)))
    agree(
        lambda a, b: F.concat([a, b], 1), lambda torch, a, b: torch.cat([a, b], 1), normal(2, 3), normal(2, 5)
    )


def test_where_and_masked_fill() -> None:
    mask = np.array([[True, False, True, False], [False, False, False, False], [True, True, True, True]])
    for shapes in (((3, 4), (3, 4)), ((4,), (3, 1)), ((), (3, 4))):
        a, b = (normal(*shape) for shape in shapes)
        agree(
            lambda a, b: F.where(mask, a, b),
            lambda torch, a, b: torch.where(torch.from_numpy(mask), a, b),
            a,
            b,
        )
    for hidden in (mask, mask[0]):
        agree(
            lambda x, hidden=hidden: F.masked_fill(x, hidden, -1e9),
            lambda torch, x, hidden=hidden: x.masked_fill(torch.from_numpy(hidden), -1e9),
            normal(3, 4),
        )


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather_with_repeated_indices(axis: int) -> None:
    index = np.array([[0, 0, 1], [2, 0, 2], [1, 1, 1]])
    agree(
        lambda x: F.gather(x, index, axis),
        lambda torch, x: torch.gather(x, axis, torch.from_numpy(index)),
        normal(3, 3),
    )


@pytest.mark.parametrize("rows", [3, 50])
@pytest.mark.parametrize("ids", [[[0, 2, 2], [2, 1, 0]], [1, 1, 1, 1], [], 2])
def test_embedding_of_small_and_of_large_tables(ids: Any, rows: int) -> None:
    array = np.array(ids, dtype=np.int64)
    agree(
        lambda w: F.embedding(w, array),
        lambda torch, w: torch.nn.functional.embedding(torch.from_numpy(array), w),
        normal(rows, 4),
    )


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize(
    "x",
    [normal(3, 4, 2), [[1e4, -1e4, 0.0], [5.0, 5.0, 5.0]], [[-np.inf, 0.0, 1.0], [2.0, -np.inf, 1.0]]],
    ids=["normal", "extreme", "masked"],
)
def test_softmax_and_its_logarithm(x: Any, axis: int) -> None:
    if np.isinf(x).any() and axis == 1:
        axis = -1
    agree(lambda x: F.softmax(x, axis), lambda torch, x: torch.softmax(x, axis), x)
    agree(lambda x: F.log_softmax(x, axis), lambda torch, x: torch.log_softmax(x, axis), x)
    for keepdims in (False, True):
        agree(
            lambda x, keepdims=keepdims: F.logsumexp(x, axis, keepdims),
            lambda torch, x, keepdims=keepdims: torch.logsumexp(x, axis, keepdims),
            x,
        )


def test_softmax_of_nothing() -> None:
    agree(F.softmax, lambda torch, x: torch.softmax(x, -1), np.ones((0, 3)))
    agree(F.softmax, lambda torch, x: torch.softmax(x, -1), np.ones((3, 0)))


def test_matmul_is_the_operator() -> None:
    agree(F.matmul, lambda torch, a, b: torch.matmul(a, b), normal(2, 3, 4), normal(4, 5))
