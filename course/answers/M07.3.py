"""The answers of M07.3: what stands in the place of each blank, computed with the reference."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from tinyllm.nn.init import calculate_gain, fans, kaiming_normal, xavier_uniform
from tinyllm.prob.rv import normal


class Told:
    """An rng that gives the uniforms it was told."""

    def __init__(self, *values: float) -> None:
        self.values = values

    def uniforms(self, n: int) -> NDArray[np.float64]:
        return np.resize(np.array(self.values), n)


def answer_pair() -> list[float]:
    """r = 3 and t = 60 degrees."""
    return [float(z) for z in normal(Told(1 - math.exp(-4.5), 1 / 6), 2)]


def answer_third() -> float:
    """r = 4 and t = 150 degrees: the cosine of the second pair."""
    return float(normal(Told(0.7, 0.9, 1 - math.exp(-8), 5 / 12), 3)[2])


def answer_kernel_fans() -> list[int]:
    """3 and 8, each times 25."""
    return list(fans((8, 3, 5, 5)))


def answer_first_weight() -> float:
    """5/3 sqrt(6 / 50) (2 · 0.9 - 1)."""
    return float(xavier_uniform((20, 30), Told(0.9, 0.2), gain=calculate_gain("tanh"))[0, 0])


def answer_kaiming_std() -> float:
    """sqrt(2 / 30): a weight over the normal that it was made of."""
    u = Told(1 - math.exp(-2), 0.0)
    return float(kaiming_normal((7, 30), u)[0, 0]) / float(normal(u, 2)[0])
