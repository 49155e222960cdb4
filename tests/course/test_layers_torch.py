"""Layers, and a whole training run, against torch with the same weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.course.against_torch import agree
from tinyllm.autograd.losses import cross_entropy
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import Embedding, LayerNorm, Linear, Sequential, Tanh
from tinyllm.nn.module import Module
from tinyllm.num.rng import PCG32
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, train_step

pytestmark = pytest.mark.torch


def normal(*shape: int) -> Any:
    return np.asarray(np.random.default_rng(len(shape)).standard_normal(shape))


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    layer = Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    layer.weight, layer.bias = weight, bias
    return layer(x)


def layer_norm(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    layer = LayerNorm(len(weight))
    layer.weight, layer.bias = weight, bias
    return layer(x)


@pytest.mark.parametrize("shape", [(5, 4), (4,), (2, 3, 4), (0, 4)])
def test_linear_of_any_leading_shape(shape: tuple[int, ...]) -> None:
    agree(
        linear,
        lambda torch, x, w, b: torch.nn.functional.linear(x, w, b),
        normal(*shape),
        normal(6, 4),
        normal(6),
    )
    agree(linear, lambda torch, x, w: torch.nn.functional.linear(x, w), normal(*shape), normal(6, 4))


@pytest.mark.parametrize("shape", [(5, 4), (4,), (2, 3, 4)])
def test_layer_norm(shape: tuple[int, ...]) -> None:
    agree(
        layer_norm,
        lambda torch, x, w, b: torch.nn.functional.layer_norm(x, (4,), w, b),
        normal(*shape) * 3 + 1,
        normal(4),
        normal(4),
    )


@pytest.mark.parametrize("clip", [None, 0.5])
def test_fifty_steps_of_training_follow_torch(clip: float | None) -> None:
    import torch

    rng = PCG32(3)
    model = Sequential(Embedding(7, 6, rng), Linear(6, 8, rng=rng), Tanh(), Linear(8, 7, rng=rng))
    twin = torch.nn.Sequential(
        torch.nn.Embedding(7, 6), torch.nn.Linear(6, 8), torch.nn.Tanh(), torch.nn.Linear(8, 7)
    )
    twin.load_state_dict({name: torch.from_numpy(x) for name, x in model.state_dict().items()})
    x = np.arange(40) % 7
    loader = DataLoader({"x": x, "y": (3 * x + 1) % 7}, 8, shuffle=True, rng=PCG32(4))
    ours = SGD(model.parameters(), 0.3, momentum=0.9, weight_decay=1e-3)
    theirs = torch.optim.SGD(twin.parameters(), 0.3, momentum=0.9, weight_decay=1e-3)
    for batch in [batch for _ in range(10) for batch in loader]:
        step = train_step(model, batch, mean_loss, ours, clip=clip)
        theirs.zero_grad()
        loss = torch.nn.functional.cross_entropy(
            twin(torch.from_numpy(batch["x"])), torch.from_numpy(batch["y"])
        )
        loss.backward()
        if clip is not None:
            norm = torch.nn.utils.clip_grad_norm_(twin.parameters(), clip)
            assert step["grad_norm"] == pytest.approx(norm.item(), rel=1e-3)
        theirs.step()
        assert step["loss"] == pytest.approx(loss.item(), rel=1e-3, abs=1e-5)
    for name, value in twin.state_dict().items():
        np.testing.assert_allclose(
            model.state_dict()[name], value.numpy(), rtol=1e-3, atol=1e-4, err_msg=name
        )


def mean_loss(model: Module, batch: dict[str, Any]) -> Tensor:
    return cross_entropy(model(batch["x"]), batch["y"])
