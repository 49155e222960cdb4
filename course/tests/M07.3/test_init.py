"""Course tests of M07.3, random variables and initial weights: the first failure says most.

Draws come from a stub that gives the uniforms it was told, or from the frozen kit's generator; laws and gains are
compared with torch. The ids s01 .. s20 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, as_array, assert_close, assert_equal, golden
from tinyllm.nn.init import (
    calculate_gain,
    fans,
    kaiming_normal,
    normal_init,
    xavier_normal,
    xavier_uniform,
)
from tinyllm.prob.rv import normal

Floats = NDArray[np.float64]
NORMALS: Any = {"rtol": 1e-12, "atol": 1e-14}  # machines differ in the last bits of log, sin and cos
WEIGHTS: Any = {"rtol": 1e-6, "atol": 1e-8}  # float32 has seven digits
SHAPE = (24, 16)  # fan_in 16, fan_out 24
Init = Callable[..., NDArray[np.float32]]
LAWS: dict[str, tuple[Init, float]] = {  # each with its standard deviation for SHAPE
    "normal_init": (lambda shape, rng: normal_init(shape, 0.02, rng), 0.02),
    "xavier_uniform": (xavier_uniform, math.sqrt(2 / 40)),
    "xavier_normal": (xavier_normal, math.sqrt(2 / 40)),
    "kaiming_normal": (kaiming_normal, math.sqrt(2 / 16)),
}


class Told:
    """An rng that has nothing but the uniforms it was told, and counts how it is asked for them."""

    def __init__(self, *values: float) -> None:
        self.values = list(values)
        self.asked: list[int] = []

    def uniforms(self, n: int) -> Floats:
        self.asked.append(n)
        given, self.values = self.values[:n], self.values[n:]
        return np.array(given, dtype=np.float64)


def pair(a: float, b: float) -> list[float]:
    """Box and Muller's two normals of two uniforms."""
    r, t = math.sqrt(-2 * math.log(1 - a)), 2 * math.pi * b
    return [r * math.cos(t), r * math.sin(t)]


def normals(u: Floats) -> Floats:
    """Those of an even number of uniforms, pair by pair."""
    return np.array([pair(a, b) for a, b in u.reshape(-1, 2)]).ravel()


def drawn(seed: int, n: int) -> Floats:
    """The n normals that this seed's generator should give."""
    return normals(PCG32(seed).uniforms(n + n % 2))[:n]


def float32(values: Any, shape: tuple[int, ...]) -> NDArray[np.float32]:
    return np.asarray(values, dtype=np.float64).astype(np.float32).reshape(shape)


def test_a_pair_of_normals() -> None:
    """r cos t and r sin t of the uniforms 0.3 and 0.6: two independent normals from two draws.

    Catches s02 (ln u), s03 (the 2 is missing under the root) and s07 (half a turn).
    """
    r, t = math.sqrt(-2 * math.log(0.7)), 1.2 * math.pi
    from_u = math.sqrt(-2 * math.log(0.3))
    wrong: Any = {
        "the logarithm is of u: take 1 - u, which is never 0": [from_u * math.cos(t), from_u * math.sin(t)],
        "the 2 is missing under the root": [z / math.sqrt(2) for z in pair(0.3, 0.6)],
        "the angle goes half a turn only: it is 2 pi u": [r * math.cos(t / 2), r * math.sin(t / 2)],
        "the sine stands before the cosine": pair(0.3, 0.6)[::-1],
    }
    got = normal(Told(0.3, 0.6), 2)
    assert_close(got, np.array(pair(0.3, 0.6)), **NORMALS, of="normal", known_wrong=wrong)


def test_pairs_follow_each_other() -> None:
    """Pair k is made of the draws 2k and 2k + 1 and stands at those places: one seed, one stream of normals.

    Catches s04 (radii from the first half of the draws) and s05 (all cosines before all sines).
    """
    u = np.array([0.3, 0.6, 0.1, 0.2, 0.95, 0.45])
    want = normals(u)
    wrong = {
        "the radii came from the first half of the draws, the angles from the second": normals(
            u.reshape(2, 3).T.ravel()
        ),
        "all cosines stand before all sines: they alternate": np.concatenate([want[0::2], want[1::2]]),
    }
    assert_close(normal(Told(*u), 6), want, **NORMALS, of="normal", known_wrong=wrong)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 501])
def test_an_odd_number_drops_the_last_sine(n: int) -> None:
    """An even number of uniforms is asked for, in one call, and the first n normals come: float64 [n].

    What is drawn next must not depend on how the normals were made. Catches s06, which drops the first cosine, and s20,
    which draws twice as many.
    """
    u = PCG32(3).uniforms(n + n % 2)
    rng, every = Told(*u), normals(u)
    first = {"the first normal was dropped: an odd number drops the last": every[-n:] if n else every}
    assert_close(normal(rng, n), every[:n], **NORMALS, of="normal", known_wrong=first)
    assert rng.asked == [n + n % 2], "one call of uniforms, for n rounded up to even"
    generator, slow = PCG32(3), PCG32(3)
    normal(generator, n)
    slow.uniforms(n + n % 2)
    assert generator.next_u32() == slow.next_u32()
    with pytest.raises(ValueError):
        normal(PCG32(0), -1)


def test_the_extreme_uniforms_give_finite_normals() -> None:
    """A uniform may be 0, never 1: 0 gives 0, and the largest gives 8.57, the greatest normal there is.

    Catches s02: once in 2^53 draws, ln 0 puts an infinity among the weights.
    """
    most = 1 - 2.0**-53
    got = normal(Told(0.0, 0.0, most, 0.0), 4)
    assert_close(got, np.array([0.0, 0.0, math.sqrt(106 * math.log(2)), 0.0]), **NORMALS, of="normal")


def test_normals_have_the_normal_law() -> None:
    """20,000 normals lie within the 1 % point of Kolmogorov's test, and the two of a pair are unrelated.

    Catches s03 (too narrow) and s07 (no negative sine).
    """
    values = np.sort(normal(PCG32(1), 20_000))
    law = np.array([0.5 * (1 + math.erf(x / math.sqrt(2))) for x in values])
    steps = np.arange(20_001) / 20_000
    distance = max(np.abs(law - steps[1:]).max(), np.abs(law - steps[:-1]).max())
    assert distance < 1.63 / math.sqrt(20_000)
    cosines, sines = normal(PCG32(2), 20_000).reshape(-1, 2).T
    assert abs(np.corrcoef(cosines, sines)[0, 1]) < 0.04 > abs(np.corrcoef(cosines**2, sines**2)[0, 1])


def test_fans_of_a_matrix_and_of_a_kernel() -> None:
    """[out, in] has fan_in in and fan_out out; a kernel multiplies both.

    Every law below rests on it. Catches s01 (the two exchanged) and s12 (the kernel left out).
    """
    exchanged = "fan_in and fan_out are exchanged: a weight is [out, in]"
    assert_equal(np.array(fans((3, 5))), [5, 3], of="fans((3, 5))", known_wrong={exchanged: [3, 5]})
    wrong = {exchanged: [42, 70], "the kernel's sizes are missing": [5, 3]}
    got = np.array(fans((3, 5, 2, 7)))
    assert_equal(got, [70, 42], of="fans((3, 5, 2, 7))", known_wrong=wrong)


@pytest.mark.parametrize("shape", [(), (3,), (0, 3), (3, 0), (3, 3, 0)])
def test_a_shape_without_fans_is_refused(shape: tuple[int, ...]) -> None:
    """ValueError, in fans and in each law that needs them: a bias has no fans, and no size is 0.

    Catches s19.
    """
    with pytest.raises(ValueError):
        fans(shape)
    for law in (xavier_uniform, xavier_normal, kaiming_normal):
        with pytest.raises(ValueError):
            law(shape, PCG32(0))


@pytest.mark.parametrize("name", ["linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu"])
def test_gains_and_fans_are_torchs(name: str) -> None:
    """Gains of six nonlinearities and fans of five shapes: whoever knows torch's initial values knows ours.

    Catches s13 (leaky_relu's slope is not squared), s01 and s12.
    """
    want = golden("M07.3/init.safetensors")
    slope = {"the slope 0.01 is not squared": math.sqrt(2 / 1.01)} if name == "leaky_relu" else {}
    near: Any = {"rtol": want.rtol, "atol": want.atol}
    got = as_array(calculate_gain(name), np.float64)
    assert_close(got, want.tensors[f"gain/{name}"], **near, of=f"the gain of {name}", known_wrong=slope)
    for n in range(5):
        shape = tuple(want.tensors[f"{n}/shape"].tolist())
        got_fans = as_array(fans(shape), np.int64)
        assert_equal(got_fans, want.tensors[f"{n}/fans"], of=f"fans({shape})")


@pytest.mark.parametrize("name", ["xavier_uniform", "xavier_normal", "kaiming_normal"])
@pytest.mark.parametrize("nonlinearity", ["linear", "tanh"])
def test_scales_are_torchs(name: str, nonlinearity: str) -> None:
    """The bound or standard deviation of each law, for five shapes and two gains, as torch has them.

    Catches s01 and s11 (fan_out for fan_in), s08 to s10 (the wrong bound or variance), s12, and s14 (no gain).
    """
    want = golden("M07.3/init.safetensors")
    law = {"xavier_uniform": xavier_uniform, "xavier_normal": xavier_normal, "kaiming_normal": kaiming_normal}
    gain = float(want.tensors[f"gain/{nonlinearity}"])
    for n in range(5):
        shape = tuple(want.tensors[f"{n}/shape"].tolist())
        scale, size = float(want.tensors[f"{n}/{nonlinearity}/{name}"]), math.prod(shape)
        plain = 2 * PCG32(n).uniforms(size) - 1 if name == "xavier_uniform" else drawn(n, size)
        got = law[name](shape, PCG32(n), gain=gain)
        wrong = mistaken(name, shape, gain, plain)
        near: Any = {"rtol": want.rtol, "atol": want.atol}
        assert_close(got, float32(scale * plain, shape), **near, of=f"{name}({shape})", known_wrong=wrong)


def mistaken(name: str, shape: tuple[int, ...], gain: float, plain: Floats) -> dict[str, Any]:
    """What each law gives with one mistake in its scale."""
    kernel = math.prod(shape[2:])
    out, into = shape[0] * kernel, shape[1] * kernel
    if name == "kaiming_normal":
        scales = {"this is gain / sqrt(fan_out): it is fan_in that an output sums": gain / math.sqrt(out)}
    elif name == "xavier_normal":
        scales = {"this is the variance: take its root": gain * 2 / (out + into)}
    else:
        bound = math.sqrt(6 / (out + into))
        scales = {
            "the standard deviation was taken as the bound: a uniform law needs sqrt(3) more": gain
            * math.sqrt(2 / (out + into)),
            "the gain is missing": bound,
        }
        folded = float32(gain * bound * (plain + 1) / 2, shape)
        return {why: float32(scale * plain, shape) for why, scale in scales.items()} | {
            "these lie in [0, a): stretch u to 2 u - 1": folded
        }
    return {why: float32(scale * plain, shape) for why, scale in scales.items()}


def test_gains_by_hand() -> None:
    """1, 5/3, sqrt 2, 3/4 and the leaky one's; another name is a ValueError, not a silent 1.

    Catches s13.
    """
    want = [1, 1, 5 / 3, math.sqrt(2), math.sqrt(2 / 1.0001), 0.75]
    names = ("linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu")
    got = as_array([calculate_gain(name) for name in names], np.float64)
    assert_close(got, np.array(want), rtol=1e-15, atol=0, of="the gains")
    with pytest.raises(ValueError):
        calculate_gain("softmax")


def test_normal_init_is_scaled_normals_in_c_order() -> None:
    """std times the normals, row by row, in any number of axes: a seed fixes each weight.

    Catches s17 (column by column) and s16 (float64).
    """
    z = drawn(6, 6)
    columns = {"the values run down the columns: fill row by row": (0.5 * z).astype("f").reshape(3, 2).T}
    got = normal_init((2, 3), 0.5, PCG32(6))
    assert_close(got, float32(0.5 * z, (2, 3)), **WEIGHTS, of="normal_init", known_wrong=columns)
    assert_close(normal_init((6,), 2.0, PCG32(6)), float32(2 * z, (6,)), **WEIGHTS)
    assert normal_init((), 1.0, PCG32(6)).shape == () and normal_init((0, 4), 1.0, PCG32(6)).size == 0
    assert not normal_init((2, 3), 0.0, PCG32(6)).any()


@pytest.mark.parametrize("std", [-0.1, math.nan])
def test_a_standard_deviation_that_is_none_is_refused(std: float) -> None:
    """ValueError: a NaN would become every weight, and be seen only in the loss. Catches s18."""
    with pytest.raises(ValueError):
        normal_init((2,), std, PCG32(0))


def test_values_are_rounded_once() -> None:
    """float64 until the end, then float32: the uniforms stretched to the bound, to the last bit.

    A seed promises bits. Catches s15, which rounds the draws before they are stretched.
    """
    bound = math.sqrt(6 / 40)
    u = PCG32(2).uniforms(24 * 16)
    early = (bound * (2 * u.astype(np.float32) - 1)).astype(np.float32).reshape(SHAPE)
    wrong = {"the draws were rounded to float32 before they were stretched": early}
    got = xavier_uniform(SHAPE, PCG32(2))
    assert_equal(got, float32(bound * (2 * u - 1), SHAPE), of="xavier_uniform", known_wrong=wrong)
    assert 0.98 * bound < np.abs(got).max() <= np.float32(bound)


@pytest.mark.parametrize("name", LAWS)
def test_weights_have_their_law(name: str) -> None:
    """Mean 0, the standard deviation of the law, float32, fresh memory; gain 2 doubles it.

    Catches s03, s08, s09, s10, s11, s14 and s16, whatever the formula looks like.
    """
    init, std = LAWS[name]
    values = np.stack([init(SHAPE, PCG32(seed)) for seed in range(20)])
    assert values.dtype == np.float32
    assert abs(values.mean()) < 4 * std / math.sqrt(values.size)
    assert_close(np.float64(values.std()), np.float64(std), rtol=0.03, atol=0, of="the standard deviation")
    if name != "normal_init":
        doubled, plain = init(SHAPE, PCG32(4), gain=2.0), init(SHAPE, PCG32(4), gain=1.0)
        assert_equal(doubled, 2 * plain, of="gain 2")
    once, again = init(SHAPE, PCG32(4)), init(SHAPE, PCG32(4))
    once[0] = 9.0
    assert not (again == 9.0).any()


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("shape", [(3, 5), (4, 4)])
def test_each_weight_takes_its_draws(name: str, shape: tuple[int, int]) -> None:
    """One generator draws all layers one after another: each leaves it where the next is to begin.

    For 15 values the uniform law takes 15 uniforms, a normal one 16. Catches s20, which takes 30.
    """
    rng, slow, size = PCG32(8), PCG32(8), math.prod(shape)
    LAWS[name][0](shape, rng)
    slow.uniforms(size if name == "xavier_uniform" else size + size % 2)
    assert rng.next_u32() == slow.next_u32()


def test_kaiming_keeps_the_signal_through_relu() -> None:
    """Four layers of ReLU, each half as wide: the mean square neither dies nor explodes.

    Catches s01 and s11: by fan_out it would double at each layer. Without the gain it would halve.
    """
    rng = PCG32(5)
    x = np.maximum(normals(rng.uniforms(256 * 50)).reshape(50, 256), 0)
    begin = float((x**2).mean())
    for wide, narrow in ((256, 128), (128, 64), (64, 32), (32, 16)):
        x = np.maximum(x @ kaiming_normal((narrow, wide), rng).T, 0)
    assert 0.5 < float((x**2).mean()) / begin < 2
