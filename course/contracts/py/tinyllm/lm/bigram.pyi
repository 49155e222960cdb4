"""Bigram models: the next token from the one before it, by counting and by gradient descent.

Tokens are ids 0 .. V-1. The first token of a sequence has none before it and is not scored.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import Embedding
from tinyllm.nn.module import Module

class BigramLM:
    """P(b | a) = (count(a b) + alpha) / (count(a ·) + alpha V): alpha 1 is add-one (Laplace) smoothing.

    Ids that are not one sequence of integers in 0 .. V-1 raise ValueError everywhere.
    """

    vocab: int
    alpha: float
    counts: NDArray[np.int64]

    def __init__(self, vocab: int, alpha: float = 1.0) -> None:
        """counts [V, V] of nothing yet. Raises ValueError: vocab below 1, or alpha not above 0."""
        ...

    def fit(self, ids: ArrayLike) -> BigramLM:
        """Count the pairs of a sequence [n], in addition to those counted before; returns this model."""
        ...

    def logprobs(self, previous: int) -> NDArray[np.float64]:
        """ln P(· | previous), float64 [V], in nats."""
        ...

    def nll(self, ids: ArrayLike) -> NDArray[np.float64]:
        """-ln P of each token but the first, ids integer [n] -> float64 [n - 1], in nats."""
        ...

    def perplexity(self, ids: ArrayLike) -> float:
        """exp of the mean of nll(ids). Raises ValueError: fewer than two ids."""
        ...

    def sample(self, prefix: ArrayLike, n: int, temperature: float, seed: int) -> list[int]:
        """n new ids, the first drawn after the last id of the prefix.

        prefix integer [at least 1] -> list of n ids, the prefix not among them.
        Temperature 0: the most probable id, the lowest of equals. Else one PCG32(seed) for the call and one
        uniform() u for each token: with z = logprobs / temperature in float64 and weights exp(z_j - max z),
        the first id whose running sum of weights, in id order, exceeds u times their total.
        Raises ValueError: an empty prefix, n < 0, a temperature below 0.
        """
        ...

class BigramLogits(Module):
    """The same table as logits: `table` is Embedding(V, V), its row a the logits of what follows a."""

    table: Embedding

    def __init__(self, vocab: int, rng: Any = None) -> None:
        """The table is drawn by rng, as Embedding does. Raises ValueError: vocab below 1."""
        ...

    def forward(self, ids: ArrayLike) -> Tensor:
        """The ids before, integer [...] -> logits [..., V]. Raises ValueError: as F.embedding does."""
        ...
