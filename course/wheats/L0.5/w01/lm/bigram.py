"""L0.5's bigrams with pairs counted by a Counter, and a draw that adds weights one at a time."""

from __future__ import annotations

import math
from collections import Counter
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import Embedding
from tinyllm.nn.module import Module
from tinyllm.num.rng import PCG32


class BigramLM:
    def __init__(self, vocab: int, alpha: float = 1.0) -> None:
        if vocab <= 0:
            raise ValueError("a vocabulary has at least one token")
        if math.isnan(alpha) or alpha <= 0:
            raise ValueError("alpha is above 0")
        self.vocab = vocab
        self.alpha = alpha
        self.counts = np.zeros((vocab, vocab), np.int64)

    def _sequence(self, ids):
        values = np.array(ids)
        if values.ndim != 1:
            raise ValueError("one sequence, please")
        if len(values) and not np.issubdtype(values.dtype, np.integer):
            raise ValueError("ids are integers")
        plain = [int(value) for value in values]
        if any(not 0 <= value < self.vocab for value in plain):
            raise ValueError("an id is unknown")
        return plain

    def fit(self, ids: ArrayLike) -> BigramLM:
        tokens = self._sequence(ids)
        for pair, times in Counter(pairwise(tokens)).items():
            self.counts[pair] += times
        return self

    def logprobs(self, previous: int) -> NDArray[np.float64]:
        (a,) = self._sequence([previous])
        total = self.counts[a].sum() + self.alpha * self.vocab
        return np.log((self.counts[a] + self.alpha) / total)

    def nll(self, ids: ArrayLike) -> NDArray[np.float64]:
        tokens = self._sequence(ids)
        a, b = np.array(tokens[:-1], np.intp), np.array(tokens[1:], np.intp)
        totals = self.counts.sum(axis=1) + self.alpha * self.vocab
        return -np.log((self.counts[a, b] + self.alpha) / totals[a])

    def perplexity(self, ids: ArrayLike) -> float:
        costs = self.nll(ids)
        if len(costs) == 0:
            raise ValueError("nothing is scored")
        return math.exp(math.fsum(costs) / len(costs))

    def sample(self, prefix: ArrayLike, n: int, temperature: float, seed: int) -> list[int]:
        tokens = self._sequence(prefix)
        if not tokens or n < 0 or temperature < 0:
            raise ValueError("a sample takes a prefix, a length and a temperature")
        rng, made = PCG32(seed), tokens[-1:]
        while len(made) <= n:
            logs = self.logprobs(made[-1])
            if temperature == 0:
                made.append(int(np.flatnonzero(logs == max(logs))[0]))
                continue
            z = logs / temperature
            sums = list(accumulate(math.exp(each) for each in z - max(z)))
            bound = rng.uniform() * sums[-1]
            made.append(next(token for token, running in enumerate(sums) if running > bound))
        return made[1:]


class BigramLogits(Module):
    table: Embedding

    def __init__(self, vocab: int, rng: Any = None) -> None:
        super().__init__()
        self.table = Embedding(vocab, vocab, rng)

    def forward(self, ids: ArrayLike) -> Tensor:
        return self.table(np.asarray(ids))
