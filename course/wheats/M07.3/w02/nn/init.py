"""Initial weights by one law: a scale, and plain values that it multiplies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tinyllm.prob import rv

TABLE = (
    ("linear", 1),
    ("sigmoid", 1),
    ("tanh", 25 / 9),
    ("relu", 2),
    ("leaky_relu", 2 / 1.0001),
    ("selu", 9 / 16),
)


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    try:
        out, into, *kernel = shape
    except ValueError:
        raise ValueError("a weight has at least two axes") from None
    area = int(np.prod(kernel)) if kernel else 1
    if min(out, into) <= 0 or area <= 0:
        raise ValueError("a weight has no axis of size 0")
    return into * area, out * area


def calculate_gain(nonlinearity: str) -> float:
    for name, squared in TABLE:
        if name == nonlinearity:
            return math.sqrt(squared)
    raise ValueError(f"{nonlinearity} is not in the table")


def _scaled(scale: float, plain: Any, shape: tuple[int, ...]) -> Any:
    return np.asarray(scale * plain, dtype=np.float32).reshape(shape)


def normal_init(shape: tuple[int, ...], std: float, rng: Any) -> Any:
    if math.isnan(std) or std < 0:
        raise ValueError("the standard deviation is not a number from 0 on")
    return _scaled(std, rv.normal(rng, math.prod(shape)), shape)


def xavier_uniform(shape: tuple[int, ...], rng: Any, gain: float = 1.0) -> Any:
    bound = gain * math.sqrt(6.0 / sum(fans(shape)))
    plain = rng.uniforms(math.prod(shape)) * 2.0 - 1.0
    return _scaled(bound, plain, shape)


def xavier_normal(shape: tuple[int, ...], rng: Any, gain: float = 1.0) -> Any:
    into, out = fans(shape)
    return normal_init(shape, gain / math.sqrt((into + out) / 2), rng)


def kaiming_normal(shape: tuple[int, ...], rng: Any, gain: float = math.sqrt(2.0)) -> Any:
    return normal_init(shape, gain * math.sqrt(1 / fans(shape)[0]), rng)
