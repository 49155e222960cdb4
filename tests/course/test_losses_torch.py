"""Losses against torch, forward and backward."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.course.against_torch import agree
from tinyllm.autograd.losses import bce_with_logits, cross_entropy, mse

pytestmark = pytest.mark.torch

REDUCTIONS = ["mean", "sum", "none"]
LOGITS = np.random.default_rng(0).standard_normal((6, 5)) * 3
TARGETS = np.array([4, 0, 2, 2, 1, 3])


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("smoothing", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("targets", [TARGETS, np.where(TARGETS == 2, -100, TARGETS)], ids=["all", "some"])
def test_cross_entropy_with_every_option(targets: Any, smoothing: float, reduction: str) -> None:
    agree(
        lambda z: cross_entropy(z, targets, label_smoothing=smoothing, reduction=reduction),
        lambda torch, z: torch.nn.functional.cross_entropy(
            z, torch.from_numpy(targets), label_smoothing=smoothing, reduction=reduction
        ),
        LOGITS,
    )


def test_cross_entropy_ignores_a_class_of_ones_choice() -> None:
    agree(
        lambda z: cross_entropy(z, TARGETS, ignore_index=2),
        lambda torch, z: torch.nn.functional.cross_entropy(z, torch.from_numpy(TARGETS), ignore_index=2),
        LOGITS,
    )


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_cross_entropy_has_its_classes_last(reduction: str) -> None:
    agree(
        lambda z: cross_entropy(z, TARGETS.reshape(2, 3), reduction=reduction),
        lambda torch, z: torch.nn.functional.cross_entropy(
            z.permute(0, 2, 1), torch.from_numpy(TARGETS.reshape(2, 3)), reduction=reduction
        ),
        LOGITS.reshape(2, 3, 5),
    )


def test_cross_entropy_of_one_row_and_of_extreme_logits() -> None:
    agree(
        lambda z: cross_entropy(z, np.array(1)),
        lambda torch, z: torch.nn.functional.cross_entropy(z, torch.tensor(1)),
        [0.0, 1.0, 2.0],
    )
    agree(
        lambda z: cross_entropy(z, np.array([0, 1, 2])),
        lambda torch, z: torch.nn.functional.cross_entropy(z, torch.tensor([0, 1, 2])),
        [[1e4, -1e4, 0.0], [1e4, -1e4, 0.0], [-np.inf, 1.0, 2.0]],
    )


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("shape", [(3, 4), (), (0, 2)])
def test_mse_and_bce_give_gradients_to_both_sides(shape: tuple[int, ...], reduction: str) -> None:
    if shape == (0, 2) and reduction == "mean":
        reduction = "sum"  # the mean of nothing is 0 here and NaN in torch
    rng = np.random.default_rng(1)
    a, b = np.asarray(rng.standard_normal(shape)) * 5, np.asarray(rng.uniform(size=shape))
    agree(
        lambda a, b: mse(a, b, reduction),
        lambda torch, a, b: torch.nn.functional.mse_loss(a, b, reduction=reduction),
        a,
        b,
    )
    agree(
        lambda a, b: bce_with_logits(a, b, reduction),
        lambda torch, a, b: torch.nn.functional.binary_cross_entropy_with_logits(a, b, reduction=reduction),
        a,
        b,
    )


def test_bce_does_not_overflow() -> None:
    agree(
        lambda z: bce_with_logits(z, [1.0, 0.0, 1.0, 0.0, 0.5]),
        lambda torch, z: torch.nn.functional.binary_cross_entropy_with_logits(
            z, torch.tensor([1.0, 0.0, 1.0, 0.0, 0.5], dtype=z.dtype)
        ),
        [-1e4, 1e4, 90.0, -90.0, 0.0],
    )
