"""Box–Muller normals: the formula, the order of the draws, and the law."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import frozen.pcg32
from tinyllm.num.rng import PCG32
from tinyllm.prob.rv import normal


class Given:
    """An rng that has nothing but uniforms, and only those that it was given."""

    def __init__(self, values: list[float]) -> None:
        self.values = values

    def uniforms(self, n: int) -> NDArray[np.float64]:
        assert n == len(self.values)
        return np.array(self.values)


def test_a_pair_is_r_cos_t_then_r_sin_t() -> None:
    radius, angle = math.sqrt(-2 * math.log(1 - 0.3)), 2 * math.pi * 0.6
    expected = [radius * math.cos(angle), radius * math.sin(angle)]
    np.testing.assert_allclose(normal(Given([0.3, 0.6]), 2), expected, rtol=1e-14)


def test_pairs_follow_each_other_in_the_order_of_the_draws() -> None:
    both = normal(Given([0.3, 0.6, 0.1, 0.2]), 4)
    np.testing.assert_array_equal(both[:2], normal(Given([0.3, 0.6]), 2))
    np.testing.assert_array_equal(both[2:], normal(Given([0.1, 0.2]), 2))


def test_an_odd_number_drops_the_last_sine() -> None:
    values = [0.3, 0.6, 0.1, 0.2]
    np.testing.assert_array_equal(normal(Given(values), 3), normal(Given(values), 4)[:3])


def test_the_extreme_uniforms_give_finite_normals() -> None:
    extremes = normal(Given([0.0, 0.0, 1 - 2.0**-53, 1 - 2.0**-53, 2.0**-53, 0.5]), 6)
    assert np.isfinite(extremes).all()
    assert extremes[0] == 0.0
    assert extremes[2] == pytest.approx(math.sqrt(2 * 53 * math.log(2)))
    assert extremes[4] == pytest.approx(-math.sqrt(2 * 2.0**-53))


@pytest.mark.parametrize("n", [0, 1, 2, 5000, 5001])
def test_any_generator_gives_the_same_normals(n: int) -> None:
    drawn = normal(PCG32(3), n)
    assert (drawn.shape, drawn.dtype) == ((n,), np.dtype(np.float64))
    np.testing.assert_array_equal(drawn, normal(frozen.pcg32.PCG32(3), n))


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError):
        normal(PCG32(0), -1)


def kolmogorov_distance(values: NDArray[Any]) -> float:
    """The greatest distance between the values' distribution and the standard normal's."""
    law = np.array([0.5 * (1 + math.erf(x / math.sqrt(2))) for x in np.sort(values)])
    steps = np.arange(len(values) + 1) / len(values)
    return float(max(np.abs(law - steps[1:]).max(), np.abs(law - steps[:-1]).max()))


def test_the_law_is_the_standard_normal() -> None:
    values = normal(PCG32(1), 40_000)
    assert kolmogorov_distance(values) < 1.63 / math.sqrt(len(values))  # the 1 % point of the test
    assert abs(np.corrcoef(values[0::2], values[1::2])[0, 1]) < 4 / math.sqrt(len(values) / 2)
