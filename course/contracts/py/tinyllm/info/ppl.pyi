"""Perplexity, bits per token and bits per byte, from negative log-likelihoods (NLLs).

An NLL is -ln p of one token, in nats: at least 0, and inf where the model gave the token probability 0. Which
tokens are scored is the caller's choice: a perplexity is only comparable with one over the same tokens.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

def perplexity(nll: ArrayLike) -> float:
    """exp of the mean of the NLLs, in nats: what NLLAccumulator gives as "ppl" for this one batch.

    nll [...], of any shape but empty (a single number is a mean already) -> a float of at least 1, inf when
    the mean is inf or its exponential is too large for a float64.
    Raises ValueError: as add and result do.
    """
    ...

class NLLAccumulator:
    """Counts scored tokens and adds up their NLLs, over any number of batches and workers.

    The sum is math.fsum inside a batch and compensated across batches: the same tokens cut into other batches
    give the same result, up to a rounding. A call that raises leaves the accumulator as it was.
    Source: Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen" (1974).
    """

    def __init__(self) -> None:
        """Nothing counted yet."""
        ...

    def add(self, nll: ArrayLike, mask: ArrayLike | None = None, n_bytes: int = 0) -> None:
        """Count a batch: nll [...] in nats, and a mask of its shape, true (or 1) where a token is scored.

        Without a mask all are scored; where it is false nll may hold anything. n_bytes is how many bytes of
        text the scored tokens stand for; leave it at 0 when bits per byte is not wanted.
        Raises ValueError: a scored NLL that is NaN or negative (inf is allowed), a mask of another shape or
        with values other than 0 and 1, n_bytes < 0.
        """
        ...

    def merge(self, other: NLLAccumulator) -> None:
        """Count everything that `other` has counted, which stays as it is."""
        ...

    def result(self) -> dict[str, Any]:
        """What was counted, under these keys:

        nll_sum (nats), n_tokens, n_bytes, nll_mean = nll_sum / n_tokens (nats), ppl = exp(nll_mean),
        bits_per_token = nll_mean / ln 2, bpb = nll_sum / (n_bytes ln 2), which is None when no bytes were
        counted.
        Raises ValueError: no token was scored.
        """
        ...
