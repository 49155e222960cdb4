"""Kneser-Ney over one long text in rational arithmetic: the figure that a 4-gram's perplexity is held to.

No floats before the last logarithm, no numpy, and nothing of the model: counts are a dictionary of tuples, and every
discount and probability is a Fraction, from the definition of Chen and Goodman (1998) and Heafield et al. (2013).
The same arithmetic goes over the counts that a student saved.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

START = -1  # <s>, which stands before the text and is never predicted
FALLBACK = (Fraction(1, 2), Fraction(1), Fraction(3, 2))
Gram = tuple[int, ...]
Counts = list[dict[Gram, int]]  # the adjusted counts of order 1, 2, …, by gram


def counted(text: Sequence[int], n: int) -> Counts:
    """Of the text as one sequence: plain at order n and after <s>, else the number of different left neighbours."""
    tokens = (START, *text)
    plain = [Counter(zip(*(tokens[i:] for i in range(k)), strict=False)) for k in range(1, n + 1)]
    found: Counts = []
    for grams, longer in pairwise(plain):
        left = Counter(gram[1:] for gram in longer)
        found.append({gram: count if gram[0] == START else left[gram] for gram, count in grams.items()})
    found.append(dict(plain[-1]))
    del found[0][(START,)]
    return found


def discounts(grams: dict[Gram, int]) -> tuple[Fraction, ...]:
    """What a count of 1, of 2, and of 3 and more loses at one order."""
    n = Counter(grams.values())
    if not all(n[j] for j in (1, 2, 3, 4)):
        return FALLBACK
    y = Fraction(n[1], n[1] + 2 * n[2])
    found = tuple(j - (j + 1) * y * Fraction(n[j + 1], n[j]) for j in (1, 2, 3))
    return found if all(0 < d <= j for j, d in enumerate(found, 1)) else FALLBACK


class Exact:
    """P(token | context) as a Fraction, from adjusted counts."""

    def __init__(self, counts: Counts, vocab: int) -> None:
        self._counts, self._vocab = counts, vocab
        self._cuts = [discounts(grams) for grams in counts]
        self._followers: dict[Gram, list[int]] = defaultdict(list)
        for grams in counts:
            for gram, count in grams.items():
                self._followers[gram[:-1]].append(count)
        self._after = lru_cache(maxsize=None)(self._totals)
        self.prob = lru_cache(maxsize=None)(self._prob)

    def _totals(self, context: Gram) -> tuple[int, Fraction]:
        """Of all that followed a context: how much, and how much of it is lost to the discounts."""
        cut, counts = self._cuts[len(context)], self._followers.get(context, [])
        return sum(counts), sum((cut[min(count, 3) - 1] for count in counts), Fraction(0))

    def _prob(self, context: Gram, token: int) -> Fraction:
        below = self.prob(context[1:], token) if context else Fraction(1, self._vocab)
        total, lost = self._after(context)
        if not total:
            return below
        count = self._counts[len(context)].get((*context, token), 0)
        kept = count - self._cuts[len(context)][min(count, 3) - 1] if count else 0
        return (kept + lost * below) / total

    def perplexity(self, text: Sequence[int]) -> float:
        """Of every token of the text, the first one told from <s>."""
        tokens, reach = (START, *text), len(self._counts) - 1
        cost = 0.0
        for at in range(1, len(tokens)):
            p = self.prob(tokens[max(0, at - reach) : at], tokens[at])
            cost += math.log(p.denominator) - math.log(p.numerator)
        return math.exp(cost / len(text))
