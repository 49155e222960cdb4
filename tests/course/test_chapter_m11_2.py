"""The chapter of M11.2 says what the course says, and its worked examples are what the accumulator gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.course.chapter import chapter, flat, worked
from tests.course.chapter_agrees import assert_the_chapter_agrees
from tinyllm.info.ppl import NLLAccumulator, perplexity

TEXT = chapter("M11.2")
BIT = math.log(2)


def accumulated(*batches: list[float]) -> dict[str, Any]:
    tally = NLLAccumulator()
    for batch in batches:
        tally.add(batch)
    return tally.result()


def figures() -> dict[str, Any]:
    tally, costs = NLLAccumulator(), [BIT, 3 * BIT]
    tally.add(costs, n_bytes=3)
    return {"bits": [1, 3], "nll": costs, **tally.result()}


def mistakes() -> dict[str, Any]:
    right = figures()
    return {
        "2 to the mean": 2 ** right["nll_mean"],
        "nats per byte": right["nll_sum"] / right["n_bytes"],
    }


def batches() -> dict[str, Any]:
    long, short = [2 * BIT] * 3, [6 * BIT]
    both = accumulated(long, short)
    apart = [accumulated(each) for each in (long, short)]
    means = sum(each["bits_per_token"] for each in apart) / 2
    return {
        "mean in bits": both["bits_per_token"],
        "ppl": both["ppl"],
        "mean of means": means,
        "its exponential": 2**means,
        "mean of the ppls": sum(each["ppl"] for each in apart) / 2,
    }


def compensation() -> dict[str, Any]:
    """By the formula of section 6, in floats; the last total is compared with the accumulator's."""
    s, c, found = 2.0**53, 0.0, [(0.0, 0.0, 0.0)]
    for x in (3.0, 1.0):
        t = s + x
        c += (s - t) + x
        s = t
        found.append((s - 2.0**53, c, s - 2.0**53 + c))
    assert accumulated([2.0**53], [3.0], [1.0])["nll_sum"] == s + c == 2.0**53 + found[-1][2]
    columns = [list(column) for column in zip(*found, strict=True)]
    return dict(zip(("s - 2^53", "c", "s + c"), columns, strict=True))


EXPECTED = {
    "figures": figures(),
    "mistakes": mistakes(),
    "batches": batches(),
    "compensation": compensation(),
}


def test_the_chapter_agrees_with_the_manifest_the_contract_and_the_mutants() -> None:
    assert_the_chapter_agrees("M11.2")


@pytest.mark.parametrize("title", EXPECTED)
def test_every_worked_line_is_what_the_accumulator_gives(title: str) -> None:
    told = worked(TEXT, title)
    assert list(told) == [name for name in EXPECTED[title]]
    for name, values in told.items():
        want = np.ravel(EXPECTED[title][name])
        assert [f"{value:.6f}" for value in values] == [f"{value + 0.0:.6f}" for value in want], name


def test_no_worked_block_is_left_out() -> None:
    assert TEXT.count("```numbers ") == len(EXPECTED)


def test_what_the_prose_and_the_pitfalls_say_of_numbers_is_so() -> None:
    text = flat(TEXT)
    assert "ends near $e^{709}$" in text and perplexity([709]) < math.inf == perplexity([710])
    assert f"27 tokens has perplexity {27 ** math.log(2):.1f}." in text
    assert f"too good by the factor {math.log(2):.2f}." in text
    assert f"costs {math.log(2) ** 2:.2f} bits a toss" in text
    assert "passed $2^{53}$, adding 1 to it changes nothing" in text and 2.0**53 + 1 == 2.0**53
    assert perplexity([math.log(9)] * 4) == pytest.approx(9) and "a perplexity of 9 means" in text
