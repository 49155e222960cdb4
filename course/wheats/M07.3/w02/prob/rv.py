"""Normals as complex numbers: a pair is the real and the imaginary part of r exp(i t)."""

from __future__ import annotations

import numpy as np


def normal(rng, n):
    if n < 0:
        raise ValueError(f"{n} normals cannot be drawn")
    u = np.reshape(rng.uniforms(n + (n & 1)), (-1, 2))
    z = np.sqrt(-2.0 * np.log(1.0 - u[:, 0])) * np.exp(2j * np.pi * u[:, 1])
    return np.ascontiguousarray(z).view(np.float64)[:n].copy()
