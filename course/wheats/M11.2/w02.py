"""M11.2 by exact fractions: nothing is rounded before the result, and impossible tokens are counted apart."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np


class NLLAccumulator:
    def __init__(self) -> None:
        self.exact = Fraction(0)
        self.count = {"n_tokens": 0, "n_bytes": 0, "impossible": 0}

    def add(self, nll: Any, mask: Any = None, n_bytes: int = 0) -> None:
        every = np.asarray(nll, dtype=np.float64)
        keep = np.ones(every.shape, dtype=bool)
        if mask is not None:
            told = np.asarray(mask)
            if told.shape != every.shape:
                raise ValueError("the mask does not fit")
            keep = told == 1
            if not np.array_equal(keep, told != 0):
                raise ValueError("a mask is of zeros and ones")
        costs = [float(cost) for cost, kept in zip(every.flat, keep.flat, strict=True) if kept]
        if n_bytes < 0 or not all(cost >= 0 for cost in costs):
            raise ValueError("neither costs nor bytes are negative")
        finite = [cost for cost in costs if cost < math.inf]
        self.exact += Fraction(math.fsum(finite))
        for key, more in (
            ("n_tokens", len(costs)),
            ("n_bytes", n_bytes),
            ("impossible", len(costs) - len(finite)),
        ):
            self.count[key] += int(more)

    def merge(self, other: NLLAccumulator) -> None:
        self.exact += other.exact
        self.count = {key: value + other.count[key] for key, value in self.count.items()}

    def result(self) -> dict[str, Any]:
        tokens, size = self.count["n_tokens"], self.count["n_bytes"]
        if tokens < 1:
            raise ValueError("there is no token to speak of")
        total = math.inf if self.count["impossible"] else float(self.exact)
        mean = math.inf if self.count["impossible"] else float(self.exact / tokens)
        figures = {"nll_sum": total, "n_tokens": tokens, "n_bytes": size, "nll_mean": mean}
        figures["ppl"] = math.exp(mean) if mean <= 709.78 else math.inf
        figures["bits_per_token"] = mean * math.log2(math.e)
        figures["bpb"] = total * math.log2(math.e) / size if size else None
        return figures


def perplexity(nll: Any) -> float:
    alone = NLLAccumulator()
    alone.add(nll)
    return float(alone.result()["ppl"])
