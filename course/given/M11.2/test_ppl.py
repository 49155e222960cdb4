"""Your tests of M11.2. Each ... below is a value to work out by hand, and to write in its place, before you build.

All probabilities are powers of two, so count in bits: a token of probability 1/8 costs 3 bits, or 3 ln 2 nats.
Seven digits are enough, but the last one is a whole number.
"""

import math

import numpy as np
import pytest

from tinyllm.info.ppl import NLLAccumulator, perplexity

BIT = math.log(2)  # nats

FOUR_TOKENS = ...  # by hand: the perplexity of four tokens with probabilities 1/2, 1/4, 1/8 and 1/8
MASKED = ...  # by hand: the perplexity of the tokens that test_mask scores
PER_BYTE = ...  # by hand: bits per byte of probabilities 1/2, 1/16 and 1/4, which stand for five bytes
TWO_BATCHES = ...  # by hand: the perplexity of five tokens of 1/2, then a batch of one of 1/16
KEPT = ...  # by hand: 2**53, then 1, 1 and 4: the exact sum, as a float (what would a plain sum give?)


def test_four_tokens():
    """exp of the mean in nats is 2 to the mean in bits."""
    assert perplexity(-np.log([1 / 2, 1 / 4, 1 / 8, 1 / 8])) == pytest.approx(FOUR_TOKENS, rel=1e-5)


def test_a_fair_guess():
    """Among V tokens, perplexity V."""
    assert perplexity(np.full(10, math.log(50))) == pytest.approx(50)


def test_mask():
    """What is masked is in neither the sum nor the count, and may be NaN."""
    tally = NLLAccumulator()
    tally.add([1 * BIT, 4 * BIT, math.nan, 2 * BIT, 9 * BIT], mask=[1, 1, 0, 1, 0])
    assert tally.result()["n_tokens"] == 3
    assert tally.result()["ppl"] == pytest.approx(MASKED, rel=1e-5)


def test_bits_per_byte():
    """All bits over all bytes; None as long as there are no bytes."""
    tally = NLLAccumulator()
    tally.add([1 * BIT, 4 * BIT, 2 * BIT], n_bytes=5)
    assert tally.result()["bpb"] == pytest.approx(PER_BYTE)
    silent = NLLAccumulator()
    silent.add([1.0])
    assert silent.result()["bpb"] is None


def test_two_batches():
    """Tokens are counted, not batches."""
    tally = NLLAccumulator()
    tally.add([1 * BIT] * 5)
    tally.add([4 * BIT])
    assert tally.result()["ppl"] == pytest.approx(TWO_BATCHES, rel=1e-5)


def test_what_rounding_drops_is_kept():
    """Float64 numbers beyond 2**53 are two apart."""
    tally = NLLAccumulator()
    for batch in ([2.0**53], [1.0], [1.0], [4.0]):
        tally.add(batch)
    assert tally.result()["nll_sum"] == KEPT


def test_a_merge():
    """As if one had counted all."""
    left, right = NLLAccumulator(), NLLAccumulator()
    left.add([1.0, 2.0], n_bytes=3)
    right.add([4.0], n_bytes=1)
    left.merge(right)
    result = left.result()
    assert (result["nll_sum"], result["n_tokens"], result["n_bytes"]) == (7.0, 3, 4)


def test_what_is_refused():
    """NaN, a negative cost, and a result of nothing; infinite costs are allowed."""
    for bad in (math.nan, -0.5):
        with pytest.raises(ValueError):
            NLLAccumulator().add([1.0, bad])
    with pytest.raises(ValueError):
        NLLAccumulator().result()
    assert perplexity([1.0, math.inf]) == math.inf
