"""The chapter of L0.1 says what the course says, and its worked numbers are those of the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from frozen.toml_file import read_toml
from tests.course import chapter_agrees
from tests.course.chapter import COURSE, chapter, flat, section, worked
from tinyllm.autograd.tensor import Tensor

TEXT = chapter("L0.1")


def leaf(values: Any) -> Tensor:
    return Tensor(values, requires_grad=True)


def numbers() -> dict[str, dict[str, Any]]:
    """The graph of numbers; the gradients between are those of graphs that begin there."""
    a, b = leaf(2.0), leaf(-3.0)
    c = a * b
    loss = c * (a + c)
    loss.backward()
    at_c, at_d = leaf(c.data), leaf((a + c).data)
    (at_c * (a.detach() + at_c)).backward()
    (c.detach() * at_d).backward()
    forward = {"c": c.data, "d": (a + c).data, "L": loss.data}
    return {
        "forward": forward,
        "backward": {"dd": at_d.grad, "dc": at_c.grad, "da": a.grad, "db": b.grad},
    }


def matrices() -> dict[str, Any]:
    x, w, b = leaf([[1, 2], [3, 4]]), leaf([[1], [-1]]), leaf([0.5])
    z = x @ w + b
    y = z**2
    y.backward([[1.0], [2.0]])
    at_z = leaf(z.data)
    (at_z**2).backward([[1.0], [2.0]])
    return {"z": z.data, "y": y.data, "dz": at_z.grad, "dw": w.grad, "dx": x.grad, "db": b.grad}


def places() -> dict[str, Any]:
    t = leaf([10.0, 20.0, 30.0])
    t[[0, 2, 0]].backward([1.0, 2.0, 3.0])
    return {"dt": t.grad}


EXPECTED = {**numbers(), "matrices": matrices(), "places": places()}


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    """All that chapters agree with, but for blanks: at rung R0 a student writes no tests."""
    manifest = read_toml(COURSE / "modules" / "L0.1.toml")
    for part in (chapter_agrees._header, chapter_agrees._interface, chapter_agrees._tests):
        part(TEXT, manifest)
    chapter_agrees._pitfalls(TEXT, "L0.1")


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_reference_computes(title: str) -> None:
    told = worked(TEXT, title)
    assert told == {name: np.ravel(value).tolist() for name, value in EXPECTED[title].items()}


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_the_wrong_values_named_are_those_of_the_faults() -> None:
    """18 or -6 by the order in which c and a come; -8 where c has d's value alone."""
    a, b, c, d = 2.0, -3.0, -6.0, -4.0
    last_shares_of_a = {b * c, c}  # c has its last share, that of d, alone: c; then a has one of its two
    assert last_shares_of_a == {18.0, -6.0} and a * d == -8.0
    example = flat(section(TEXT, "An example by hand"))
    assert r"gets 18 or −6 for $\bar{a}$" in example and r"gets $\bar{b} = -8$" in example


def test_the_counts_told_are_the_courses() -> None:
    tests = (COURSE / "tests" / "L0.1" / "test_tensor.py").read_text(encoding="utf-8")
    manifest = read_toml(COURSE / "modules" / "L0.1.toml")
    smoke = [test for test in manifest["tests"] if "smoke" in test["kinds"]]
    assert len(smoke) == 3 and "the three quick ones" in TEXT
    assert "range(20_000)" in tests and "20,000 additions" in TEXT
    assert "range(6))" in tests and "six graphs drawn from a seed" in TEXT
    expressions = tests.partition("EXPRESSIONS: dict[str, Binary] = {")[2].partition("\n}")[0]
    assert expressions.count('\n    "') == 15 and "fifteen expressions" in TEXT
