"""What the blanks of M10.2 come out as, computed by contract names."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tinyllm.optim.sgd import SGD


class Weight:
    """A parameter of nothing but data and grad."""

    def __init__(self, value: float) -> None:
        self.data: NDArray[Any] = np.array([value], dtype=np.float32)
        self.grad: NDArray[Any] | None = None


def after(*gradients: float, **settings: Any) -> float:
    """Where a parameter that starts at 3 gets to at the rate 0.25."""
    p = Weight(3.0)
    opt = SGD([p], lr=0.25, **settings)
    for gradient in gradients:
        p.grad = np.array([gradient], dtype=np.float32)
        opt.step()
    return float(p.data[0])


def answer_two_steps() -> float:
    return after(1.5, -0.5)


def answer_momentum() -> float:
    return after(1.5, -0.5, momentum=0.5)


def answer_nesterov() -> float:
    return after(1.5, -0.5, momentum=0.5, nesterov=True)


def answer_decayed() -> float:
    return after(1.5, -0.5, momentum=0.5, weight_decay=0.5)


def answer_after_zero() -> float:
    return after(1.5, 0.0, -0.5, momentum=0.5)
