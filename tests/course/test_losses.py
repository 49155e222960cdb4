"""Losses: closed forms by hand, central differences, edges and errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tinyllm.autograd.losses import bce_with_logits, cross_entropy, mse
from tinyllm.autograd.tensor import Tensor
from tinyllm.num.gradcheck import gradcheck

REDUCTIONS = ["mean", "sum", "none"]


def leaf(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(0).standard_normal(shape), requires_grad=True)


def grad_of(tensor: Tensor) -> Any:
    assert tensor.grad is not None
    return tensor.grad


def test_equal_logits_cost_the_logarithm_of_their_number() -> None:
    assert cross_entropy(Tensor(np.zeros((3, 256))), [0, 7, 255]).data == pytest.approx(math.log(256))


def test_the_gradient_is_the_softmax_less_the_target_over_the_rows() -> None:
    z = Tensor(np.log([[1.0, 2.0, 5.0], [4.0, 4.0, 8.0]]), requires_grad=True)
    loss = cross_entropy(z, [2, 0])
    assert loss.data == pytest.approx((math.log(8 / 5) + math.log(4)) / 2)
    loss.backward()
    expected = (np.array([[1 / 8, 2 / 8, 5 / 8], [1 / 4, 1 / 4, 1 / 2]]) - np.eye(3)[[2, 0]]) / 2
    np.testing.assert_allclose(grad_of(z), expected, rtol=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_cross_entropy_keeps_the_dtype_and_adds_up_twice(
    reduction: str, smoothing: float, dtype: Any
) -> None:
    z = leaf(2, 3, 5)
    z.data = z.data.astype(dtype)
    loss = cross_entropy(z, [[0, 4, -100], [1, 1, 2]], label_smoothing=smoothing, reduction=reduction)
    assert loss.dtype == dtype and loss.shape == ((2, 3) if reduction == "none" else ())
    loss.backward(np.ones(loss.shape))
    first = grad_of(z).copy()
    loss.backward(np.ones(loss.shape))
    np.testing.assert_array_equal(grad_of(z), 2 * first)
    assert first.dtype == dtype and not first[0, 2].any() and first[0, 1].any()


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_cross_entropy_agrees_with_central_differences(reduction: str, smoothing: float) -> None:
    z, targets = leaf(4, 3), np.array([2, -100, 0, 0])
    weights = np.array([1.0, 5.0, -2.0, 0.5])

    def loss() -> Tensor:
        out = cross_entropy(z, targets, label_smoothing=smoothing, reduction=reduction)
        return out @ weights if reduction == "none" else out * 3.0

    report = gradcheck(loss, [z])
    assert report, str(report)


@pytest.mark.parametrize("smoothing", [0.0, 1e-6])
def test_a_small_cost_beside_great_logits_is_kept(smoothing: float) -> None:
    loss = cross_entropy(Tensor([[1000.0, 990.0]]), [0], label_smoothing=smoothing)
    cost = math.log1p(math.exp(-10)) + smoothing / 2 * 10  # two float32 near 1000 are 6e-5 apart
    assert loss.data == pytest.approx(cost, rel=2e-3)


def test_smoothing_takes_a_share_of_the_target_to_every_class() -> None:
    z, targets = leaf(4, 3), [2, 1, 0, 1]
    q = 0.7 * np.eye(3)[targets] + 0.1
    expected = np.log(np.exp(z.data).sum(axis=1)) - (q * z.data).sum(axis=1)
    losses = cross_entropy(z, targets, label_smoothing=0.3, reduction="none")
    np.testing.assert_allclose(losses.data, expected, rtol=1e-5)


@pytest.mark.parametrize("targets", [[2, 1, 0, 1], [2, -100, -100, 1], [-100, -100, 0, -100]])
def test_the_mean_and_the_sum_are_those_of_the_rows_that_count(targets: list[int]) -> None:
    z = leaf(4, 3)
    losses = cross_entropy(z, targets, reduction="none").data
    kept = np.array(targets) >= 0
    assert (losses > 0).tolist() == kept.tolist()
    assert cross_entropy(z, targets, reduction="sum").data == pytest.approx(float(losses.sum()))
    assert cross_entropy(z, targets).data == pytest.approx(float(losses.sum() / kept.sum()))


def test_one_row_alone_and_one_class_alone() -> None:
    z = leaf(3)
    one, many = cross_entropy(z, np.array(2)), cross_entropy(Tensor(z.data[None]), [2])
    assert one.shape == () and one.data == many.data
    assert cross_entropy(leaf(2, 1), [0, -100]).data == 0
    assert cross_entropy(Tensor(np.zeros((2, 2, 4))), [[0, 1], [2, 3]]).data == pytest.approx(math.log(4))


def test_ignored_rows_do_not_count_in_the_mean() -> None:
    z = leaf(3, 4)
    kept = cross_entropy(Tensor(z.data[[0, 2]]), [1, 3])
    assert cross_entropy(z, [1, -100, 3]).data == pytest.approx(float(kept.data))


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_when_every_row_is_ignored_all_is_zero(reduction: str) -> None:
    z = Tensor(np.full((2, 3), np.nan), requires_grad=True)
    loss = cross_entropy(z, [-100, -100], reduction=reduction)
    loss.backward(np.ones(loss.shape))
    assert not loss.data.any() and not grad_of(z).any()


def test_no_rows_cost_nothing() -> None:
    z = Tensor(np.ones((0, 3)), requires_grad=True)
    loss = cross_entropy(z, np.ones(0, dtype=int))
    loss.backward()
    assert loss.data == 0 and grad_of(z).shape == (0, 3)


def test_far_logits_do_not_overflow() -> None:
    z = Tensor([[1e5, 0.0], [1e5, 0.0]], requires_grad=True)
    loss = cross_entropy(z, [0, 1])
    assert loss.data == 5e4
    loss.backward()
    assert grad_of(z).tolist() == [[0, 0], [0.5, -0.5]]


def test_targets_that_change_after_the_forward_do_not_matter() -> None:
    z, targets = leaf(2, 3), np.array([0, 1])
    loss = cross_entropy(z, targets)
    targets[:] = 2
    loss.backward()
    assert grad_of(z)[0, 0] < 0 and grad_of(z)[1, 1] < 0


@pytest.mark.parametrize(
    ("shape", "targets", "options"),
    [
        ((2, 3), [0, 3], {}),
        ((2, 3), [0, -1], {}),
        ((2, 3), [0, -100], {"ignore_index": -1}),
        ((2, 3), [0.0, 1.0], {}),
        ((2, 3), [True, False], {}),
        ((2, 3), [0], {}),
        ((2, 3), [[0, 1]], {}),
        ((), 0, {}),
        ((2, 0), [0, 0], {}),
        ((2, 3), [0, 1], {"label_smoothing": 1.5}),
        ((2, 3), [0, 1], {"label_smoothing": -0.1}),
        ((2, 3), [0, 1], {"reduction": "average"}),
    ],
)
def test_what_is_no_target_is_an_error(shape: tuple[int, ...], targets: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        cross_entropy(leaf(*shape), np.array(targets), **options)


def test_the_binary_cross_entropy_by_hand() -> None:
    z = Tensor([math.log(3), -math.log(3)], requires_grad=True)
    loss = bce_with_logits(z, [1.0, 1.0])
    loss.backward()
    assert loss.data == pytest.approx((math.log(4 / 3) + math.log(4)) / 2)
    np.testing.assert_allclose(grad_of(z), [-0.125, -0.375], rtol=1e-6)
    assert bce_with_logits(z, [1.0, 0.25], "sum").data == pytest.approx(
        math.log(4 / 3) + 0.25 * math.log(4) + 0.75 * math.log(4 / 3)
    )


def test_the_squared_error_by_hand() -> None:
    a, b = Tensor([1.0, 5.0], requires_grad=True), Tensor([3.0, 5.5], requires_grad=True)
    loss = mse(a, b)
    loss.backward()
    assert loss.data == pytest.approx(4.25 / 2)
    assert grad_of(a).tolist() == [-2.0, -0.5] and grad_of(b).tolist() == [2.0, 0.5]


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("loss", [mse, bce_with_logits])
def test_other_losses_agree_with_central_differences(loss: Any, reduction: str) -> None:
    a, b = leaf(5), Tensor([0.0, 1.0, 0.3, 0.9, 0.5], requires_grad=True)
    weights = np.array([1.0, -2.0, 3.0, 0.5, 1.0])
    report = gradcheck(
        lambda: loss(a, b, reduction) @ weights if reduction == "none" else loss(a, b, reduction) * 2.0,
        [a, b],
    )
    assert report, str(report)
    assert loss(leaf(5), [0.0, 1.0, 0.0, 1.0, 1.0], reduction).dtype == np.float32


@pytest.mark.parametrize("loss", [mse, bce_with_logits])
def test_other_losses_do_not_broadcast(loss: Any) -> None:
    with pytest.raises(ValueError, match="equal shapes"):
        loss(leaf(3, 1), np.ones(3))
    with pytest.raises(ValueError, match="'avg'"):
        loss(leaf(3), np.ones(3), "avg")
