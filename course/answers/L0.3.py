"""What the blanks of L0.3 come out as, computed by contract names in float64."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinyllm.autograd.losses import cross_entropy, mse
from tinyllm.autograd.tensor import Tensor

FIRST, SECOND = np.log([3.0, 4.0, 9.0]), np.log([1.0, 1.0, 2.0])


def leaf(values: Any) -> Tensor:
    return Tensor(values, requires_grad=True, dtype=np.float64)


def slope(x: Tensor, loss: Tensor) -> list[float]:
    """The gradient at x, as a list."""
    loss.backward()
    assert x.grad is not None
    return [float(each) for each in x.grad.ravel()]


def answer_row_cost() -> float:
    return float(cross_entropy(leaf([FIRST]), [0]).data)


def answer_row_slope() -> list[float]:
    z = leaf([FIRST])
    return slope(z, cross_entropy(z, [0]))


def answer_mean_cost() -> float:
    return float(cross_entropy(leaf([FIRST, SECOND, FIRST]), [0, 2, -100]).data)


def answer_smoothed_cost() -> float:
    return float(cross_entropy(leaf([SECOND]), [2], label_smoothing=0.3).data)


def answer_squared_slope() -> list[float]:
    prediction = leaf([2.2, -1.1, 4.3])
    return slope(prediction, mse(prediction, [1.0, 1.0, 4.0]))
