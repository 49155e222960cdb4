"""Where the library gives something else than torch on purpose: what each gives, so that no one is surprised."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tinyllm.autograd.functional as F
from tinyllm.autograd.losses import bce_with_logits, cross_entropy, mse
from tinyllm.autograd.tensor import Tensor
from tinyllm.optim.clip import clip_grad_norm_

pytestmark = pytest.mark.torch

HIDDEN = np.full((1, 3), -np.inf)


def gradient(op: Any, x: Any) -> tuple[Any, Any]:
    leaf = Tensor(x, requires_grad=True, dtype=np.float64)
    out = op(leaf)
    out.backward(np.ones(out.shape))
    assert leaf.grad is not None
    return out.data.tolist(), leaf.grad.tolist()


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
def test_a_fully_masked_row_has_no_nan_here(name: str) -> None:
    import torch

    x = torch.from_numpy(HIDDEN.copy()).requires_grad_()
    theirs = getattr(torch, name)(x, -1)
    theirs.backward(torch.ones_like(theirs))
    assert x.grad is not None
    assert theirs.isnan().any() or x.grad.isnan().any()
    value, grad = gradient(getattr(F, name), HIDDEN)
    assert value == {"softmax": [[0.0] * 3], "log_softmax": [[-math.inf] * 3], "logsumexp": [-math.inf]}[name]
    if name != "log_softmax":
        assert grad == [[0.0, 0.0, 0.0]]


def test_the_gradient_of_logsumexp_at_huge_ties_sums_to_one_here() -> None:
    """torch takes e^(x - result) with a result that has lost ln 2."""
    import torch

    x = torch.tensor([1e30, 1e30], dtype=torch.float64, requires_grad=True)
    torch.logsumexp(x, 0).backward()
    assert x.grad is not None and x.grad.tolist() == [1.0, 1.0]
    assert gradient(F.logsumexp, [1e30, 1e30])[1] == [0.5, 0.5]


def test_the_mean_of_nothing_is_an_error_here_and_the_mean_loss_of_nothing_is_0() -> None:
    import torch

    none = torch.zeros(0)
    assert none.mean().isnan() and torch.nn.functional.mse_loss(none, none).isnan()
    with pytest.raises(ValueError):
        F.mean(Tensor(np.zeros(0)))
    assert mse(Tensor(np.zeros(0)), np.zeros(0)).data == 0
    assert bce_with_logits(Tensor(np.zeros(0)), np.zeros(0)).data == 0


def test_the_mean_of_rows_that_are_all_ignored_is_0_here() -> None:
    import torch

    logits, targets = torch.zeros((2, 3)), torch.tensor([-100, -100])
    assert torch.nn.functional.cross_entropy(logits, targets).isnan()
    leaf = Tensor(np.zeros((2, 3)), requires_grad=True)
    loss = cross_entropy(leaf, [-100, -100])
    loss.backward()
    assert loss.data == 0 and leaf.grad is not None and not leaf.grad.any()


def test_losses_broadcast_nothing_here() -> None:
    import torch

    with pytest.warns(UserWarning, match="target size"):
        assert torch.nn.functional.mse_loss(torch.zeros(3, 1), torch.zeros(3)).item() == 0
    with pytest.raises(ValueError):
        mse(Tensor(np.zeros((3, 1))), np.zeros(3))


def test_an_id_below_zero_or_too_large_is_a_value_error_here() -> None:
    """torch raises IndexError for an embedding, and numpy would take -1 for the last row."""
    import torch

    with pytest.raises(IndexError):
        torch.nn.functional.embedding(torch.tensor([-1]), torch.zeros(3, 2))
    for ids in ([-1], [3]):
        with pytest.raises(ValueError):
            F.embedding(Tensor(np.zeros((3, 2))), ids)


def test_a_clipped_norm_is_the_bound_here_and_a_little_less_there() -> None:
    import torch

    ours, theirs = (
        Tensor([0.0, 0.0], dtype=np.float64),
        torch.nn.Parameter(torch.zeros(2, dtype=torch.float64)),
    )
    ours.grad, theirs.grad = np.array([3e-4, 4e-4]), torch.tensor([3e-4, 4e-4], dtype=torch.float64)
    clip_grad_norm_([ours], 1e-4)
    torch.nn.utils.clip_grad_norm_([theirs], 1e-4)
    assert np.linalg.norm(ours.grad) == pytest.approx(1e-4, rel=1e-12)
    assert theirs.grad.norm().item() == pytest.approx(1e-4 * 5e-4 / (5e-4 + 1e-6), rel=1e-12)
