"""L0.5's bigrams with a table of log-probabilities, made anew when it is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor
from tinyllm.info.ppl import NLLAccumulator
from tinyllm.nn.layers import Embedding
from tinyllm.nn.module import Module
from tinyllm.num import rng as random_numbers


class BigramLM:
    def __init__(self, vocab: int, alpha: float = 1.0) -> None:
        if not (vocab >= 1 and alpha > 0.0):
            raise ValueError(f"vocab {vocab} or alpha {alpha} is too small")
        self.vocab, self.alpha = int(vocab), float(alpha)
        self.counts = np.zeros(shape=(self.vocab,) * 2, dtype=np.int64)

    def _logs(self) -> NDArray[np.float64]:
        smooth = self.counts.astype(np.float64) + self.alpha
        return np.log(smooth) - np.log(smooth.sum(axis=1, keepdims=True))

    def fit(self, ids: ArrayLike) -> BigramLM:
        tokens = checked(ids, self.vocab)
        np.add.at(self.counts, (tokens[:-1], tokens[1:]), 1)
        return self

    def logprobs(self, previous: int) -> NDArray[np.float64]:
        return self._logs()[checked([previous], self.vocab)[0]].copy()

    def nll(self, ids: ArrayLike) -> NDArray[np.float64]:
        tokens = checked(ids, self.vocab)
        return np.negative(self._logs()[tokens[:-1], tokens[1:]])

    def perplexity(self, ids: ArrayLike) -> float:
        total = NLLAccumulator()
        total.add(self.nll(ids))
        return float(total.result()["ppl"])

    def sample(self, prefix: ArrayLike, n: int, temperature: float, seed: int) -> list[int]:
        tokens = checked(prefix, self.vocab)
        if tokens.size == 0:
            raise ValueError("the prefix is empty")
        if n < 0 or not temperature >= 0:
            raise ValueError("n and temperature are at least 0")
        logs, generator = self._logs(), random_numbers.PCG32(seed)
        if temperature == 0:
            follower = logs.argmax(axis=1)
            return _walk(int(tokens[-1]), n, lambda token: int(follower[token]))
        scaled = logs / temperature
        running = np.exp(scaled - scaled.max(axis=1, keepdims=True)).cumsum(axis=1)

        def next_after(token: int) -> int:
            return int(np.argmax(running[token] > generator.uniform() * running[token, -1]))

        return _walk(int(tokens[-1]), n, next_after)


class BigramLogits(Module):
    def __init__(self, vocab: int, rng: Any = None) -> None:
        if vocab < 1:
            raise ValueError("vocab is at least 1")
        self.table = Embedding(vocab, vocab, rng=rng)

    def forward(self, ids: ArrayLike) -> Tensor:
        logits: Tensor = self.table(ids)
        return logits


def _walk(token, n, next_after):
    walked = []
    for _ in range(n):
        token = next_after(token)
        walked.append(token)
    return walked


def checked(ids, vocab):
    """Ids as int64; ValueError for what is no sequence of them."""
    values = np.atleast_1d(np.asarray(ids)) if np.ndim(ids) else None
    if values is None or values.ndim > 1:
        raise ValueError("ids must be one sequence")
    if values.size and values.dtype.kind not in "ui":
        raise ValueError("ids must be integers")
    if ((values < 0) | (values >= vocab)).any():
        raise ValueError(f"ids must be below {vocab}")
    return values.astype(np.int64)
