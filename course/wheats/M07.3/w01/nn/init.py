"""Initial weights filled value by value into an array that was made before."""

from __future__ import annotations

import math

import numpy as np

from tinyllm.prob.rv import normal


def fans(shape):
    sizes = tuple(int(size) for size in shape)
    if len(sizes) < 2 or any(size < 1 for size in sizes):
        raise ValueError("no fans")
    every = 1
    for size in sizes:
        every *= size
    return every // sizes[0], every // sizes[1]


def calculate_gain(nonlinearity):
    if nonlinearity in ("linear", "sigmoid"):
        return 1.0
    if nonlinearity == "relu":
        return 2**0.5
    if nonlinearity == "tanh":
        return 5 / 3
    if nonlinearity == "leaky_relu":
        return (2 / (1 + 1e-4)) ** 0.5
    if nonlinearity == "selu":
        return 3 / 4
    raise ValueError("unknown nonlinearity")


def _filled(shape, values):
    weights = np.empty(shape, dtype=np.float32)
    for place, value in zip(np.ndindex(weights.shape), values, strict=True):
        weights[place] = value
    return weights


def _size(shape):
    return int(np.prod(np.array(shape, dtype=np.int64)))


def normal_init(shape, std, rng):
    if std != std or std < 0:
        raise ValueError("no standard deviation")
    return _filled(shape, std * normal(rng, _size(shape)))


def xavier_uniform(shape, rng, gain=1.0):
    into, out = fans(shape)
    limit = gain * math.sqrt(6.0 / (into + out))
    return _filled(shape, [limit * (u + u - 1) for u in rng.uniforms(_size(shape)).tolist()])


def xavier_normal(shape, rng, gain=1.0):
    into, out = fans(shape)
    return _filled(shape, gain * math.sqrt(2.0 / (into + out)) * normal(rng, _size(shape)))


def kaiming_normal(shape, rng, gain=math.sqrt(2.0)):  # noqa: B008
    into, _ = fans(shape)
    return _filled(shape, gain * into**-0.5 * normal(rng, _size(shape)))
