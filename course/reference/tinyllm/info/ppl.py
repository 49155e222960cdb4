"""Perplexity and bits per byte from negative log-likelihoods (NLLs) in nats.

The sum is exact inside a batch and compensated across batches (Neumaier 1974), so that neither the size nor
the order of the batches moves a reported digit.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def perplexity(nll: ArrayLike) -> float:
    """exp of the mean of the NLLs, in nats; inf when that is too large for a float64."""
    tally = NLLAccumulator()
    tally.add(nll)
    return float(tally.result()["ppl"])


class NLLAccumulator:
    """The sum of NLLs over batches: fsum inside a batch, Neumaier's compensated sum across them."""

    def __init__(self) -> None:
        self._sum = 0.0
        self._lost = 0.0  # what the rounding of _sum has dropped
        self._n_tokens = 0
        self._n_bytes = 0

    def add(self, nll: ArrayLike, mask: ArrayLike | None = None, n_bytes: int = 0) -> None:
        """Count the NLLs where mask is true (all without a mask), and the bytes that they cover."""
        scored = _scored(np.asarray(nll, dtype=np.float64), mask)
        if not (scored >= 0).all():
            raise ValueError("an NLL must be at least 0 and not NaN: check the logits that gave it")
        if operator.index(n_bytes) < 0:
            raise ValueError(f"n_bytes must be at least 0, got {n_bytes}")
        self._add_sum(math.fsum(scored.tolist()))
        self._n_tokens += scored.size
        self._n_bytes += int(n_bytes)

    def merge(self, other: NLLAccumulator) -> None:
        """Count all that `other` has counted too."""
        self._add_sum(other._sum)
        self._lost += other._lost
        self._n_tokens += other._n_tokens
        self._n_bytes += other._n_bytes

    def result(self) -> dict[str, Any]:
        """nll_sum, n_tokens, n_bytes, nll_mean, ppl, bits_per_token, bpb (None without bytes)."""
        if self._n_tokens == 0:
            raise ValueError("no token was scored: call add before result")
        total = self._sum + self._lost
        mean = total / self._n_tokens
        return {
            "nll_sum": total,
            "n_tokens": self._n_tokens,
            "n_bytes": self._n_bytes,
            "nll_mean": mean,
            "ppl": _exp(mean),
            "bits_per_token": mean / math.log(2),
            "bpb": total / math.log(2) / self._n_bytes if self._n_bytes else None,
        }

    def _add_sum(self, x: float) -> None:
        total = self._sum + x
        if math.isfinite(total):  # inf - inf would be NaN
            small, large = sorted((self._sum, x), key=abs)
            self._lost += (large - total) + small
        self._sum = total


def _scored(nll: NDArray[np.float64], mask: ArrayLike | None) -> NDArray[np.float64]:
    """The NLLs where the mask is true, as one flat array."""
    if mask is None:
        return nll.reshape(-1)
    keep = np.asarray(mask)
    if keep.shape != nll.shape:
        raise ValueError(f"the mask has shape {keep.shape}, the NLLs have {nll.shape}: they must be equal")
    if not ((keep == 0) | (keep == 1)).all():
        raise ValueError("a mask holds only true and false (or 1 and 0)")
    scored: NDArray[np.float64] = nll[keep.astype(bool)]
    return scored


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf
