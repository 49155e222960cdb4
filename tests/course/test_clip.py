"""Clipping by the common norm: worked values, torch's, and what stays untouched."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tinyllm.optim.clip import clip_grad_norm_


class Weight:
    """A parameter of nothing but data and grad."""

    def __init__(self, grad: Any, dtype: Any = np.float32) -> None:
        self.grad: NDArray[Any] | None = None if grad is None else np.array(grad, dtype=dtype)
        self.data: NDArray[Any] = np.zeros(np.shape(grad), dtype=dtype)


def test_the_norm_is_that_of_all_gradients_together() -> None:
    params = [Weight([[3.0, 0.0]]), Weight(None), Weight(4.0), Weight([12.0])]
    arrays = [p.grad for p in params]
    assert clip_grad_norm_(params, 6.5) == 13.0
    assert [p.grad if p.grad is None else p.grad.tolist() for p in params] == [[[1.5, 0.0]], None, 2.0, [6.0]]
    assert all(p.grad is array for p, array in zip(params, arrays, strict=True))
    assert params[0].grad is not None and params[0].grad.dtype == np.float32


def test_a_clipped_norm_is_the_bound_without_an_epsilon() -> None:
    params = [Weight([3e-4, 4e-4], np.float64)]
    clip_grad_norm_(params, 1e-4)
    assert clip_grad_norm_(params, 1.0) == pytest.approx(1e-4, rel=1e-12)  # torch's epsilon: 2e-3 less


@pytest.mark.parametrize("max_norm", [5.0, 5.000001, math.inf])
def test_a_norm_at_or_below_the_bound_changes_no_bit(max_norm: float) -> None:
    p = Weight([3.0, 4.0])
    assert clip_grad_norm_([p], max_norm) == 5.0
    assert p.grad is not None and p.grad.tolist() == [3.0, 4.0]


def test_without_gradients_the_norm_is_zero() -> None:
    assert clip_grad_norm_([Weight(None)], 1.0) == 0.0
    assert clip_grad_norm_(iter([]), 1.0) == 0.0


def test_parameters_may_be_an_iterator() -> None:
    p = Weight([3.0, 4.0])
    assert clip_grad_norm_(iter([p]), 0.5) == 5.0
    assert p.grad is not None
    np.testing.assert_allclose(p.grad, [0.3, 0.4], rtol=1e-6)


def test_gradients_whose_squares_overflow_float32_are_clipped_all_the_same() -> None:
    p = Weight([3e30, 4e30])
    assert clip_grad_norm_([p], 1.0) == pytest.approx(5e30, rel=1e-6)
    assert p.grad is not None
    np.testing.assert_allclose(p.grad, [0.6, 0.8], rtol=1e-6)


def test_a_million_small_entries_are_summed_without_drift() -> None:
    assert clip_grad_norm_([Weight(np.full(1_000_000, 0.1))], 1e9) == pytest.approx(
        1000 * float(np.float32(0.1)), rel=1e-12
    )


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_norm_that_is_not_finite_raises_before_any_gradient_changes(bad: float) -> None:
    params = [Weight([3.0, 4.0]), Weight([bad])]
    with pytest.raises(FloatingPointError, match="norm"):
        clip_grad_norm_(params, 1.0)
    assert params[0].grad is not None and params[0].grad.tolist() == [3.0, 4.0]


@pytest.mark.parametrize("max_norm", [0.0, -1.0, math.nan])
def test_a_bound_that_is_not_above_zero_is_refused(max_norm: float) -> None:
    with pytest.raises(ValueError, match="max_norm"):
        clip_grad_norm_([Weight([1.0])], max_norm)
