"""Perplexity and bits per byte: worked values, exact sums, and what is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tinyllm.info.ppl import NLLAccumulator, perplexity

NLLS = st.lists(st.floats(0, 50), min_size=1, max_size=40)


def counted(*batches: list[float]) -> NLLAccumulator:
    tally = NLLAccumulator()
    for batch in batches:
        tally.add(batch)
    return tally


def test_a_uniform_model_over_v_tokens_has_perplexity_v() -> None:
    assert perplexity(np.full((3, 4), math.log(27))) == pytest.approx(27, rel=1e-14)


def test_a_single_number_is_taken_as_the_mean() -> None:
    assert perplexity(math.log(8)) == pytest.approx(8, rel=1e-14)


def test_every_figure_of_a_worked_example() -> None:
    tally = NLLAccumulator()
    tally.add([math.log(2), math.log(8)], n_bytes=3)
    result = tally.result()
    assert result.pop("nll_sum") == pytest.approx(math.log(16))
    assert result.pop("nll_mean") == pytest.approx(math.log(4))
    assert result.pop("ppl") == pytest.approx(4)
    assert result.pop("bits_per_token") == pytest.approx(2)
    assert result.pop("bpb") == pytest.approx(4 / 3)
    assert result == {"n_tokens": 2, "n_bytes": 3}


def test_bits_per_byte_is_none_until_bytes_are_counted() -> None:
    assert counted([1.0]).result()["bpb"] is None


def test_only_the_tokens_of_the_mask_are_scored_whatever_lies_outside() -> None:
    tally = NLLAccumulator()
    tally.add([[1.0, math.nan], [3.0, -7.0]], mask=[[True, False], [True, False]])
    assert (tally.result()["nll_sum"], tally.result()["n_tokens"]) == (4.0, 2)


def test_a_mask_may_be_of_ones_and_zeros() -> None:
    tally = NLLAccumulator()
    tally.add([1.0, 2.0, 4.0], mask=[1, 0, 1])
    assert tally.result()["nll_sum"] == 5.0


@pytest.mark.parametrize("mask", [[True], [[True, False]], [1, 2], [0.5, 1.0], [math.nan, 1.0]])
def test_a_mask_of_another_shape_or_with_other_values_is_refused(mask: list[float]) -> None:
    with pytest.raises(ValueError, match="mask"):
        NLLAccumulator().add([1.0, 2.0], mask=mask)


@pytest.mark.parametrize("bad", [math.nan, -1e-9, -math.inf])
def test_a_call_that_is_refused_counts_nothing(bad: float) -> None:
    tally = counted([1.0])
    with pytest.raises(ValueError):
        tally.add([2.0, bad], n_bytes=5)
    with pytest.raises(ValueError):
        tally.add([2.0], n_bytes=-1)
    assert tally.result() == counted([1.0]).result()


@pytest.mark.parametrize("batches", [[[math.inf]], [[1.0], [math.inf]], [[math.inf], [1.0, math.inf], [2.0]]])
def test_an_infinite_nll_is_an_infinite_perplexity_and_never_nan(batches: list[list[float]]) -> None:
    result = counted(*batches).result()
    assert (result["nll_sum"], result["ppl"]) == (math.inf, math.inf)
    merged = counted([0.5])
    merged.merge(counted(*batches))
    assert merged.result()["ppl"] == math.inf


def test_a_mean_too_large_for_exp_is_an_infinite_perplexity() -> None:
    assert perplexity([1e4]) == math.inf


@pytest.mark.parametrize("tally", [NLLAccumulator(), counted([])], ids=["nothing added", "an empty batch"])
def test_no_token_has_no_perplexity(tally: NLLAccumulator) -> None:
    with pytest.raises(ValueError, match="no token"):
        tally.result()


def test_the_sum_inside_a_batch_is_exactly_rounded() -> None:
    assert counted([0.1] * 10).result()["nll_sum"] == 1.0


def test_the_sum_across_batches_loses_nothing_to_a_large_one() -> None:
    tally = counted([2.0**53], *[[1.0]] * 1001)  # a plain sum drops every 1
    assert tally.result()["nll_sum"] == 2.0**53 + 1000  # 2^53 + 1001 is no float64


def test_a_small_sum_is_not_lost_to_a_large_batch_after_it() -> None:
    tally = counted([30.0], [2.0**60], *[[30.0]] * 4)  # 150 in all, at a spacing of 256
    assert tally.result()["nll_sum"] == 2.0**60 + 256


@given(values=NLLS, cuts=st.lists(st.integers(0, 40), max_size=4))
def test_cutting_into_batches_changes_the_sum_by_a_rounding(values: list[float], cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(values)]
    tally = counted(*(values[a:b] for a, b in pairwise(edges)))
    exact = float(sum(map(Fraction, values)))
    assert tally.result()["nll_sum"] == pytest.approx(exact, rel=3e-16, abs=0)
    assert tally.result()["n_tokens"] == len(values)


@given(left=NLLS, right=NLLS)
def test_a_merge_is_as_if_all_had_been_added_to_one(left: list[float], right: list[float]) -> None:
    merged, other = counted(left), counted(right)
    merged.merge(other)
    assert merged.result()["nll_sum"] == pytest.approx(math.fsum(left + right), rel=3e-16, abs=0)
    assert merged.result()["n_tokens"] == len(left + right)
    assert other.result() == counted(right).result()


def test_a_merge_keeps_what_rounding_had_dropped_on_both_sides() -> None:
    merged = counted([2.0**53], *[[1.0]] * 4)
    merged.merge(counted([2.0**53], *[[1.0]] * 4))
    assert merged.result()["nll_sum"] == 2.0**54 + 8


def test_float32_nlls_are_summed_in_float64() -> None:
    tally = NLLAccumulator()
    tally.add(np.full(10_000, 0.1, dtype=np.float32))
    assert tally.result()["nll_sum"] == pytest.approx(10_000 * float(np.float32(0.1)), rel=1e-15)


def test_integer_bytes_are_asked_for() -> None:
    with pytest.raises(TypeError):
        NLLAccumulator().add([1.0], n_bytes=2.5)  # type: ignore[arg-type]
