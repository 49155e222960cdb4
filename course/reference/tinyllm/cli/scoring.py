"""Scoring a text: the figures of every perplexity that a command reports, with their convention."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from tinyllm.cli.directory import Model
from tinyllm.cli.shard import BYTES
from tinyllm.info.ppl import NLLAccumulator
from tinyllm.lm.nplm import NPLM


def convention(model: Model) -> str:
    """What is done about the first tokens, which no full history stands before."""
    if isinstance(model, NPLM):
        return f"the first {model.context} tokens are read, not scored"
    return "every token is scored, the first ones after <s>"


def scored(model: Model, ids: NDArray[Any], vocab: int) -> dict[str, Any]:
    """ppl, nll_mean and bpb (nats, nats, bits) of a text, of how many tokens and bytes, and the convention.

    bytes and bpb are None where a token is no byte.
    """
    nll = model.nll(ids)
    tally = NLLAccumulator()
    tally.add(nll, n_bytes=len(nll) if vocab == BYTES else 0)
    found = tally.result()
    return {
        "ppl": found["ppl"],
        "nll_mean": found["nll_mean"],
        "bpb": found["bpb"],
        "tokens": found["n_tokens"],
        "bytes": found["n_bytes"] or None,
        "convention": convention(model),
    }
