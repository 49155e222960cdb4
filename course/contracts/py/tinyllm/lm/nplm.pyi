"""The neural probabilistic language model (Bengio, Ducharme, Vincent and Jauvin, JMLR 2003).

A window of c = `context` token ids predicts the next one. Each id w has a row C[w] of a learned table. The
rows of the window, joined oldest first into x, give the logits

    y = b + W x + U tanh(d + H x),        p(next) = softmax(y)

with the table C = emb.weight [V, m], H = hidden.weight [h, c*m], d = hidden.bias [h], U = out.weight [V, h],
b = out.bias [V] and, if the model has the direct path, W = direct.weight [V, c*m].
Oldest first is this course's convention; the paper joins the newest first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import Embedding, Linear
from tinyllm.nn.module import Module

def windows(ids: ArrayLike, context: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every window of a sequence, and the token after it.

    ids integer [n] -> (x int64 [N, context], y int64 [N]) with N = n - context: x[i] = ids[i : i + context],
    oldest first, and y[i] = ids[i + context]. The first `context` tokens are never targets.
    Raises ValueError: ids that are not a 1-D sequence of integers, a context below 1, no token after the
    first window.
    """
    ...

class NPLM(Module):
    """The model: the parts `emb`, `hidden`, `out` and `direct`, registered in that order."""

    vocab: int
    context: int
    d_emb: int
    d_hidden: int
    emb: Embedding
    hidden: Linear
    out: Linear
    direct: Linear | None

    def __init__(
        self, vocab: int, context: int, d_emb: int, d_hidden: int, direct: bool = True, rng: Any = None
    ) -> None:
        """Embedding(V, m), Linear(c m, h), Linear(h, V) and Linear(c m, V) without a bias.

        With direct False there is no fourth layer and `direct` is None. One generator draws all the layers,
        in that order: rng, or PCG32(0).substream("init") when it is None.
        Raises ValueError: a size below 1.
        """
        ...

    def forward(self, ctx_ids: ArrayLike) -> Tensor:
        """The logits of the token after each window.

        ctx_ids integer [B, c], oldest first -> Tensor [B, V], in the dtype of the parameters (float32).
        Raises ValueError: another width, or an id outside 0 .. V-1 (-1 too, which numpy would read as V-1).
        """
        ...

    def nll(self, ids: ArrayLike, batch_size: int = 1024) -> NDArray[np.float64]:
        """-ln p of each token that has a whole window, in nats: logsumexp(y) - y[token].

        ids integer [n] -> float64 [n - c], for positions c .. n-1. The logits are float32, what follows is
        float64, and no graph is kept. The batch size changes nothing but rounding.
        Raises ValueError: as windows and forward do, and a batch size below 1.
        """
        ...

    def perplexity(self, ids: ArrayLike) -> float:
        """exp of the mean of nll(ids), summed by NLLAccumulator. Raises ValueError: as nll does."""
        ...

    def generate(self, prefix: ArrayLike, n: int, temperature: float, seed: int) -> list[int]:
        """n new ids, each drawn after the last c ids so far, those of the prefix and those drawn before.

        prefix integer [at least c] -> n ids, the prefix not among them.
        Temperature 0 takes the greatest logit, the lowest id of equal ones. Else one PCG32(seed) serves the
        call, and each token takes one uniform() u: with z = y / temperature in float64 and the weights
        exp(z_j - max z), it is the first id whose running sum of weights, in id order, exceeds u times their
        total.
        Raises ValueError: a prefix shorter than c, an id outside 0 .. V-1, n < 0, a temperature below 0.
        """
        ...

def train_nplm(
    model: NPLM,
    ids: ArrayLike,
    steps: int,
    batch_size: int,
    lr: float,
    rng: Any,
    momentum: float = 0.0,
    weight_decay: float = 0.0,
    clip: float | None = None,
) -> list[float]:
    """Train on every window of ids by mean cross-entropy, in place; the loss of each step, in nats.

    A DataLoader shuffles the windows with rng, anew each epoch, and drops the last partial batch. One SGD
    serves all epochs, so that its momentum lasts. Each step is train_step with the given clip. There are
    exactly `steps` steps, over as many epochs as they take.
    Raises ValueError: steps < 0, a batch size below 1 or above the number of windows, ids as in windows and
    forward. FloatingPointError: as train_step does.
    """
    ...

def save_nplm(model: NPLM, dir: str, tokenizer: str = "bytes") -> None:
    """Write the model directory, making it if need be: config.json and model.safetensors.

    config.json holds exactly tl_arch "nplm", tl_tokenizer, vocab_size, tl_format 1, tl_context, tl_d_emb,
    hidden_size and tl_direct. model.safetensors holds the state dict as F32, with the metadata
    {"format": "tinyllm", "tl_arch": "nplm"}. An old config is removed first and the new one written last, so
    that a save cut short leaves what load_nplm refuses, never a mixture that loads.
    Raises ValueError: a tokenizer that is neither "bytes" nor "file"; nothing is written then.
    """
    ...

def load_nplm(dir: str) -> NPLM:
    """The model that save_nplm wrote: the same logits, bit for bit.

    Raises FileNotFoundError: no config.json, or no tensors (a save cut short). ValueError: a config that is
    not JSON, lacks a key, or has another tl_arch or tl_format. KeyError: tensors missing or left over.
    """
    ...
