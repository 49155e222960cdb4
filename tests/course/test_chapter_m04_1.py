"""The chapter of M04.1 says what the course says, and its worked numbers are those of the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen.toml_file import read_toml
from tests.course import chapter_agrees
from tests.course.chapter import COURSE, chapter, flat, section, worked
from tinyllm.num.gradcheck import GradcheckReport, gradcheck

TEXT = chapter("M04.1")


class Leaf:
    """A parameter that holds 2."""

    def __init__(self) -> None:
        self.data: NDArray[Any] = np.array([2.0])
        self.grad: NDArray[Any] | None = None


class Cube:
    """The value and the backward of x^3, which keeps the values that it gave."""

    def __init__(self, x: Leaf, given: list[float]) -> None:
        self.x, self.data = x, np.asarray((x.data**3).sum())
        given.append(float(self.data))

    def backward(self) -> None:
        self.x.grad = 3 * self.x.data**2


def checked(given: list[float], **settings: float) -> GradcheckReport:
    x = Leaf()
    return gradcheck(lambda: Cube(x, given), [x], **settings)


def cube() -> dict[str, list[float]]:
    given: list[float] = []
    report = checked(given, eps=0.5, rtol=0.0, atol=0.5)
    strict = checked([], eps=0.5, rtol=0.01, atol=0.0025)
    found = {"above": max(given), "below": min(given), "slope": report.numeric, "a": report.analytic}
    found |= {"excess": report.excess, "strict": strict.excess}
    return {name: [value] for name, value in found.items()}


def steps() -> dict[str, list[float]]:
    eps = worked(TEXT, "steps")["eps"]
    return {"eps": eps, "error": [checked([], eps=each).numeric - 12 for each in eps]}


EXPECTED = {"cube": cube(), "steps": steps()}


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    """All that chapters agree with; no module imports this one, and the header says so."""
    manifest = read_toml(COURSE / "modules" / "M04.1.toml")
    assert manifest["used_by"] == []
    chapter_agrees._header(TEXT, {**manifest, "used_by": ["nothing"]})
    for part in (chapter_agrees._interface, chapter_agrees._tests, chapter_agrees._blanks):
        part(TEXT, manifest)
    chapter_agrees._pitfalls(TEXT, "M04.1")


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_does(title: str) -> None:
    told = worked(TEXT, title)
    assert told == {name: pytest.approx(values, abs=1e-9) for name, values in EXPECTED[title].items()}


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_the_two_wrong_slopes_are_those_of_their_formulas() -> None:
    one_side, one_step = (2.5**3 - 2**3) / 0.5, (2.5**3 - 1.5**3) / 0.5
    assert f"To one side it would be {one_side}, and divided by one step {one_step}." in flat(
        section(TEXT, "An example by hand")
    )


def test_the_given_tests_are_the_exemplars_without_the_values() -> None:
    given, filled = (
        (COURSE / kind / "M04.1" / "test_gradcheck.py").read_text(encoding="utf-8")
        for kind in ("given", "exemplars")
    )
    names = [blank["name"] for blank in read_toml(COURSE / "modules" / "M04.1.toml")["blanks"]]
    assert len(names) == 5 and "tests with five blanks" in TEXT
    for name in names:
        value = filled.partition(f"\n{name} = ")[2].partition("  #")[0]
        filled = filled.replace(f"\n{name} = {value} ", f"\n{name} = ... ")
    assert filled == given
