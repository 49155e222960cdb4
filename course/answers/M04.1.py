"""What the blanks of M04.1 come out as, computed by contract names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tinyllm.num.gradcheck import gradcheck

Array = NDArray[Any]


class Leaf:
    """A parameter of nothing but data and grad."""

    def __init__(self, values: Any) -> None:
        self.data: Array = np.array(values, dtype=np.float32)
        self.grad: Array | None = None


class Result:
    """One number, and a backward that leaves these gradients in these parameters."""

    def __init__(self, value: Any, leaves: Sequence[Leaf], grads: Sequence[Array]) -> None:
        self.data, self.leaves, self.grads = np.asarray(value), leaves, grads

    def backward(self) -> None:
        for leaf, grad in zip(self.leaves, self.grads, strict=True):
            leaf.grad = grad


def answer_cube_slope() -> float:
    x = Leaf([3.0])
    return gradcheck(lambda: Result((x.data**3).sum(), [x], [3 * x.data**2]), [x], eps=0.25).numeric


def answer_kink_slope() -> float:
    x = Leaf([0.375])
    return gradcheck(lambda: Result(np.abs(x.data).sum(), [x], [np.sign(x.data)]), [x], eps=0.5).numeric


def answer_excess() -> float:
    x = Leaf([1.0])
    report = gradcheck(
        lambda: Result((5 * x.data).sum(), [x], [0 * x.data + 8]), [x], eps=0.5, rtol=0.2, atol=0.25
    )
    return report.excess


def answer_calls() -> int:
    a, b, calls = Leaf(np.ones((2, 3))), Leaf(np.ones(4)), []

    def f() -> Result:
        calls.append(1)
        return Result(a.data.sum() + b.data.sum(), [a, b], [np.ones((2, 3)), np.ones(4)])

    gradcheck(f, [a, b])
    return len(calls)


def answer_worst() -> list[int]:
    a, b = Leaf([[1, 1]]), Leaf(np.ones((7, 5)))
    slopes = [np.array([[2000.0, 1.0]]), np.ones((7, 5))]
    slopes[1].flat[0] = 50.0
    wrong = [each.copy() for each in slopes]
    wrong[0].flat[0] += 1.0
    wrong[1].flat[0] += 0.1
    wrong[1].flat[28] += 0.01

    def f() -> Result:
        value = (slopes[0] * a.data).sum() + (slopes[1] * b.data).sum()
        return Result(value, [a, b], wrong)

    report = gradcheck(f, [a, b], eps=0.5)
    return [report.param, *report.index]
