"""The chapter of M10.2 says what the course says, and its worked steps are those of the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, chapter, worked
from tests.course.chapter_agrees import assert_the_chapter_agrees
from tinyllm.optim.sgd import SGD

TEXT = chapter("M10.2")
GRADIENTS = (1.0, 1.0, -2.0)


class Weight:
    """A parameter of nothing but data and grad, in float64, so that the last digit printed is right."""

    def __init__(self) -> None:
        self.data: NDArray[Any] = np.array([1.0])
        self.grad: NDArray[Any] | None = None


def example(**settings: Any) -> dict[str, list[float]]:
    """What section 5 prints: the value after each step, and what the rule says on the way there."""
    p = Weight()
    opt = SGD([p], lr=0.5, **settings)
    found: dict[str, list[float]] = {"g": [], "b": [], "d": [], "p": []}
    for gradient in GRADIENTS:
        before, p.grad = float(p.data[0]), np.array([gradient])
        opt.step()
        buffer = opt.state_dict()["buffers"][0]
        found["g"].append(gradient + opt.weight_decay * before)
        found["b"].append(float("nan") if buffer is None else float(buffer[0]))
        found["d"].append((before - float(p.data[0])) / 0.5)
        found["p"].append(float(p.data[0]))
    return found


def valley(rate: float) -> float:
    """The factor of one step in a valley of curvature 10."""
    p = Weight()
    p.grad = 10.0 * p.data
    SGD([p], lr=rate).step()
    return float(p.data[0])


RATES = worked(TEXT, "valley")["eta"]
EXPECTED = {
    "valley": {"eta": RATES, "factor": [valley(rate) for rate in RATES]},
    "plain": example(),
    "momentum": example(momentum=0.5),
    "nesterov": example(momentum=0.5, nesterov=True),
    "decay": example(momentum=0.5, weight_decay=0.5),
}


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    assert_the_chapter_agrees("M10.2")


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_does(title: str) -> None:
    told = worked(TEXT, title)
    assert told == {name: pytest.approx(EXPECTED[title][name], abs=1e-12) for name in told}


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_no_value_of_a_blank_can_be_read_anywhere() -> None:
    manifest = read_toml(COURSE / "modules" / "M10.2.toml")
    given, filled = (
        (COURSE / kind / "M10.2" / "test_sgd.py").read_text("utf-8") for kind in ("given", "exemplars")
    )
    visible = TEXT + (COURSE / "tests" / "M10.2" / "test_sgd.py").read_text("utf-8")
    for name in (blank["name"] for blank in manifest["blanks"]):
        value = filled.split(f"\n{name} = ")[1].split()[0]
        assert value not in visible and value not in given
        filled = filled.replace(f"\n{name} = {value} ", f"\n{name} = ... ")
    assert filled == given
