"""The chapter of M10.4 says what the course says, and its worked example is what the reference does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen.toml_file import read_toml
from tests.course.chapter import COURSE, chapter, flat, worked
from tests.course.chapter_agrees import assert_the_chapter_agrees
from tinyllm.optim.clip import clip_grad_norm_

TEXT = chapter("M10.4")
FIRST, SECOND, BOUND = [2.0, 3.0], [6.0], 3.5


class Weight:
    """A parameter of nothing but data and grad, in float64, so that the last digit printed is right."""

    def __init__(self, grad: list[float]) -> None:
        self.data: NDArray[Any] = np.zeros(len(grad))
        self.grad: NDArray[Any] | None = np.array(grad)


def clipped(*grads: list[float], bound: float = BOUND) -> tuple[float, list[float]]:
    """The norm, and all gradients afterwards."""
    params = [Weight(grad) for grad in grads]
    norm = clip_grad_norm_(params, bound)
    return norm, [float(g) for p in params if p.grad is not None for g in p.grad]


NORM, HALVED = clipped(FIRST, SECOND)
SQUARES = [g * g for g in FIRST + SECOND]
OWN = [clipped(FIRST)[0], clipped(SECOND)[0]]
EXPECTED: dict[str, dict[str, Any]] = {
    "clipping": {
        "squares": SQUARES, "sum": [sum(SQUARES)], "norm": [NORM], "bound": [BOUND], "factor": [BOUND / NORM],
        "clipped": HALVED,
    },
    "otherwise": {
        "by element": [min(g, BOUND) for g in FIRST + SECOND],
        "by parameter": clipped(FIRST)[1] + clipped(SECOND)[1],
        "sum of norms": [sum(OWN)], "no root": [NORM**2], "mean": [(NORM**2 / 3) ** 0.5],
    },
}  # fmt: skip


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    assert_the_chapter_agrees("M10.4")


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_does(title: str) -> None:
    want = {name: pytest.approx(values, abs=5.1e-7) for name, values in EXPECTED[title].items()}
    assert worked(TEXT, title) == want


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_the_numbers_of_the_prose() -> None:
    together = clipped(EXPECTED["otherwise"]["by parameter"])[0]
    assert f"# norms {OWN[0]:.6f} and {OWN[1]:g}: together {together:.6f}" in TEXT
    with np.errstate(over="ignore", under="ignore"):
        great, small = np.array([2e19, 1e-23], dtype=np.float32) ** 2
    assert np.isinf(great) and small == 0
    assert f"The greatest float32 is about {float(np.finfo(np.float32).max):.2g}".replace("+", "") in TEXT
    assert "a value of 2e19 has no square in float32, and one of 1e-23 has the square 0" in flat(TEXT)
    a_hundred = [each for _ in range(100) for each in clipped([10.0], bound=1.0)[1]]
    assert clipped(a_hundred)[0] == pytest.approx(10.0)
    assert "a model of a hundred parameters may still go ten times as far as the bound says" in flat(TEXT)


def test_no_value_of_a_blank_can_be_read_anywhere() -> None:
    manifest = read_toml(COURSE / "modules" / "M10.4.toml")
    given, filled = (
        (COURSE / kind / "M10.4" / "test_clip.py").read_text("utf-8") for kind in ("given", "exemplars")
    )
    visible = TEXT + (COURSE / "tests" / "M10.4" / "test_clip.py").read_text("utf-8")
    for name in (blank["name"] for blank in manifest["blanks"]):
        value = filled.split(f"\n{name} = ")[1].partition("  #")[0]
        assert value.strip("[]") not in visible and value not in given
        filled = filled.replace(f"\n{name} = {value}", f"\n{name} = ...")
    assert filled == given
