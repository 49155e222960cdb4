"""Probes of P1."""

from __future__ import annotations

import numpy as np

from frozen import drawn
from tinyarr.scale import largest, scaled


def probe_scaled(seed):
    """A matrix times a number."""
    values = drawn(seed, 7)
    return {"product": scaled(values[1:].reshape(2, 3).copy(), float(values[0]))}


def probe_largest(seed):
    """The greatest of each row, and how far the next is behind; in the last row two are equal."""
    rows = drawn(seed, 20).reshape(4, 5)
    rows[3, [1, 3]] = 2.0
    low, high = np.sort(rows, axis=1)[:, -2:].T
    margin = np.where(high == low, np.inf, high - low)
    return {"index": np.array([largest(row.copy()) for row in rows], dtype=np.int64), "index.margin": margin}
