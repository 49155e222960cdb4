"""Every layer and every loss at its edges against torch, with the weights as inputs: their gradients count too."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.course.against_torch import agree
from tests.course.chapter import COURSE
from tinyllm.autograd.losses import bce_with_logits, cross_entropy, mse
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import GELU, Dropout, Embedding, LayerNorm, Linear, ReLU, Sequential, Tanh

pytestmark = pytest.mark.torch

Case = tuple[Callable[..., Any], Callable[..., Any], list[Any]]

GRID = np.arange(12.0).reshape(3, 4) - 5
WEIGHT = np.random.default_rng(1).standard_normal((2, 4))
BIAS = np.array([0.5, -2.0])
NOTHING = np.ones((0, 4))
FLAT_AND_FAR = [[7.0, 7.0, 7.0, 7.0], [1e4, -1e4, 0.0, 1e4], [1e-4, 2e-4, 0.0, 0.0]]
TARGETS = np.array([[2, 9, 2], [0, 9, 2]])[:, ::2]  # repeated, and not side by side


class Given:
    """A generator that hands out given uniforms."""

    def uniforms(self, n: int) -> Any:
        return np.random.default_rng(n).uniform(size=n)


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    layer = Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    layer.weight, layer.bias = weight, bias
    return layer(x)


def embedding(ids: Any) -> Case:
    def ours(weight: Tensor) -> Tensor:
        layer = Embedding(*weight.shape)
        layer.weight = weight
        return layer(ids)

    where = np.array(ids, dtype=np.int64)
    return ours, lambda torch, w: torch.nn.functional.embedding(torch.from_numpy(where), w), [GRID]


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    layer = LayerNorm(len(weight), eps=1e-3)
    layer.weight, layer.bias = weight, bias
    return layer(x)


def dropout(x: Any, training: bool) -> Case:
    layer = Dropout(0.25, Given())
    layer.train(training)
    kept = np.array((Given().uniforms(np.size(x)) >= 0.25) | (not training)).reshape(np.shape(x))
    scale = 0.75 if training else 1.0
    return layer, lambda torch, x: torch.where(torch.from_numpy(kept), x / scale, 0.0 * x), [x]


def part(layer: Any, theirs: Callable[[Any, Any], Any]) -> list[Case]:
    return [(layer, theirs, [x]) for x in (GRID, NOTHING, 0.5, FLAT_AND_FAR)]


def linear_case(x: Any, *parameters: Any) -> Case:
    return linear, lambda torch, *inputs: torch.nn.functional.linear(*inputs), [x, *parameters]


def norm_case(x: Any) -> Case:
    def theirs(torch: Any, x: Any, w: Any, b: Any) -> Any:
        return torch.nn.functional.layer_norm(x, (4,), w, b, eps=1e-3)

    return layer_norm, theirs, [x, WEIGHT[0], WEIGHT[1]]


def in_a_row(x: Tensor, weight: Tensor) -> Tensor:
    layer = Linear(4, 2, bias=False)
    layer.weight = weight
    return Sequential(Tanh(), layer, Sequential(), ReLU())(x)


LAYERS: dict[str, list[Case]] = {
    "Linear": [
        *(linear_case(x, WEIGHT, BIAS) for x in (GRID, GRID[0], NOTHING, np.ones((2, 0, 3, 4)), 1e20 * GRID)),
        linear_case(GRID, WEIGHT),
    ],
    "Embedding": [embedding(ids) for ids in ([[1, 1, 2], [2, 2, 2]], [0] * 3000, np.int64(1), TARGETS)],
    "LayerNorm": [norm_case(x) for x in (GRID, GRID[0], NOTHING, np.ones((2, 3, 4)), FLAT_AND_FAR)],
    "Dropout": [dropout(x, training) for x in (GRID, NOTHING, 2.0) for training in (True, False)],
    "ReLU": part(ReLU(), lambda torch, x: torch.relu(x)),
    "Tanh": part(Tanh(), lambda torch, x: torch.tanh(x)),
    "GELU": part(GELU(), lambda torch, x: torch.nn.functional.gelu(x))
    + part(GELU("tanh"), lambda torch, x: torch.nn.functional.gelu(x, approximate="tanh")),
    "Sequential": [(in_a_row, lambda torch, x, w: torch.relu(torch.tanh(x) @ w.T), [GRID, WEIGHT])],
}


def entropy(z: Any, targets: Any, reduction: str = "none") -> Case:
    def theirs(torch: Any, z: Any) -> Any:
        wanted = torch.from_numpy(np.array(targets, dtype=np.int64))
        channels = z.movedim(-1, 1) if z.ndim > 1 else z
        return torch.nn.functional.cross_entropy(channels, wanted, reduction=reduction)

    return lambda z: cross_entropy(z, targets, reduction=reduction), theirs, [z]


def paired(ours: Callable[..., Any], name: str, a: Any, b: Any, reduction: str = "none") -> Case:
    def theirs(torch: Any, a: Any, b: Any) -> Any:
        return getattr(torch.nn.functional, name)(a, b, reduction=reduction)

    return lambda a, b: ours(a, b, reduction), theirs, [a, b]


CLOSE = np.array([0.0, 1.0, 0.5, 1.0])
LOSSES: dict[str, list[Case]] = {
    "cross_entropy": [
        entropy(np.zeros((0, 3)), np.zeros(0, dtype=np.int64)),
        entropy(np.zeros((0, 3)), np.zeros(0, dtype=np.int64), "sum"),
        entropy([1.0, 2.0, 3.0], np.int64(2)),
        entropy(np.linspace(-3, 3, 12).reshape(2, 2, 3), TARGETS),
        entropy([[1e4, 0.0, -1e4], [1e30, -1e30, 0.0], [0.0, -np.inf, 0.0]], [1, 0, 2]),
        entropy([[0.0, 2.0, -1.0]] * 3, [-100, 1, -100], "mean"),
    ],
    "mse": [
        paired(mse, "mse_loss", a, b, reduction)
        for reduction in ("none", "sum")
        for a, b in ((2.0, 5.0), (NOTHING, NOTHING), (GRID, GRID[::-1]), ([1e10, -1e-20], [0.0, 0.0]))
    ],
    "bce_with_logits": [
        paired(bce_with_logits, "binary_cross_entropy_with_logits", a, b, reduction)
        for reduction in ("none", "sum")
        for a, b in ((2.0, 0.25), (NOTHING, NOTHING), ([-1e4, 1e4, -1e-20, 88.0], CLOSE))
    ],
}


def cases(table: dict[str, list[Case]]) -> Any:
    found = [
        pytest.param(case, id=f"{name} {i}") for name, each in table.items() for i, case in enumerate(each)
    ]
    return pytest.mark.parametrize("case", found)


@cases(LAYERS)
def test_a_layer_at_its_edge_gives_what_torch_gives(case: Case) -> None:
    ours, theirs, inputs = case
    agree(ours, theirs, *inputs)


@cases(LOSSES)
def test_a_loss_at_its_edge_gives_what_torch_gives(case: Case) -> None:
    ours, theirs, inputs = case
    agree(ours, theirs, *inputs)


def test_every_layer_and_loss_of_the_contracts_has_its_edges() -> None:
    """But ModuleList, which holds parts and computes nothing."""
    folder = COURSE / "contracts" / "py" / "tinyllm"
    layers, losses = (
        ast.parse((folder / unit).read_text(encoding="utf-8")).body
        for unit in ("nn/layers.pyi", "autograd/losses.pyi")
    )
    assert {node.name for node in layers if isinstance(node, ast.ClassDef)} == {*LAYERS, "ModuleList"}
    assert {node.name for node in losses if isinstance(node, ast.FunctionDef)} == set(LOSSES)
