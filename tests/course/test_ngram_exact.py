"""The n-gram model against an oracle in rational arithmetic, written from the definition."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from frozen.pcg32 import PCG32
from tinyllm.lm.ngram import NGramLM

START = "<s>"
Gram = tuple[object, ...]


class Oracle:
    """Interpolated Kneser-Ney, one probability at a time, exactly."""

    def __init__(self, n: int, sequences: list[list[int]], vocab: int, discount: Fraction | None) -> None:
        self.n, self.vocab, self.fixed = n, vocab, discount
        grams: list[Counter[Gram]] = [Counter() for _ in range(n + 1)]
        for sequence in sequences:
            tokens: list[object] = [START, *sequence]
            for k in range(1, n + 1):
                grams[k].update(tuple(tokens[i : i + k]) for i in range(len(tokens) - k + 1))
        self.counts = grams
        for k in range(1, n):
            self.counts[k] = Counter({g: self.adjusted(g, grams[k], grams[k + 1]) for g in grams[k]})
        del self.counts[1][(START,)]

    @staticmethod
    def adjusted(gram: Gram, raw: Counter[Gram], longer: Counter[Gram]) -> int:
        if gram[0] == START:
            return raw[gram]
        return len({g[0] for g in longer if g[1:] == gram})

    def discounts(self, k: int) -> list[Fraction]:
        if self.fixed is not None:
            return [self.fixed] * 3
        n = [sum(1 for count in self.counts[k].values() if count == j) for j in range(5)]
        fallback = [Fraction(1, 2), Fraction(1), Fraction(3, 2)]
        if not all(n[1:]):
            return fallback
        y = Fraction(n[1], n[1] + 2 * n[2])
        found = [j - (j + 1) * y * Fraction(n[j + 1], n[j]) for j in (1, 2, 3)]
        return found if all(0 < d <= j for j, d in enumerate(found, 1)) else fallback

    def prob(self, context: Gram, token: int) -> Fraction:
        if len(context) >= self.n:
            context = context[len(context) - self.n + 1 :]
        below = self.prob(context[1:], token) if context else Fraction(1, self.vocab)
        k = len(context) + 1
        after = {g: c for g, c in self.counts[k].items() if g[:-1] == context}
        if not after:
            return below
        cut = self.discounts(k)
        lost = {g: cut[min(c, 3) - 1] for g, c in after.items()}
        kept = after.get((*context, token), 0) - lost.get((*context, token), 0)
        return (kept + sum(lost.values()) * below) / sum(after.values())


def corpus(seed: int, vocab: int, lengths: list[int]) -> list[list[int]]:
    """Sequences in which low ids are common and high ones rare, so that the counts differ."""
    rng = PCG32(seed)
    return [[rng.below(rng.below(vocab) + 1) for _ in range(length)] for length in lengths]


CASES = [
    (n, discount, corpus(seed, vocab, lengths), vocab + spare)
    for n in (1, 2, 3, 4)
    for discount in (None, Fraction(3, 4), Fraction(1))
    for seed, vocab, lengths, spare in [(1, 5, [40], 0), (2, 4, [9, 1, 0, 14, 2, 3], 2), (3, 12, [60, 60], 1)]
]


def fitted(n: int, discount: Fraction | None, sequences: list[list[int]], vocab: int) -> NGramLM:
    return NGramLM(n, "modified" if discount is None else float(discount), vocab).fit(sequences)


@pytest.mark.parametrize(("n", "discount", "sequences", "vocab"), CASES)
def test_discounts_are_the_oracles(
    n: int, discount: Fraction | None, sequences: list[list[int]], vocab: int
) -> None:
    model, oracle = fitted(n, discount, sequences, vocab), Oracle(n, sequences, vocab, discount)
    for k in range(1, n + 1):
        np.testing.assert_allclose(model.discounts(k), [float(d) for d in oracle.discounts(k)], rtol=1e-14)


@pytest.mark.parametrize(("n", "discount", "sequences", "vocab"), CASES)
def test_the_cost_of_every_token_is_the_oracles_on_seen_and_unseen_text(
    n: int, discount: Fraction | None, sequences: list[list[int]], vocab: int
) -> None:
    model, oracle = fitted(n, discount, sequences, vocab), Oracle(n, sequences, vocab, discount)
    scored = [*sequences[:2], *corpus(99, vocab, [20, 1, 7])]
    expected = [
        -math.log(oracle.prob((START, *sequence[:t]), token))
        for sequence in scored
        for t, token in enumerate(sequence)
    ]
    np.testing.assert_allclose(model.nll(scored), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("n", "discount", "sequences", "vocab"), CASES)
def test_the_distribution_after_a_history_is_the_oracles_and_sums_to_one(
    n: int, discount: Fraction | None, sequences: list[list[int]], vocab: int
) -> None:
    model, oracle = fitted(n, discount, sequences, vocab), Oracle(n, sequences, vocab, discount)
    for history in ([], [0], [vocab - 1], sequences[0][:2], sequences[0][:7], corpus(7, vocab, [6])[0]):
        expected = [oracle.prob((START, *history), token) for token in range(vocab)]
        assert sum(expected) == 1
        np.testing.assert_allclose(np.exp(model.logprobs(history)), [float(p) for p in expected], rtol=1e-12)
        assert model.prob(history, 1) == pytest.approx(float(expected[1]), rel=1e-12)


def test_both_the_estimated_discounts_and_the_fallback_occur_in_these_cases() -> None:
    estimated = {
        tuple(fitted(n, None, sequences, vocab).discounts(k)) == (0.5, 1.0, 1.5)
        for n, discount, sequences, vocab in CASES
        if discount is None
        for k in range(1, n + 1)
    }
    assert estimated == {True, False}
