"""Normals one pair at a time, by the mathematics of plain floats."""

from __future__ import annotations

from math import cos, log1p, pi, sin, sqrt

import numpy as np


def normal(rng, n):
    if n < 0:
        raise ValueError("a negative number of normals")
    us = iter(rng.uniforms(2 * ((n + 1) // 2)).tolist())
    values = []
    for a, b in zip(us, us, strict=True):
        distance = sqrt(-2 * log1p(-a))
        values += (distance * cos(2 * pi * b), distance * sin(2 * pi * b))
    return np.array(values[:n], dtype=np.float64)
