"""The one comparison with torch refuses what it should: a helper that lets all pass would prove nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tinyllm.autograd.functional as F
from tests.course.against_torch import agree, steps_agree
from tinyllm.autograd.tensor import Tensor, from_op
from tinyllm.optim.clip import clip_grad_norm_
from tinyllm.optim.sgd import SGD

pytestmark = pytest.mark.torch

X = np.arange(6.0).reshape(2, 3) + 1


def spoiled(forward: Callable[[Any], Any], backward: Callable[[Any], Any]) -> Callable[[Tensor], Tensor]:
    """x * 2 with its value or its gradient made otherwise."""
    return lambda x: from_op(forward(x.data * 2), (x,), lambda g: (backward(g * 2),), "spoiled")


def test_what_is_right_passes() -> None:
    agree(spoiled(lambda y: y, lambda g: g), lambda torch, x: x * 2, X)


@pytest.mark.parametrize(
    "op",
    [
        spoiled(lambda y: y * 1.0001, lambda g: g),
        spoiled(lambda y: y, lambda g: g * 1.0001),
        spoiled(lambda y: y[None], lambda g: g[0]),
        spoiled(lambda y: y.astype(np.float64), lambda g: g),
        spoiled(lambda y: np.where(y > 11, np.nan, y), lambda g: g),
        lambda x: Tensor(x.data * 2, requires_grad=True, dtype=x.dtype),
        lambda x: F.where(np.eye(2, 3) > 0, x * 2, x.detach() * 2),
    ],
    ids=["value", "gradient", "shape", "dtype", "nan", "cut off", "a share lost"],
)
def test_what_is_wrong_is_told(op: Callable[[Tensor], Tensor]) -> None:
    with pytest.raises(AssertionError):
        agree(op, lambda torch, x: x * 2, X)


@pytest.mark.parametrize(
    "settings", [{"lr": 0.1001}, {"momentum": 0.8999}, {"weight_decay": 0.0101}, {"nesterov": True}], ids=str
)
def test_an_optimiser_of_other_settings_is_told(settings: dict[str, Any]) -> None:
    right: dict[str, Any] = {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}
    with pytest.raises(AssertionError):
        steps_agree(
            lambda params: SGD(params, **{**right, **settings}).step,
            lambda torch, params: torch.optim.SGD(params, **right).step,
        )


def test_a_clip_to_another_norm_or_with_another_answer_is_told() -> None:
    def theirs(torch: Any, params: list[Any]) -> Any:
        return lambda: torch.nn.utils.clip_grad_norm_(params, 1e9)

    with pytest.raises(AssertionError):
        steps_agree(lambda params: lambda: clip_grad_norm_(params, 0.1), theirs)
    with pytest.raises(AssertionError):
        steps_agree(lambda params: lambda: 2 * clip_grad_norm_(params, 1e9), theirs)
