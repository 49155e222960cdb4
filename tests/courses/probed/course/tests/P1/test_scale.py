"""Course tests of P1."""

from __future__ import annotations

import numpy as np

from tinyarr.scale import largest, scaled


def test_scaled():
    """Each value is scaled."""
    np.testing.assert_allclose(scaled([1.0, -2.0], 3.0), [3.0, -6.0])


def test_largest():
    """The first of two equal ones."""
    assert largest([1.0, 7.0, 7.0]) == 1
