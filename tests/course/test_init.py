"""Initial values: their laws, their draws, and torch's table of gains."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import frozen.pcg32
from tinyllm.nn.init import calculate_gain, fans, kaiming_normal, normal_init, xavier_normal, xavier_uniform
from tinyllm.num.rng import PCG32
from tinyllm.prob.rv import normal

SHAPE = (300, 100)  # fan_in 100, fan_out 300
XAVIER = math.sqrt(2 / 400)
Init = Callable[[tuple[int, ...], Any], NDArray[np.float32]]
LAWS: list[tuple[str, Init, float]] = [
    ("normal_init", lambda shape, rng: normal_init(shape, 0.02, rng), 0.02),
    ("xavier_uniform", xavier_uniform, XAVIER),
    ("xavier_uniform gain 2", lambda shape, rng: xavier_uniform(shape, rng, gain=2.0), 2 * XAVIER),
    ("xavier_normal", xavier_normal, XAVIER),
    ("xavier_normal gain 3", lambda shape, rng: xavier_normal(shape, rng, gain=3.0), 3 * XAVIER),
    ("kaiming_normal", kaiming_normal, math.sqrt(2 / 100)),
    ("kaiming_normal gain 1", lambda shape, rng: kaiming_normal(shape, rng, gain=1.0), math.sqrt(1 / 100)),
]
every_law = pytest.mark.parametrize(("init", "std"), [law[1:] for law in LAWS], ids=[law[0] for law in LAWS])


@every_law
def test_the_standard_deviation_is_the_laws(init: Init, std: float) -> None:
    values = init(SHAPE, PCG32(0))
    assert (values.shape, values.dtype) == (SHAPE, np.dtype(np.float32))
    assert abs(values.mean()) < 4 * std / math.sqrt(values.size)
    assert values.std() == pytest.approx(std, rel=0.02)


@every_law
def test_any_generator_gives_the_same_values_and_is_left_at_the_same_draw(init: Init, std: float) -> None:
    ours, slow = PCG32(4), frozen.pcg32.PCG32(4)
    np.testing.assert_array_equal(init((5, 4), ours), init((5, 4), slow))
    assert ours.next_u32() == slow.next_u32()


@every_law
def test_values_are_fresh_writable_and_contiguous(init: Init, std: float) -> None:
    values = init((3, 5), PCG32(4))
    assert values.flags.c_contiguous and values.flags.writeable


def test_a_normal_init_is_std_times_the_normals_in_c_order() -> None:
    expected = (0.5 * normal(PCG32(6), 6)).astype(np.float32).reshape(2, 3)
    np.testing.assert_array_equal(normal_init((2, 3), 0.5, PCG32(6)), expected)


def test_a_normal_init_takes_any_number_of_axes() -> None:
    assert normal_init((7,), 1.0, PCG32(0)).shape == (7,)
    assert normal_init((), 1.0, PCG32(0)).shape == ()


def test_a_xavier_uniform_is_the_uniforms_stretched_to_its_bound() -> None:
    bound = math.sqrt(6 / 400)
    values = xavier_uniform(SHAPE, PCG32(2))
    expected = bound * (2 * frozen.pcg32.PCG32(2).uniforms(values.size) - 1)
    np.testing.assert_array_equal(values.reshape(-1), expected.astype(np.float32))
    assert 0.999 * bound < abs(values).max() <= np.float32(bound)


@pytest.mark.parametrize("std", [-0.1, math.nan])
def test_a_standard_deviation_below_zero_is_refused(std: float) -> None:
    with pytest.raises(ValueError, match="standard deviation"):
        normal_init((2,), std, PCG32(0))


def test_the_fans_of_a_matrix_and_of_a_kernel() -> None:
    assert fans((3, 5)) == (5, 3)
    assert fans((3, 5, 2, 7)) == (70, 42)


@pytest.mark.parametrize("shape", [(), (3,), (0, 3), (3, 0), (3, 3, 0)])
def test_fans_refuse_a_shape_without_them(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="fans"):
        fans(shape)


def test_an_unknown_nonlinearity_has_no_gain() -> None:
    with pytest.raises(ValueError, match="softmax"):
        calculate_gain("softmax")


def test_the_default_gain_of_kaiming_is_relus() -> None:
    np.testing.assert_array_equal(
        kaiming_normal((4, 4), PCG32(1)), kaiming_normal((4, 4), PCG32(1), gain=calculate_gain("relu"))
    )


@pytest.mark.torch
@pytest.mark.parametrize("name", ["linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu"])
def test_the_gains_are_torchs(name: str) -> None:
    import torch

    assert calculate_gain(name) == pytest.approx(torch.nn.init.calculate_gain(name), rel=1e-15)


@pytest.mark.torch
@pytest.mark.parametrize("shape", [(3, 5), (4, 2, 3), (4, 2, 3, 5)])
def test_the_fans_are_torchs(shape: tuple[int, ...]) -> None:
    import torch

    assert fans(shape) == torch.nn.init._calculate_fan_in_and_fan_out(torch.empty(shape))
