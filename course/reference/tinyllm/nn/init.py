"""Initial values of parameters, as float32 arrays drawn from one generator.

Each function draws prod(shape) values in C order. Names and laws follow torch.nn.init.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tinyllm.prob.rv import normal

_GAINS = {
    "linear": 1.0,
    "sigmoid": 1.0,
    "tanh": 5.0 / 3.0,
    "relu": math.sqrt(2.0),
    "leaky_relu": math.sqrt(2.0 / (1.0 + 0.01**2)),
    "selu": 0.75,
}


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """(fan_in, fan_out) of a weight [out, in, *kernel]."""
    if len(shape) < 2 or min(shape) < 1:
        raise ValueError(f"fans need a shape [out, in, …] of two or more positive sizes, got {shape}")
    kernel = math.prod(shape[2:])
    return shape[1] * kernel, shape[0] * kernel


def calculate_gain(nonlinearity: str) -> float:
    """The factor that keeps the variance of a signal through the nonlinearity; torch's table."""
    if nonlinearity not in _GAINS:
        raise ValueError(f"no gain is known for {nonlinearity!r}: use one of {', '.join(_GAINS)}")
    return _GAINS[nonlinearity]


def normal_init(shape: tuple[int, ...], std: float, rng: Any) -> NDArray[np.float32]:
    """float32 [*shape], normal with mean 0 and the given standard deviation."""
    if not std >= 0:
        raise ValueError(f"a standard deviation must be at least 0, got {std}")
    return _float32(std * normal(rng, math.prod(shape)), shape)


def xavier_uniform(shape: tuple[int, ...], rng: Any, gain: float = 1.0) -> NDArray[np.float32]:
    """float32 [*shape], uniform in [-a, a] with a = gain sqrt(6 / (fan_in + fan_out))."""
    bound = gain * math.sqrt(6.0 / sum(fans(shape)))
    return _float32(bound * (2.0 * rng.uniforms(math.prod(shape)) - 1.0), shape)


def xavier_normal(shape: tuple[int, ...], rng: Any, gain: float = 1.0) -> NDArray[np.float32]:
    """float32 [*shape], normal with std = gain sqrt(2 / (fan_in + fan_out))."""
    return normal_init(shape, gain * math.sqrt(2.0 / sum(fans(shape))), rng)


def kaiming_normal(shape: tuple[int, ...], rng: Any, gain: float = math.sqrt(2.0)) -> NDArray[np.float32]:
    """float32 [*shape], normal with std = gain / sqrt(fan_in)."""
    return normal_init(shape, gain / math.sqrt(fans(shape)[0]), rng)


def _float32(values: NDArray[np.float64], shape: tuple[int, ...]) -> NDArray[np.float32]:
    """The values, rounded once, in C order."""
    return values.astype(np.float32).reshape(shape)
