"""The answers of M11.2: what stands in the place of each blank, computed with the reference."""

from __future__ import annotations

import math

from tinyllm.info.ppl import NLLAccumulator, perplexity

BIT = math.log(2)


def answer_four_tokens() -> float:
    """2 to the power (1 + 2 + 3 + 3) / 4."""
    return perplexity([bits * BIT for bits in (1, 2, 3, 3)])


def answer_masked() -> float:
    """2 to the power (1 + 4 + 2) / 3."""
    return perplexity([bits * BIT for bits in (1, 4, 2)])


def answer_per_byte() -> float:
    """1 + 4 + 2 bits over five bytes."""
    tally = NLLAccumulator()
    tally.add([bits * BIT for bits in (1, 4, 2)], n_bytes=5)
    return float(tally.result()["bpb"])


def answer_two_batches() -> float:
    """2 to the power (5 · 1 + 4) / 6."""
    tally = NLLAccumulator()
    tally.add([BIT] * 5)
    tally.add([4 * BIT])
    return float(tally.result()["ppl"])


def answer_kept() -> float:
    """2^53 + 6, of which a plain sum has only the 4."""
    tally = NLLAccumulator()
    for batch in ([2.0**53], [1.0], [1.0], [4.0]):
        tally.add(batch)
    return float(tally.result()["nll_sum"])
