"""The neural probabilistic language model: a vector for each token, and a small network over a fixed window.

Source: Bengio, Ducharme, Vincent and Jauvin, "A Neural Probabilistic Language Model" (JMLR 2003).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd import functional as F
from tinyllm.autograd.losses import cross_entropy
from tinyllm.autograd.mode import no_grad
from tinyllm.autograd.tensor import Tensor
from tinyllm.info.ppl import NLLAccumulator
from tinyllm.io.safetensors import load_safetensors, save_safetensors
from tinyllm.nn.layers import Embedding, Linear
from tinyllm.nn.module import Module
from tinyllm.num.rng import PCG32
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, train_step

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]

_ARCH, _FORMAT, _TOKENIZERS = "nplm", 1, ("bytes", "file")
_CONFIG_TYPES = {
    "tl_arch": str, "tl_tokenizer": str, "vocab_size": int, "tl_format": int,
    "tl_context": int, "tl_d_emb": int, "hidden_size": int, "tl_direct": bool,
}  # fmt: skip


def windows(ids: ArrayLike, context: int) -> tuple[Ids, Ids]:
    """Every window of `context` ids, oldest first, and the id after each."""
    sequence = _integers(ids, ndim=1)
    if context < 1:
        raise ValueError(f"context must be at least 1, got {context}")
    if len(sequence) <= context:
        raise ValueError(f"{len(sequence)} ids hold no window of {context} and a token after it: give more")
    x = np.lib.stride_tricks.sliding_window_view(sequence[:-1], context)
    return x.copy(), sequence[context:]


class NPLM(Module):
    """y = b + W x + U tanh(d + H x), where x joins the window's rows of the table, oldest first."""

    def __init__(
        self, vocab: int, context: int, d_emb: int, d_hidden: int, direct: bool = True, rng: Any = None
    ) -> None:
        super().__init__()
        if min(vocab, context, d_emb, d_hidden) < 1:
            sizes = f"vocab {vocab}, context {context}, d_emb {d_emb}, d_hidden {d_hidden}"
            raise ValueError(f"every size must be at least 1, got {sizes}")
        if rng is None:
            rng = PCG32(0).substream("init")
        self.vocab, self.context, self.d_emb, self.d_hidden = vocab, context, d_emb, d_hidden
        self.emb = Embedding(vocab, d_emb, rng=rng)
        self.hidden = Linear(context * d_emb, d_hidden, rng=rng)
        self.out = Linear(d_hidden, vocab, rng=rng)
        self.direct = Linear(context * d_emb, vocab, bias=False, rng=rng) if direct else None

    def forward(self, ctx_ids: ArrayLike) -> Tensor:
        """[B, c] -> [B, V] logits."""
        ids = _integers(ctx_ids, ndim=2)
        if ids.shape[1] != self.context:
            raise ValueError(f"this model reads windows of {self.context} ids, got {ids.shape[1]}")
        x = F.reshape(self.emb(ids), (len(ids), self.context * self.d_emb))
        y: Tensor = self.out(F.tanh(self.hidden(x)))
        return y if self.direct is None else y + self.direct(x)

    def nll(self, ids: ArrayLike, batch_size: int = 1024) -> Floats:
        """-ln p of each token that has a whole window, float64 [len - c]."""
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, got {batch_size}")
        x, y = windows(self._known(ids, ndim=1), self.context)
        batches = [slice(i, i + batch_size) for i in range(0, len(y), batch_size)]
        with no_grad():
            return np.concatenate([_surprise(self(x[rows]).data, y[rows]) for rows in batches])

    def perplexity(self, ids: ArrayLike) -> float:
        """exp of the mean NLL."""
        total = NLLAccumulator()
        total.add(self.nll(ids))
        return float(total.result()["ppl"])

    def generate(self, prefix: ArrayLike, n: int, temperature: float, seed: int) -> list[int]:
        """n new ids, each from the last c ids before it."""
        if not (n >= 0 and temperature >= 0):
            raise ValueError(f"n and temperature must be at least 0, got {n} and {temperature}")
        c, start = self.context, self._known(prefix, ndim=1)
        if len(start) < c:
            raise ValueError(f"the prefix has {len(start)} ids and the window {c}: give a longer prefix")
        ids = np.concatenate([start[-c:], np.zeros(n, dtype=np.int64)])
        uniforms, logits = PCG32(seed).uniforms(n), self._one_window()
        for t in range(n):
            y = logits(ids[t : t + c])
            ids[t + c] = y.argmax() if temperature == 0 else _draw(y, temperature, uniforms[t])
        return [int(token) for token in ids[c:]]

    def _one_window(self) -> Callable[[Ids], NDArray[Any]]:
        """forward for a single window, on bare arrays: there the tape would cost more than the sums."""
        values = self.state_dict()
        C, H, U = values["emb.weight"], values["hidden.weight"], values["out.weight"]
        d, b, W = values["hidden.bias"], values["out.bias"], values.get("direct.weight")

        def logits(window: Ids) -> NDArray[Any]:
            x = C[window].ravel()
            y: NDArray[Any] = U @ np.tanh(H @ x + d) + b
            return y if W is None else y + W @ x

        return logits

    def _known(self, ids: ArrayLike, ndim: int) -> Ids:
        """The ids as int64, each in the vocabulary."""
        known = _integers(ids, ndim)
        if known.size and not (known.min() >= 0 and known.max() < self.vocab):
            raise ValueError(f"ids must lie in 0 .. {self.vocab - 1}, got {known.min()} .. {known.max()}")
        return known


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
    """The loop of L0.5 over all windows, for exactly `steps` steps; the loss of each."""
    x, y = windows(model._known(ids, ndim=1), model.context)
    if steps < 0 or not 1 <= batch_size <= len(y):
        raise ValueError(f"need steps >= 0 and batch_size in 1 .. {len(y)}, got {steps} and {batch_size}")
    loader = DataLoader({"x": x, "y": y}, batch_size, shuffle=True, rng=rng)
    optimizer = SGD(model.parameters(), lr, momentum=momentum, weight_decay=weight_decay)
    losses: list[float] = []
    while len(losses) < steps:
        for batch in islice(loader, steps - len(losses)):
            losses.append(train_step(model, batch, _mean_loss, optimizer, clip=clip)["loss"])
    return losses


def save_nplm(model: NPLM, dir: str, tokenizer: str = "bytes") -> None:
    """Write the model directory, the config last: without it the rest does not load."""
    if tokenizer not in _TOKENIZERS:
        raise ValueError(f"tokenizer must be one of {', '.join(_TOKENIZERS)}, got {tokenizer!r}")
    config = {
        "tl_arch": _ARCH,
        "tl_tokenizer": tokenizer,
        "vocab_size": model.vocab,
        "tl_format": _FORMAT,
        "tl_context": model.context,
        "tl_d_emb": model.d_emb,
        "hidden_size": model.d_hidden,
        "tl_direct": model.direct is not None,
    }
    tensors = {name: np.asarray(value, dtype=np.float32) for name, value in model.state_dict().items()}
    folder = Path(dir)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").unlink(missing_ok=True)
    save_safetensors(folder / "model.safetensors", tensors, {"format": "tinyllm", "tl_arch": _ARCH})
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def load_nplm(dir: str) -> NPLM:
    """The model of a directory, its tensors loaded strictly."""
    config = _read_config(Path(dir) / "config.json")
    vocab, context, d_emb = config["vocab_size"], config["tl_context"], config["tl_d_emb"]
    model = NPLM(vocab, context, d_emb, config["hidden_size"], direct=config["tl_direct"])
    model.load_state_dict(load_safetensors(Path(dir) / "model.safetensors"))
    return model


def _integers(ids: ArrayLike, ndim: int) -> Ids:
    """A copy of the ids as int64 with ndim axes."""
    array = np.asarray(ids)
    if array.ndim != ndim or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"need integer ids of {ndim} axes, got {array.dtype} with {array.ndim}")
    return array.astype(np.int64)


def _surprise(logits: NDArray[Any], targets: Ids) -> Floats:
    """logsumexp(y) - y[target] of each row, in float64."""
    z = logits.astype(np.float64)
    z -= z.max(axis=1, keepdims=True)
    chosen = z[np.arange(len(z)), targets]
    surprise: Floats = np.log(np.exp(z, out=z).sum(axis=1)) - chosen
    return surprise


def _draw(logits: NDArray[Any], temperature: float, u: float) -> int:
    """The first id whose running sum of weights exceeds u times their total."""
    z = logits.astype(np.float64) / temperature
    sums = np.exp(z - z.max()).cumsum()
    return int(sums.searchsorted(u * sums[-1], side="right"))


def _mean_loss(model: NPLM, batch: dict[str, Ids]) -> Tensor:
    """The mean cross-entropy of a batch of windows."""
    return cross_entropy(model(batch["x"]), batch["y"])


def _read_config(path: Path) -> dict[str, Any]:
    """The config, every key of it there and of its type; ValueError when it is not one of ours."""
    config = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(config, dict) or config.get("tl_arch") != _ARCH or config.get("tl_format") != _FORMAT:
        raise ValueError(f"{path} is not the config of an NPLM of format {_FORMAT}: write it with save_nplm")
    wrong = [key for key, kind in _CONFIG_TYPES.items() if type(config.get(key)) is not kind]
    if wrong or config["tl_tokenizer"] not in _TOKENIZERS:
        keys = ", ".join(wrong) or "tl_tokenizer"
        raise ValueError(f"{path} lacks or misstates {keys}: save the model again with save_nplm")
    return config
