"""Token shards as the commands take them: the ids, and whether a model can read them."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from tinyllm.io.tokens import open_tokens, read_tokens_header

BYTES = 256


def read(path: str) -> tuple[NDArray[Any], int]:
    """(ids [n], vocab) of a shard. ValueError where it does not say of what vocabulary its ids are."""
    vocab = read_tokens_header(path)["vocab"]
    if vocab < 1:
        raise ValueError(f"{path} does not say how large its vocabulary is: encode it again")
    return open_tokens(path), vocab


def read_for(path: str, vocab: int) -> NDArray[Any]:
    """The ids of a shard of the model's own vocabulary."""
    ids, found = read(path)
    if found != vocab:
        raise ValueError(f"{path} has a vocabulary of {found} and the model one of {vocab}")
    return ids
