"""Course tests of M11.2, perplexity and bits per byte: the first failure says most.

Every want is worked out from probabilities that are powers of two, or by exact fractions. The ids s01 .. s15 name
the mutants that a test is there to catch.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, as_array, assert_close, assert_equal
from tinyllm.info.ppl import NLLAccumulator, perplexity

KEYS = ["nll_sum", "n_tokens", "n_bytes", "nll_mean", "ppl", "bits_per_token", "bpb"]
BIT = math.log(2)  # nats
NAN, INF = math.nan, math.inf
NEAR: Any = {"rtol": 1e-14, "atol": 0.0}  # a logarithm, a division and an exponential, each rounded once
ROUNDED: Any = {"rtol": 3e-16, "atol": 0.0}  # one rounding of a sum: a float64 has 53 bits


def nats(*bits: float) -> NDArray[np.float64]:
    """The costs of tokens with probabilities 2^-bits."""
    return np.array(bits) * BIT


def counted(*batches: Any) -> NLLAccumulator:
    tally = NLLAccumulator()
    for batch in batches:
        tally.add(batch)
    return tally


def figure(tally: NLLAccumulator, key: str) -> NDArray[np.float64]:
    return as_array(tally.result()[key], np.float64)


def close(tally: NLLAccumulator, key: str, want: float, near: Any = NEAR, **wrong: Any) -> None:
    """One figure; `wrong` is known_wrong."""
    assert_close(figure(tally, key), np.float64(want), **near, of=key, **wrong)


def random_nlls(n: int) -> NDArray[np.float64]:
    """Costs of sizes that lie ten powers of ten apart."""
    rng = PCG32(11)
    return np.array([10.0 ** (10 * rng.uniform() - 5) for _ in range(n)])


def test_a_fair_guess_among_v_tokens_has_perplexity_v() -> None:
    """Each of 27 tokens costs ln 27 nats: a perplexity is how many equally likely choices that would be.

    Catches s02 (2 to a number of nats). Any shape will do, and a single number is a mean already.
    """
    for costs in (np.full((3, 4), math.log(27)), [math.log(27)] * 2, math.log(27)):
        wrong = {
            "this is 2 to the mean: an NLL is in nats, so the base is e": 2 ** math.log(27),
            "this is the mean, a number of nats: its exponential is wanted": math.log(27),
            "this is the exponential of the sum": math.exp(np.sum(costs)),
        }
        got = as_array(perplexity(costs), np.float64)
        assert_close(got, np.float64(27), **NEAR, of="perplexity", known_wrong=wrong)
    assert isinstance(perplexity([1.0]), float)


def test_every_figure_of_the_worked_example() -> None:
    """Probabilities 1/2 and 1/8 over three bytes: 4 bits in all, 2 a token, 4/3 a byte, perplexity 4.

    Reports and checkpoints read these seven keys. Catches s02, s04, s05 and s06, each by one figure.
    """
    tally = NLLAccumulator()
    tally.add(nats(1, 3), n_bytes=3)
    assert sorted(tally.result()) == sorted(KEYS)
    close(tally, "nll_sum", 4 * BIT)
    close(tally, "nll_mean", 2 * BIT)
    two = {"this is 2 to the mean: an NLL is in nats, so the base is e": 2 ** (2 * BIT)}
    close(tally, "ppl", 4, known_wrong=two)
    turned = {"the nats were multiplied by ln 2: a bit is ln 2 nats, so divide": 2 * BIT * BIT}
    close(tally, "bits_per_token", 2, known_wrong=turned)
    wrong = {
        "these are nats per byte": 4 * BIT / 3,
        "these are the bits of one token over all bytes: divide the sum by the bytes": 2 / 3,
        "these are bits per token: bytes are counted, not tokens": 2.0,
    }
    close(tally, "bpb", 4 / 3, known_wrong=wrong)
    counts = [tally.result()[key] for key in ("n_tokens", "n_bytes")]
    assert counts == [2, 3] and all(isinstance(count, int) for count in counts)


def test_only_the_tokens_of_the_mask_are_scored() -> None:
    """Padding is in neither the sum nor the count: otherwise a longer batch looks like a better model.

    Catches s01, which divides by all places.
    """
    for mask in ([[True, False, True], [True, False, False]], [[1, 0, 1], [1, 0, 0]]):
        tally = NLLAccumulator()
        tally.add(nats(1, 0, 2, 6, 0, 0).reshape(2, 3), mask=mask)
        wrong = {"the sum was divided by all six places: padding is no token": 1.5 * BIT}
        close(tally, "nll_mean", 3 * BIT, known_wrong=wrong)
        assert tally.result()["n_tokens"] == 3


def test_padding_may_hold_anything() -> None:
    """NaN, an infinity or a negative number outside the mask: what a model says about padding means nothing.

    Catches s12 (padding is checked too), and a sum of nll * mask, which NaN * 0 would spoil.
    """
    tally = NLLAccumulator()
    tally.add([1.0, NAN, 3.0, -7.0, INF], mask=[True, False, True, False, False])
    assert_equal(figure(tally, "nll_sum"), np.float64(4))
    assert tally.result()["n_tokens"] == 2


def test_batches_count_by_their_tokens() -> None:
    """Three tokens of 2 bits and one of 6 are a mean of 3: the last, short batch must not weigh as much as the others.

    Catches s03, the mean of the batches' means.
    """
    tally = counted(nats(2, 2, 2), nats(6))
    wrong = {
        "this is the mean of the batches' perplexities": (2**2 + 2**6) / 2,
        "this is the exponential of the mean of the batches' means": 2**4,
    }
    close(tally, "ppl", 8, known_wrong=wrong)
    assert tally.result()["n_tokens"] == 4


def test_bits_per_byte_needs_bytes() -> None:
    """None until bytes are counted, then over the bytes of all batches: tokenizers are compared by it.

    Catches s05 (one token's bits over all bytes) and s09 (0 where there are none).
    """
    tally = counted(nats(3, 5))
    assert tally.result()["bpb"] is None
    tally.add(nats(4), n_bytes=8)
    tally.add(nats(4, 4, 4), n_bytes=2)
    wrong = {"these are the bits of one token over all bytes: divide the sum by the bytes": 2.4 / 6}
    close(tally, "bpb", 2.4, known_wrong=wrong)


def test_the_sum_inside_a_batch_is_exact() -> None:
    """math.fsum: ten times 0.1 is 1, and 5,000 costs of all sizes give their exact sum, rounded once.

    Catches s07, a sum in float32: float32 costs, as a model gives them, are added up in float64.
    """
    assert_equal(figure(counted([0.1] * 10), "nll_sum"), np.float64(1))
    costs = random_nlls(5000)
    exact = float(sum(map(Fraction, costs)))
    added = {"added up in float32, where the seventh digit is already lost": float(costs.astype("f").sum())}
    assert_equal(figure(counted(costs), "nll_sum"), np.float64(exact), of="the sum", known_wrong=added)
    single = np.full(4000, 0.1, dtype=np.float32)
    assert_equal(figure(counted(single), "nll_sum"), np.float64(4000 * float(single[0])))


@pytest.mark.parametrize("first", [True, False], ids=["the great one first", "the great one in the middle"])
def test_no_small_batch_is_lost_beside_a_great_one(first: bool) -> None:
    """1,001 batches of 1 beside one of 2^53, where a plain sum drops every 1 that comes after.

    A long evaluation adds small sums to a large one, a hundred thousand times. Catches s08 (no compensation).
    """
    ones = [[1.0]] * 500
    batches = [[2.0**53], *ones, *ones, [1.0]] if first else [[3.5], *ones, [2.0**60], *ones, [1.0]]
    want = float(sum(Fraction(batch[0]) for batch in batches))
    plain = 0.0
    for batch in batches:
        plain += batch[0]
    wrong = {"this is the plain sum, each addition rounded: keep what the rounding drops": plain}
    close(counted(*batches), "nll_sum", want, ROUNDED, known_wrong=wrong)


def test_cutting_into_batches_changes_nothing() -> None:
    """The same 600 costs in batches of 600, 7 or 1: a reported digit must not depend on the batch size.

    Catches s03 (means of means) and s08 (no compensation).
    """
    costs = random_nlls(600)
    exact = float(sum(map(Fraction, costs)))
    for size in (600, 7, 1):
        tally = counted(*(costs[i : i + size] for i in range(0, 600, size)))
        close(tally, "nll_sum", exact, ROUNDED)
        close(tally, "nll_mean", exact / 600)
        assert tally.result()["n_tokens"] == 600


def test_a_merge_is_as_if_one_had_counted_all() -> None:
    """Tokens, bytes and sums of both, and the other stays as it was: workers count apart and are merged.

    Catches s10 (bytes forgotten).
    """
    left, right = NLLAccumulator(), NLLAccumulator()
    left.add(nats(1, 2), n_bytes=4)
    right.add(nats(3), n_bytes=1)
    before = right.result()
    left.merge(right)
    close(left, "nll_sum", 6 * BIT)
    wrong = {"the other's bytes are missing": 6 / 4}
    close(left, "bpb", 6 / 5, known_wrong=wrong)
    assert (left.result()["n_tokens"], left.result()["n_bytes"]) == (3, 5)
    assert right.result() == before
    left.merge(NLLAccumulator())
    assert left.result()["n_tokens"] == 3


def test_a_merge_keeps_what_rounding_had_dropped() -> None:
    """Two workers with 2^53 and forty batches of 1 each: eighty more than 2^54, which a plain sum never sees.

    Catches s11, which merges the sums but not what they have lost, and s08.
    """
    left, right = counted([2.0**53], *[[1.0]] * 40), counted([2.0**53], *[[1.0]] * 40)
    left.merge(right)
    half = {"what the other had kept of its own roundings is missing": 2.0**54 + 40}
    close(left, "nll_sum", 2.0**54 + 80, ROUNDED, known_wrong=half)


def test_an_impossible_token_makes_an_infinite_perplexity() -> None:
    """An NLL of inf (probability 0) is allowed and is never NaN, in whichever batch it comes; nor does exp overflow.

    Catches s13, whose compensation takes inf from inf.
    """
    assert perplexity([1e4]) == INF
    for batches in ([[INF]], [[1.0], [INF]], [[INF], [1.0, INF], [2.0]]):
        tally = counted([0.5], [INF])
        tally.merge(counted(*batches))
        for each in (counted(*batches), tally):
            keys = ("nll_sum", "nll_mean", "ppl", "bits_per_token")
            assert [each.result()[key] for key in keys] == [INF] * 4


@pytest.mark.parametrize("bad", [NAN, -1e-9, -INF])
def test_a_cost_that_is_none_is_refused_and_counts_nothing(bad: float) -> None:
    """A NaN or a negative NLL is a fault of the model's code: ValueError, and what was counted stays as it was.

    Catches s14 (negative costs pass) and s15 (the bytes of the refused batch stay counted).
    """
    tally = counted(nats(2))
    with pytest.raises(ValueError):
        tally.add([1.0, bad], n_bytes=5)
    assert tally.result() == counted(nats(2)).result()
    with pytest.raises(ValueError):
        perplexity([bad])


@pytest.mark.parametrize("mask", [[True], [[True, False]], [1, 2], [0.5, 1.0], [NAN, 1.0]])
def test_a_mask_that_is_none_is_refused(mask: Any) -> None:
    """Another shape would be broadcast, and a weight is no mask: ValueError, and nothing counted."""
    tally = counted(nats(2))
    with pytest.raises(ValueError):
        tally.add([1.0, 2.0], mask=mask, n_bytes=1)
    with pytest.raises(ValueError):
        tally.add([1.0], n_bytes=-1)
    assert tally.result() == counted(nats(2)).result()


def test_no_token_has_no_perplexity() -> None:
    """Nothing added, an empty batch, or all of it masked: ValueError, not 0 / 0 and not a perplexity of 1."""
    masked = NLLAccumulator()
    masked.add([1.0, 2.0], mask=[False, False], n_bytes=2)
    for tally in (NLLAccumulator(), counted([]), masked):
        with pytest.raises(ValueError):
            tally.result()
    with pytest.raises(ValueError):
        perplexity([])
