"""Probes of M07.3: normals and initial weights for seeds that nobody has seen before.

Draws come from the frozen PCG32. A probe judges nothing: it gives arrays, for a comparison elsewhere.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32, returned
from tinyllm.nn.init import (
    calculate_gain,
    fans,
    kaiming_normal,
    normal_init,
    xavier_normal,
    xavier_uniform,
)
from tinyllm.prob.rv import normal

Arrays = dict[str, ArrayLike]


class Told:
    """An rng that has nothing but the uniforms it was told."""

    def __init__(self, values: list[float]) -> None:
        self.values = values

    def uniforms(self, n: int) -> NDArray[np.float64]:
        return np.array(self.values[:n], dtype=np.float64)


def drawn_shape(rng: PCG32, axes: int) -> tuple[int, ...]:
    return tuple(2 + rng.below(5) for _ in range(axes))


def probe_normals(seed: int) -> Arrays:
    """Odd and even numbers of normals, and those of the extreme uniforms."""
    rng = PCG32(seed)
    found: Arrays = {f"{n} normals": normal(rng, n) for n in (0, 1, 2, 7, 20 + rng.below(20))}
    most = 1 - 2.0**-53
    return found | {"extremes": normal(Told([0.0, 0.25, most, rng.uniform(), 2.0**-53, most]), 6)}


def probe_fans(seed: int) -> Arrays:
    """Fans of matrices and of kernels in one, two and three dimensions."""
    rng = PCG32(seed)
    shapes = [drawn_shape(rng, axes) for axes in (2, 2, 3, 4, 5)]
    return {"fans": np.array([fans(shape) for shape in shapes], dtype=np.int64)}


def probe_gains(seed: int) -> Arrays:
    """The gain of each nonlinearity, in an order that the seed gives."""
    names = ["linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu"]
    PCG32(seed).shuffle(names)
    return {name: np.float64(returned(calculate_gain(name), name)) for name in names}


def probe_weights(seed: int) -> Arrays:
    """Each law on a matrix and on a kernel, with its own gain and with another, from one generator."""
    rng = PCG32(seed)
    found: Arrays = {}
    for axes in (2, 4):
        shape, gain = drawn_shape(rng, axes), 0.5 + rng.uniform()
        found[f"normal_init {axes}"] = normal_init(shape, gain, rng)
        for name, law in (
            ("uniform", xavier_uniform),
            ("normal", xavier_normal),
            ("kaiming", kaiming_normal),
        ):
            found[f"{name} {axes}"] = law(shape, rng)
            found[f"{name} {axes} with a gain"] = law(shape, rng, gain=gain)
    return found | {"row": normal_init((5,), 2.0, rng), "number": normal_init((), 2.0, rng)}


def probe_draws(seed: int) -> Arrays:
    """Where each law leaves its generator: the draw that comes next. And the bits of uniform weights."""
    rng = PCG32(seed)
    shape, after = drawn_shape(rng, 2), []
    laws = (xavier_uniform, xavier_normal, kaiming_normal)
    for each in range(4):
        ours = PCG32(seed, seq=each)
        normal_init(shape, 1.0, ours) if each == 3 else laws[each](shape, ours)
        after.append(ours.next_u32())
    return {"next draws": np.array(after, dtype=np.int64), "bits": xavier_uniform((40, 30), rng)}
