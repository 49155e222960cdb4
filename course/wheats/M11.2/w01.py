"""M11.2 with a diary: the sum of every batch is kept, and all are added up by fsum when a result is asked for."""

from __future__ import annotations

from math import exp, fsum, log

import numpy as np


def perplexity(nll):
    diary = NLLAccumulator()
    diary.add(nll)
    return diary.result()["ppl"]


class NLLAccumulator:
    def __init__(self) -> None:
        self.entries: list[tuple[float, int, int]] = []

    def add(self, nll, mask=None, n_bytes=0):
        costs = np.ravel(np.array(nll, dtype=float))
        if mask is not None:
            chosen = np.array(mask, dtype=float)
            if chosen.shape != np.shape(nll) or set(np.unique(chosen)) - {0.0, 1.0}:
                raise ValueError("bad mask")
            costs = costs[np.flatnonzero(chosen)]
        if np.isnan(costs).any() or (costs < 0).any() or n_bytes < 0:
            raise ValueError("bad costs or bytes")
        self.entries.append((fsum(costs), len(costs), int(n_bytes)))

    def merge(self, other):
        self.entries = self.entries + other.entries

    def result(self):
        sums, tokens, sizes = zip(*self.entries) if self.entries else ((), (0,), (0,))  # noqa: B905
        n, size, total = sum(tokens), sum(sizes), fsum(sums)
        if not n:
            raise ValueError("nothing scored")
        mean = total / n
        return {
            "bpb": None if size == 0 else total / (size * log(2)),
            "bits_per_token": mean / log(2),
            "ppl": exp(mean) if mean < 709.78 else float("inf"),
            "nll_mean": mean,
            "n_bytes": size,
            "n_tokens": n,
            "nll_sum": total,
        }
