"""Kneser-Ney in rational arithmetic: `python ngram_exact.py OUT_DIR SEED` writes OUT_DIR/ngram.safetensors.

No torch: every count, discount and probability is a Fraction, computed one at a time from the definition of
Chen and Goodman (1998) and Heafield et al. (2013), and rounded once, when it is written. A case `c<i>/` holds
`train` and `train.lengths`, its sequences end to end; `val` and `val.lengths`, what is scored; `n`, `vocab` and
`fixed`, the one discount or 0 for the estimated ones. From them come `discounts` [n, 3]; `probs`, one for each
token of `val`; and `after` [3, vocab], the distributions after no token, after the first token of `val`, and
after its first four. `made_with` is the JSON of versions that every golden has; torch and BLAS had no part.
"""

from __future__ import annotations

import itertools
import json
import random
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

START = -1
FALLBACK = (Fraction(1, 2), Fraction(1), Fraction(3, 2))
Gram = tuple[int, ...]
Sequences = list[list[int]]

# (order, discount or None, vocabulary, ids that occur, lengths of the sequences)
CASES: list[tuple[int, Fraction | None, int, int, list[int]]] = [
    (1, None, 42, 40, [120]),
    (2, None, 30, 28, [150, 3, 90]),
    (3, None, 26, 24, [300, 1, 200, 90]),
    (4, Fraction(3, 4), 9, 7, [6, 0, 30, 2, 25]),
    (3, Fraction(1), 5, 5, [60]),
]


def drawn(rng: random.Random, used: int, lengths: list[int]) -> Sequences:
    """Sequences in which low ids are common and high ones rare, so that the counts differ."""
    return [[rng.randrange(rng.randrange(used) + 1) for _ in range(length)] for length in lengths]


def end_to_end(sequences: Sequences) -> list[int]:
    return list(itertools.chain.from_iterable(sequences))


def counts(sequences: Sequences, n: int) -> list[Counter[Gram]]:
    """The adjusted counts of order 1 .. n, by gram; the grams of order k are in place k - 1."""
    plain: list[Counter[Gram]] = [Counter() for _ in range(n)]
    for sequence in sequences:
        tokens = (START, *sequence)
        for k in range(1, n + 1):
            plain[k - 1].update(tokens[i : i + k] for i in range(len(tokens) - k + 1))
    found = [plain[-1]]
    for grams, longer in reversed(list(itertools.pairwise(plain))):
        left: dict[Gram, set[int]] = defaultdict(set)
        for gram in longer:
            left[gram[1:]].add(gram[0])
        found.insert(0, Counter({g: c if g[0] == START else len(left[g]) for g, c in grams.items()}))
    del found[0][(START,)]
    return found


def discounts(grams: Counter[Gram], fixed: Fraction | None) -> tuple[Fraction, ...]:
    """What a count of 1, of 2, and of 3 and more loses."""
    if fixed is not None:
        return (fixed,) * 3
    n = Counter(grams.values())
    if not all(n[j] for j in (1, 2, 3, 4)):
        return FALLBACK
    y = Fraction(n[1], n[1] + 2 * n[2])
    found = tuple(j - (j + 1) * y * Fraction(n[j + 1], n[j]) for j in (1, 2, 3))
    return found if all(0 < d <= j for j, d in enumerate(found, 1)) else FALLBACK


class Exact:
    """P(token | context) as a Fraction."""

    def __init__(self, n: int, fixed: Fraction | None, vocab: int, sequences: Sequences) -> None:
        self.n, self.vocab, self.counts = n, vocab, counts(sequences, n)
        self.cuts = [discounts(grams, fixed) for grams in self.counts]
        self.prob = lru_cache(maxsize=None)(self._prob)

    def _prob(self, context: Gram, token: int) -> Fraction:
        if len(context) >= self.n:
            context = context[len(context) - self.n + 1 :]
        below = self.prob(context[1:], token) if context else Fraction(1, self.vocab)
        grams, cut = self.counts[len(context)], self.cuts[len(context)]
        after = {g[-1]: c for g, c in grams.items() if g[:-1] == context}
        if not after:
            return below
        lost = {each: cut[min(c, 3) - 1] for each, c in after.items()}
        kept = after.get(token, 0) - lost.get(token, 0)
        return (kept + sum(lost.values()) * below) / sum(after.values())

    def after(self, history: list[int]) -> list[Fraction]:
        found = [self.prob((START, *history), token) for token in range(self.vocab)]
        assert sum(found) == 1
        return found


def case(
    rng: random.Random, n: int, fixed: Fraction | None, vocab: int, used: int, lengths: list[int]
) -> dict[str, np.ndarray]:
    """One model's ids and what they come to."""
    train, val = drawn(rng, used, lengths), drawn(rng, vocab, [12, 1, 25])
    exact = Exact(n, fixed, vocab, train)
    probs = [exact.prob((START, *line[:t]), token) for line in val for t, token in enumerate(line)]
    after = [exact.after(val[0][:length]) for length in (0, 1, 4)]
    integers = {"n": n, "vocab": vocab, "train.lengths": lengths, "val.lengths": [len(line) for line in val]}
    integers |= {"train": end_to_end(train), "val": end_to_end(val)}
    floats = {"fixed": fixed or 0, "discounts": exact.cuts, "probs": probs, "after": after}
    found = {name: np.array(value, dtype=np.int64) for name, value in integers.items()}
    return found | {name: np.array(value, dtype=np.float64) for name, value in floats.items()}


def main(out_dir: str, seed: str) -> None:
    """Write the golden file. The draws are Python's own: they need be no one else's."""
    rng, tensors = random.Random(int(seed)), {}
    for i, settings in enumerate(CASES):
        tensors |= {f"c{i}/{name}": array for name, array in case(rng, *settings).items()}
    made_with = {"torch": "none", "numpy": np.__version__, "blas": "none"}
    save_file(tensors, Path(out_dir) / "ngram.safetensors", metadata={"made_with": json.dumps(made_with)})


if __name__ == "__main__":
    main(*sys.argv[1:])
