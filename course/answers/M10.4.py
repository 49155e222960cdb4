"""What the blanks of M10.4 come out as, computed by contract names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tinyllm.optim.clip import clip_grad_norm_
from tinyllm.optim.sgd import SGD


class Weight:
    """A parameter of nothing but data and grad; data starts at 2."""

    def __init__(self, *grad: float) -> None:
        self.data: NDArray[Any] = np.full(len(grad), 2.0)
        self.grad: NDArray[Any] | None = np.array(grad)


def clipped() -> tuple[float, list[Weight]]:
    """The norm from before, and both parameters with their clipped gradients."""
    params = [Weight(1.0, -3.0), Weight(4.5)]
    return clip_grad_norm_(params, 1.375), params


def stepped() -> list[float]:
    """Where all three values are after the step."""
    _, params = clipped()
    SGD(params, lr=0.5).step()
    return [float(value) for p in params for value in p.data]


def answer_norm() -> float:
    return clipped()[0]


def answer_clipped() -> list[float]:
    return [float(g) for p in clipped()[1] if p.grad is not None for g in p.grad]


def answer_after_a_step() -> float:
    return stepped()[-1]


def answer_step_length() -> float:
    return math.dist(stepped(), [2.0, 2.0, 2.0])
