"""Every op of the library at its edges against torch: nothing, one number, extremes, repeated and strided.

The one helper runs each case in float32 and float64, on contiguous and on strided inputs, forward and backward.
`EDGES` names every op of the contract (a test counts them); the ops' ordinary cases are in
test_functional_torch.py and test_tensor_torch.py.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tinyllm.autograd.functional as F
from tests.course.against_torch import agree
from tests.course.chapter import COURSE

pytestmark = pytest.mark.torch

Case = tuple[Callable[..., Any], Callable[..., Any], list[Any]]

FINITE = [-1e30, -1e4, -100.0, -1.0, -1e-30, -0.0, 0.0, 1e-30, 1.0, 100.0, 1e4, 1e30]
EVERYTHING = [-np.inf, *FINITE, np.inf, np.nan]
NOTHING = np.ones((0, 3))
GRID = np.arange(12.0).reshape(3, 4) - 5
MASK = np.array([[True, False, True, True], [False, False, False, False], [True, True, True, True]])
AGAIN = np.array([[2, 2, 0, 2], [1, 1, 1, 1]])  # the same places, read again and again
SPREAD = np.arange(48).reshape(6, 8)[::2, ::2] % 3  # indices that do not lie side by side


class Given:
    """A generator that hands out given uniforms."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)

    def uniforms(self, n: int) -> Any:
        assert n == self.values.size
        return self.values


def elementwise(name: str, inputs: list[Any], **options: Any) -> list[Case]:
    """An op of one tensor, over nothing, one number, extremes, and a matrix."""

    def theirs(torch: Any, x: Any) -> Any:
        library = torch.nn.functional if name in ("silu", "gelu") else torch
        return getattr(library, name)(x, **options)

    edges = (inputs, NOTHING, 0.5, np.array(inputs[:6]).reshape(2, 3))
    return [(lambda x: getattr(F, name)(x, **options), theirs, [x]) for x in edges]


def dropped(p: float, x: Any) -> Case:
    """Dropout keeps where the uniform is at least p; torch gets the mask, for its own draws are others."""
    u = np.random.default_rng(0).uniform(size=np.size(x))
    kept = (u >= p).reshape(np.shape(x))
    return (
        lambda x: F.dropout(x, p, True, Given(u)),
        lambda torch, x: torch.where(torch.from_numpy(np.array(kept)), x / (1 - p), 0.0 * x),
        [x],
    )


def over(name: str, x: Any, axis: Any, keepdims: bool = False) -> Case:
    def theirs(torch: Any, x: Any) -> Any:
        return getattr(torch, {"max": "amax"}.get(name, name))(x, dim=axis, keepdim=keepdims)

    return lambda x: getattr(F, name)(x, axis, keepdims), theirs, [x]


def along(name: str, x: Any, axis: int = -1) -> Case:
    return lambda x: getattr(F, name)(x, axis), lambda torch, x: getattr(torch, name)(x, axis), [x]


def indexed(index: Any, axis: int, x: Any) -> Case:
    return (
        lambda x: F.gather(x, index, axis),
        lambda torch, x: torch.gather(x, axis, torch.from_numpy(np.ascontiguousarray(index))),
        [x],
    )


def looked_up(ids: Any, table: Any) -> Case:
    array = np.asarray(ids, dtype=np.int64)

    def theirs(torch: Any, w: Any) -> Any:
        return torch.nn.functional.embedding(torch.from_numpy(np.array(array)), w)

    return lambda w: F.embedding(w, ids if np.size(ids) else array), theirs, [table]


def chosen(a: Any, b: Any, condition: Any = MASK) -> Case:
    def theirs(torch: Any, a: Any, b: Any) -> Any:
        return torch.where(torch.from_numpy(np.array(condition)), a, b)

    return lambda a, b: F.where(condition, a, b), theirs, [a, b]


def filled(x: Any, mask: Any, value: float) -> Case:
    def theirs(torch: Any, x: Any) -> Any:
        return x.masked_fill(torch.from_numpy(np.array(mask)), value)

    return lambda x: F.masked_fill(x, mask, value), theirs, [x]


def joined(axis: int, *xs: Any) -> Case:
    return lambda *xs: F.concat(xs, axis), lambda torch, *xs: torch.cat(xs, dim=axis), list(xs)


def stacked(axis: int, *xs: Any) -> Case:
    return lambda *xs: F.stack(xs, axis), lambda torch, *xs: torch.stack(xs, dim=axis), list(xs)


def shaped(x: Any, shape: Any) -> Case:
    return lambda x: F.reshape(x, shape), lambda torch, x: x.reshape(shape), [x]


def product(a: Any, b: Any) -> Case:
    return F.matmul, lambda torch, a, b: torch.matmul(a, b), [a, b]


EXTREME_ROWS = [[1e4, -1e4, 0.0], [-1e30, 1e30, 1e30], [5.0, 5.0, 5.0], [-np.inf, 0.0, -np.inf]]

EDGES: dict[str, list[Case]] = {
    "exp": elementwise("exp", EVERYTHING),
    "log": elementwise("log", EVERYTHING),
    "tanh": elementwise("tanh", EVERYTHING),
    "sigmoid": elementwise("sigmoid", EVERYTHING),
    "relu": elementwise("relu", [-np.inf, *FINITE, np.inf]),
    "silu": elementwise("silu", FINITE),
    "gelu": elementwise("gelu", FINITE) + elementwise("gelu", FINITE[1:-1], approximate="tanh"),
    "sum": [
        over("sum", EVERYTHING, 0),
        over("sum", NOTHING, 0),
        over("sum", NOTHING, (0, 1)),
        over("sum", np.ones((2, 3, 4)), (2, 0), True),
    ],
    "mean": [
        over("mean", [1e30, 1e30, -1e-30], 0),
        over("mean", NOTHING, 1),
        over("mean", np.ones((2, 0)), 0, True),
    ],
    "max": [
        over("max", [[-np.inf, -np.inf], [np.inf, 1e30]], 1),
        over("max", np.zeros((3, 4)), (0, 1)),
        over("max", NOTHING, 1, True),
    ],
    "var": [
        over("var", [[1e4, 1e4 + 1], [7.0, 7.0]], 1),
        over("var", GRID, (0, 1)),
        over("var", np.ones((2, 1, 3)), (0, -1), True),
    ],
    "reshape": [shaped(NOTHING, (3, 0)), shaped(NOTHING, (0,)), shaped(2.0, (1, 1)), shaped(GRID, (2, -1))],
    "transpose": [
        (F.transpose, lambda torch, x: x.transpose(-2, -1), [NOTHING]),
        (lambda x: F.transpose(x, 1, 1), lambda torch, x: x.transpose(1, 1), [GRID]),
    ],
    "permute": [
        (lambda x: F.permute(x, ()), lambda torch, x: x.permute(()), [2.0]),
        (lambda x: F.permute(x, (1, 0)), lambda torch, x: x.permute((1, 0)), [NOTHING]),
    ],
    "concat": [
        joined(0, NOTHING, NOTHING),
        joined(1, GRID, np.ones((3, 0)), GRID),
        joined(-1, EVERYTHING, [1.0]),
    ],
    "stack": [stacked(0, 1.0, 2.0), stacked(-1, NOTHING, NOTHING), stacked(1, GRID)],
    "where": [
        chosen(GRID, 1.0),
        chosen(np.inf, GRID),
        chosen([[1.0], [2.0], [3.0]], GRID[0]),
        chosen(NOTHING, 1.0, True),
    ],
    "gather": [
        indexed(AGAIN, 1, GRID[:2]),
        indexed(AGAIN, 0, GRID),
        indexed(SPREAD, -1, GRID),
        indexed(np.zeros((0, 4), dtype=np.int64), 0, GRID),
    ],
    "embedding": [
        looked_up(AGAIN, GRID),
        looked_up(SPREAD, GRID),
        looked_up(np.zeros(5000, dtype=np.uint8), GRID),
        looked_up([], GRID),
        looked_up(np.int32(2), GRID),
        looked_up([[0, 1]], np.ones((2, 0))),
    ],
    "masked_fill": [
        filled(GRID, MASK, -np.inf),
        filled(GRID, True, 1e30),
        filled(NOTHING, False, 0.0),
        filled(2.0, True, 1.0),
    ],
    "softmax": [along("softmax", EXTREME_ROWS), along("softmax", [2.0]), along("softmax", NOTHING, 0)],
    "log_softmax": [
        along("log_softmax", EXTREME_ROWS),
        along("log_softmax", [2.0]),
        along("log_softmax", NOTHING),
    ],
    "logsumexp": [
        along("logsumexp", [EXTREME_ROWS[0], *EXTREME_ROWS[2:]]),
        along("logsumexp", [2.0]),
        along("logsumexp", NOTHING),
    ],
    "dropout": [
        dropped(0.5, GRID),
        dropped(0.0, GRID),
        dropped(0.9, NOTHING),
        dropped(0.25, 3.0),
        dropped(0.5, FINITE),
    ],
    "matmul": [
        product(NOTHING, np.ones((3, 2))),
        product(np.ones((2, 0)), np.ones((0, 3))),
        product(GRID * 1e20, GRID.T),
    ],
}


@pytest.mark.parametrize(
    "case",
    [case for cases in EDGES.values() for case in cases],
    ids=[f"{name} {i}" for name, cases in EDGES.items() for i in range(len(cases))],
)
def test_an_op_at_its_edge_gives_what_torch_gives(case: Case) -> None:
    ours, theirs, inputs = case
    agree(ours, theirs, *inputs)


def test_every_op_of_the_contract_has_its_edges() -> None:
    contract = COURSE / "contracts" / "py" / "tinyllm" / "autograd" / "functional.pyi"
    tree = ast.parse(contract.read_text(encoding="utf-8"))
    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)] == list(EDGES)
