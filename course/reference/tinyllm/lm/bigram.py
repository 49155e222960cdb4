"""Two bigram models: one counts, the other is the same table of logits, trained."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor
from tinyllm.info.ppl import perplexity
from tinyllm.nn.layers import Embedding
from tinyllm.nn.module import Module
from tinyllm.num.rng import PCG32

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]


class BigramLM:
    """P(next | previous) = (count + alpha) / (total + alpha V): the add-alpha estimate."""

    def __init__(self, vocab: int, alpha: float = 1.0) -> None:
        if vocab < 1 or not alpha > 0:
            raise ValueError(f"BigramLM needs vocab >= 1 and alpha > 0, got {vocab} and {alpha}")
        self.vocab, self.alpha = vocab, alpha
        self.counts = np.zeros((vocab, vocab), dtype=np.int64)

    def fit(self, ids: ArrayLike) -> BigramLM:
        """Add the pairs of a sequence to the counts."""
        known = self._known(ids)
        pairs = known[:-1] * self.vocab + known[1:]
        self.counts += np.bincount(pairs, minlength=self.vocab**2).reshape(self.counts.shape)
        return self

    def logprobs(self, previous: int) -> Floats:
        """ln P(· | previous)."""
        row = self.counts[self._known([previous])[0]] + self.alpha
        logs: Floats = np.log(row) - np.log(row.sum())
        return logs

    def nll(self, ids: ArrayLike) -> Floats:
        """-ln P of every token but the first, which has no previous one."""
        known = self._known(ids)
        table = self.counts + self.alpha
        nll: Floats = np.log(table.sum(axis=1))[known[:-1]] - np.log(table[known[:-1], known[1:]])
        return nll

    def perplexity(self, ids: ArrayLike) -> float:
        """exp of the mean NLL."""
        return perplexity(self.nll(ids))

    def sample(self, prefix: ArrayLike, n: int, temperature: float, seed: int) -> list[int]:
        """n new ids, the first after the last id of the prefix."""
        if not (n >= 0 and temperature >= 0):
            raise ValueError(f"n and temperature must be at least 0, got {n} and {temperature}")
        known = self._known(prefix)
        if not known.size:
            raise ValueError("a bigram needs a prefix of at least one id")
        token, rng, new = int(known[-1]), PCG32(seed), []
        for _ in range(n):
            z = self.logprobs(token)
            token = int(z.argmax()) if temperature == 0 else _draw(z / temperature, rng.uniform())
            new.append(token)
        return new

    def _known(self, ids: ArrayLike) -> Ids:
        """A sequence of ids, each in the vocabulary."""
        array = np.asarray(ids)
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise ValueError(f"need one sequence of integer ids, not {array.dtype} of shape {array.shape}")
        if array.size and not (array.min() >= 0 and array.max() < self.vocab):
            raise ValueError(f"ids must lie in 0 .. {self.vocab - 1}, not {array.min()} .. {array.max()}")
        return array.astype(np.int64)


class BigramLogits(Module):
    """A table of logits, row by row for each previous token, trained by gradient descent."""

    def __init__(self, vocab: int, rng: Any = None) -> None:
        self.table = Embedding(vocab, vocab, rng=rng)

    def forward(self, ids: ArrayLike) -> Tensor:
        """[...] previous tokens -> [..., V] logits of the next."""
        return self.table.forward(ids)


def _draw(z: Floats, u: float) -> int:
    """The first id whose running sum of exp(z - max z) exceeds u times the whole."""
    sums = np.exp(z - z.max()).cumsum()
    return int(sums.searchsorted(u * sums[-1], side="right"))
