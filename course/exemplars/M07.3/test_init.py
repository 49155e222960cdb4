"""Your tests of M07.3. Each ... below is a value to work out by hand, and to write in its place, before you build.

Seven digits are enough. The uniforms are chosen so that the radius and the angle are ones that you know.
"""

import math

import numpy as np
import pytest

from tinyllm.nn.init import calculate_gain, fans, kaiming_normal, normal_init, xavier_uniform
from tinyllm.prob.rv import normal

PAIR = [
    1.500000000000001,
    2.598076211353317,
]  # by hand: the two normals of the uniforms 1 - e^-4.5 and 1/6; a list of two
THIRD = -3.4641016151377517  # by hand: the last of the three normals that test_three makes
KERNEL_FANS = [75, 200]  # by hand: (fan_in, fan_out) of a weight of shape (8, 3, 5, 5); a list of two
FIRST_WEIGHT = 0.4618802070617676  # by hand: the first weight that test_xavier_uniform makes
KAIMING_STD = 0.25819888710975647  # by hand: the standard deviation of kaiming_normal for shape (7, 30)


class Told:
    """An rng that gives the uniforms it was told."""

    def __init__(self, *values):
        self.values = values

    def uniforms(self, n):
        return np.resize(np.array(self.values), n)


class Drawn:
    """An rng whose uniforms are numpy's, from a seed."""

    def __init__(self, seed):
        self.uniforms = np.random.default_rng(seed).random


def test_a_pair():
    """r cos t, r sin t."""
    assert normal(Told(1 - math.exp(-4.5), 1 / 6), 2).tolist() == pytest.approx(PAIR)


def test_three():
    """Of four uniforms; the last sine is dropped."""
    three = normal(Told(0.7, 0.9, 1 - math.exp(-8), 5 / 12), 3)
    assert three.shape == (3,)
    assert three[2] == pytest.approx(THIRD)


def test_normals_of_a_generator():
    """Mean 0 and standard deviation 1, and never infinite."""
    values = normal(Drawn(1), 10_000)
    assert abs(values.mean()) < 0.04 and abs(values.std() - 1) < 0.03
    assert np.isfinite(normal(Told(0.0, 0.0), 2)).all()


def test_fans():
    """Of a matrix and of a kernel; a bias has none."""
    assert fans((2, 9)) == (9, 2)
    assert list(fans((8, 3, 5, 5))) == KERNEL_FANS
    with pytest.raises(ValueError):
        fans((4,))


def test_xavier_uniform():
    """Stretched to the bound, and rounded to float32."""
    weights = xavier_uniform((20, 30), Told(0.9, 0.2), gain=calculate_gain("tanh"))
    assert weights.shape == (20, 30) and weights.dtype == np.float32
    assert weights[0, 0] == pytest.approx(FIRST_WEIGHT)
    assert weights[0, 1] == pytest.approx(-0.75 * FIRST_WEIGHT)


def test_kaiming_normal():
    """Its standard deviation times the normals, row by row."""
    weights = kaiming_normal((7, 30), Drawn(4))
    plain = normal(Drawn(4), 210).reshape(7, 30)
    np.testing.assert_allclose(weights, KAIMING_STD * plain, rtol=1e-5)


def test_normal_init():
    """The same for a standard deviation of one's own; a negative one is refused."""
    np.testing.assert_allclose(normal_init((3,), 0.5, Drawn(2)), 0.5 * normal(Drawn(2), 3), rtol=1e-6)
    with pytest.raises(ValueError):
        normal_init((3,), -1.0, Drawn(2))
    with pytest.raises(ValueError):
        calculate_gain("softmax")
