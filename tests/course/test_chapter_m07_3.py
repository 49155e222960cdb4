"""The chapter of M07.3 says what the course says, and its worked examples are what the units give."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.course.chapter import chapter, code_names, flat, section, table, worked
from tests.course.chapter_agrees import assert_the_chapter_agrees
from tinyllm.nn.init import calculate_gain, fans, kaiming_normal, xavier_normal, xavier_uniform
from tinyllm.prob.rv import normal

TEXT = chapter("M07.3")
U = [0.3, 0.6]


class Told:
    """An rng that gives the same uniforms over and over."""

    def __init__(self, *values: float) -> None:
        self.values = values

    def uniforms(self, n: int) -> NDArray[np.float64]:
        return np.resize(np.array(self.values), n)


def pair() -> dict[str, Any]:
    r, t = math.sqrt(-2 * math.log(0.7)), 2 * math.pi * 0.6
    return {"u": U, "-2 ln": r * r, "r": r, "t": t, "z": normal(Told(*U), 2)}


def mistakes() -> dict[str, Any]:
    """ln u is what 1 - u in the place of u gives; without the 2 all is smaller by the root of 2."""
    return {"ln u": normal(Told(0.7, 0.6), 2), "no 2": normal(Told(*U), 2) / math.sqrt(2)}


def bound(shape: tuple[int, ...], gain: float = 1.0) -> float:
    """That of xavier_uniform: the weight of the greatest draw."""
    return float(xavier_uniform(shape, Told(1.0), gain=gain).ravel()[0])


def deviation(init: Any, shape: tuple[int, ...], **gain: float) -> float:
    """A law's standard deviation: a weight over the normal that it was made of."""
    return float(init(shape, Told(*U), **gain).ravel()[0]) / float(normal(Told(*U), 2)[0])


def matrix() -> dict[str, Any]:
    shape = (3, 5)
    return {
        "fans": fans(shape),
        "xavier sigma": deviation(xavier_normal, shape),
        "xavier bound": bound(shape),
        "kaiming sigma": deviation(kaiming_normal, shape),
        "uniform weight": xavier_uniform(shape, Told(*U))[0, 0],
        "xavier weights": xavier_normal(shape, Told(*U))[0, :2],
        "kaiming weights": kaiming_normal(shape, Told(*U))[0, :2],
        "tanh bound": bound(shape, calculate_gain("tanh")),
    }


def kernel() -> dict[str, Any]:
    shape = (4, 2, 3)
    return {"fans": fans(shape), "xavier sigma": deviation(xavier_normal, shape)}


EXPECTED = {"pair": pair(), "mistakes": mistakes(), "matrix": matrix(), "kernel": kernel()}


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    assert_the_chapter_agrees("M07.3")


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_units_give(title: str) -> None:
    told = worked(TEXT, title)
    assert list(told) == list(EXPECTED[title])
    for name, values in told.items():
        assert values == pytest.approx(np.ravel(EXPECTED[title][name]).tolist(), abs=5.5e-7), name


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_the_table_of_gains_is_the_contracts() -> None:
    values = {"1": 1.0, "5/3": 5 / 3, "$\\sqrt 2$": math.sqrt(2), "3/4": 0.75}
    values["$\\sqrt{2 / (1 + 0.01^2)}$"] = math.sqrt(2 / (1 + 0.01**2))
    rows = table(section(TEXT, "How large").partition("The table is torch's")[2])
    told = {name: values[row[1]] for row in rows for name in code_names(row[0])}
    assert {name: calculate_gain(name) for name in told} == pytest.approx(told)
    assert list(told) == ["linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu"]


def test_the_numbers_of_the_prose_and_of_the_pitfalls() -> None:
    text = flat(TEXT)
    assert f"by 0.7 in each of twenty layers makes {0.7**20:.4f} in the end" in text
    assert f"it is {normal(Told(1 - 2.0**-53, 0.0), 2)[0]:.2f}." in text
    assert f"standard deviation {math.sqrt(0.5):.2f}, and so have all weights" in text
    positive = math.sqrt(2 / math.pi) / 2  # half of the normals have the mean of |z|, the others 0
    assert f"a mean of {positive:.1f} standard deviations" in text
    assert f"gain of leaky_relu is {math.sqrt(2 / 1.01):.3f}, half a percent too small" in text
    assert math.sqrt(2 / 1.01) / calculate_gain("leaky_relu") == pytest.approx(0.995, abs=5e-4)
    assert "3 by 5 starts with weights nearly four times too large" in text and 3.8 < math.sqrt(15) < 4
