"""Interpolated Kneser-Ney: the best a table of counts can do.

P_k(w | h) = (c(h w) - D(c(h w))) / c(h .) + S(h) P_{k-1}(w | h without its first token), where c are the
adjusted counts of order k, D(c) is what a count of 1, of 2, or of 3 and more loses (0 loses nothing), and
S(h) is all that the context h lost, divided by c(h .). A context that nothing ever followed leaves all to
the order below. Below order 1 every id of the vocabulary has 1 / V. The adjusted count of a gram is its
plain count at the top order and when it starts with <s>; else it is the number of different tokens seen on
its left.

Source: Chen and Goodman, "An Empirical Study of Smoothing Techniques for Language Modeling" (1998);
Heafield, Pouzyrevsky, Clark and Koehn, "Scalable Modified Kneser-Ney Language Model Estimation" (ACL 2013).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

class NGramLM:
    """A count model over ids 0 .. V-1. <s> stands before each sequence: a context only, never scored."""

    n: int
    discount: str | float
    vocab_size: int | None

    def __init__(self, n: int, discount: str | float = "modified", vocab_size: int | None = None) -> None:
        """An empty model of order n: it sees n - 1 tokens of context.

        discount: "modified" for three discounts an order, estimated from the counts, or one number for all.
        vocab_size: V, or None for one more than the greatest id of the first fit.
        Raises ValueError: n or vocab_size below 1, a number outside (0, 1], another word.
        """
        ...

    def fit(self, ids: Any) -> NGramLM:
        """Count; what was counted before is forgotten. Returns the model itself.

        ids: one sequence of integers [T] (a list, an array, bytes), or a sequence of such sequences.
        Raises ValueError, and leaves the model as it was: no id at all, ids that are not integers in one
        dimension, an id outside 0 .. V-1.
        """
        ...

    def discounts(self, order: int) -> tuple[float, float, float]:
        """What a count of 1, of 2, and of 3 and more loses at this order.

        With n_j grams of adjusted count j and Y = n_1 / (n_1 + 2 n_2): D_j = j - (j + 1) Y n_{j+1} / n_j.
        When one of n_1 .. n_4 is 0 or a D_j is outside (0, j], as in corpora of letters: (0.5, 1, 1.5).
        Raises ValueError: an order outside 1 .. n. RuntimeError: not fitted.
        """
        ...

    def prob(self, history: ArrayLike, token: int) -> float:
        """P(token | history), float64 in (0, 1].

        history integer [any length]: the tokens before it, oldest first. The last n - 1 count; a shorter
        history is the whole sequence so far, with <s> before it.
        Raises ValueError: an id outside 0 .. V-1. RuntimeError: not fitted.
        """
        ...

    def logprobs(self, history: ArrayLike) -> NDArray[np.float64]:
        """ln P(every id | history), float64 [V]; history and errors as for prob."""
        ...

    def nll(self, ids: Any) -> NDArray[np.float64]:
        """What each token costs, in nats, float64 [all tokens]: the first of a sequence is told from <s>.

        ids as for fit; the costs of several sequences come one after another.
        Raises ValueError: ids that are not integers in one dimension, an id outside 0 .. V-1. RuntimeError:
        not fitted.
        """
        ...

    def perplexity(self, ids: Any) -> float:
        """exp of the mean of nll(ids), over every token. Raises: as nll does, and ValueError for no token."""
        ...

    def save(self, dir: str, tokenizer: str = "bytes") -> None:
        """Write the model directory, made if it is not there: config.json and model.safetensors.

        config.json holds tl_arch "ngram", tl_tokenizer, vocab_size, tl_format 1, tl_order and tl_discount.
        model.safetensors holds, for each order k, the grams sorted by context and token, int32 [G]:
        order<k>.context (the first k - 1 tokens, as an index into the grams of order k - 1), order<k>.token
        (V is <s>) and order<k>.count (adjusted). Order 1 holds every id 0 .. V, with count 0 where it was
        never seen, so that an id is its own index. The old config goes first and the new one comes last, so
        that a save cut short leaves a directory that load refuses.
        Raises RuntimeError: not fitted. ValueError: a tokenizer that is neither "bytes" nor "file".
        """
        ...

    @classmethod
    def load(cls, dir: str) -> NGramLM:
        """The model that save wrote: the same probabilities, bit for bit.

        Raises FileNotFoundError: no config.json or no model.safetensors (a save cut short). ValueError: a
        config that is not JSON, that lacks a key, or whose tl_arch or tl_format is another. KeyError: a tensor
        is missing.
        """
        ...
