"""L2.2 by index arithmetic: windows are gathered at once, and generation runs the model itself."""

from __future__ import annotations

import json
import math
import os
from typing import Any

import numpy as np

import tinyllm.autograd.functional as F
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


def windows(ids, context):
    a = np.array(ids)
    if a.ndim != 1 or not np.issubdtype(a.dtype, np.integer):
        raise ValueError("ids must be a flat sequence of integers")
    if context < 1 or a.shape[0] <= context:
        raise ValueError("the context must be at least 1 and shorter than the sequence")
    a = a.astype(np.int64)
    columns = np.arange(context + 1)
    table = a[columns + np.arange(a.shape[0] - context)[:, None]]
    return np.ascontiguousarray(table[:, :context]), np.ascontiguousarray(table[:, context])


def _check_range(ids, vocab):
    ids = np.asarray(ids)
    if not np.issubdtype(ids.dtype, np.integer):
        raise ValueError("ids must be integers")
    if ids.size > 0 and not np.all((ids >= 0) & (ids < vocab)):
        raise ValueError(f"an id is outside 0..{vocab - 1}")
    return ids


class NPLM(Module):
    def __init__(
        self, vocab: int, context: int, d_emb: int, d_hidden: int, direct: bool = True, rng: Any = None
    ) -> None:
        super().__init__()
        for size in (vocab, context, d_emb, d_hidden):
            if size < 1:
                raise ValueError(f"sizes are at least 1, not {size}")
        generator = rng if rng is not None else PCG32(0).substream("init")
        wide = context * d_emb
        self.vocab = vocab
        self.context = context
        self.d_emb = d_emb
        self.d_hidden = d_hidden
        self.emb = Embedding(vocab, d_emb, generator)
        self.hidden = Linear(wide, d_hidden, rng=generator)
        self.out = Linear(d_hidden, vocab, rng=generator)
        self.direct = None
        if direct:
            self.direct = Linear(wide, vocab, bias=False, rng=generator)

    def forward(self, ctx_ids: Any) -> Tensor:
        ids = _check_range(ctx_ids, self.vocab)
        if ids.ndim != 2 or ids.shape[1] != self.context:
            raise ValueError(f"expected windows [B, {self.context}], got {list(ids.shape)}")
        rows = F.embedding(self.emb.weight, ids)
        x = F.reshape(rows, (ids.shape[0], -1))
        logits = self.out(F.tanh(self.hidden(x)))
        if self.direct is not None:
            logits = logits + self.direct(x)
        return logits

    def nll(self, ids, batch_size=1024):
        if batch_size < 1:
            raise ValueError("batch_size must be positive")
        x, y = windows(_check_range(ids, self.vocab), self.context)
        costs = np.empty(len(y), dtype=np.float64)
        with no_grad():
            for low in range(0, len(y), batch_size):
                part = slice(low, low + batch_size)
                logits = self(x[part]).data.astype(np.float64)
                top = logits.max(axis=1)
                total = top + np.log(np.exp(logits - top[:, None]).sum(axis=1))
                costs[part] = total - np.take_along_axis(logits, y[part, None], axis=1)[:, 0]
        return costs

    def perplexity(self, ids):
        tally = NLLAccumulator()
        tally.add(self.nll(ids))
        return math.exp(tally.result()["nll_mean"])

    def generate(self, prefix, n, temperature, seed):
        if n < 0:
            raise ValueError("n must not be negative")
        if temperature < 0:
            raise ValueError("temperature must not be negative")
        text = [int(i) for i in _check_range(prefix, self.vocab)]
        if len(text) < self.context:
            raise ValueError("the prefix is shorter than the window")
        rng = PCG32(seed)
        begin = len(text)
        with no_grad():
            while len(text) < begin + n:
                y = self(np.array(text[len(text) - self.context :])[None, :]).data[0]
                text.append(self._choose(y, temperature, rng))
        return text[begin:]

    @staticmethod
    def _choose(y, temperature, rng):
        if temperature == 0:
            return int(np.flatnonzero(y == y.max())[0])
        z = y.astype(np.float64) / temperature
        sums = np.cumsum(np.exp(z - np.max(z)))
        return int(np.argmax(sums > rng.uniform() * sums[-1]))


def train_nplm(model, ids, steps, batch_size, lr, rng, momentum=0.0, weight_decay=0.0, clip=None):
    x, y = windows(_check_range(ids, model.vocab), model.context)
    if steps < 0:
        raise ValueError("steps must not be negative")
    if batch_size < 1 or x.shape[0] < batch_size:
        raise ValueError("there are fewer windows than a batch holds")

    def loss(net, batch):
        return cross_entropy(net(batch["context"]), batch["target"])

    batches = DataLoader({"context": x, "target": y}, batch_size, shuffle=True, rng=rng, drop_last=True)
    optimizer = SGD(model.parameters(), lr=lr, momentum=momentum, weight_decay=weight_decay)
    losses, epoch = [], iter(())
    for _ in range(steps):
        batch = next(epoch, None)
        if batch is None:
            epoch = iter(batches)
            batch = next(epoch)
        losses.append(train_step(model, batch, loss, optimizer, clip)["loss"])
    return losses


def save_nplm(model: NPLM, dir: str, tokenizer: str = "bytes") -> None:
    if tokenizer != "bytes" and tokenizer != "file":
        raise ValueError(f"unknown tokenizer {tokenizer!r}")
    os.makedirs(dir, exist_ok=True)
    config_path = os.path.join(dir, "config.json")
    if os.path.exists(config_path):
        os.remove(config_path)
    state = {key: np.array(value, dtype="float32") for key, value in model.state_dict().items()}
    save_safetensors(
        os.path.join(dir, "model.safetensors"), state, metadata={"format": "tinyllm", "tl_arch": "nplm"}
    )
    config = {"tl_arch": "nplm", "tl_tokenizer": tokenizer, "vocab_size": model.vocab, "tl_format": 1}
    config.update(tl_context=model.context, tl_d_emb=model.d_emb, hidden_size=model.d_hidden)
    config["tl_direct"] = model.direct is not None
    with open(config_path, "w", encoding="utf-8") as file:
        json.dump(config, file)


def load_nplm(dir: str) -> NPLM:
    with open(os.path.join(dir, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    if not isinstance(config, dict) or config.get("tl_arch") != "nplm" or config.get("tl_format") != 1:
        raise ValueError("this directory holds no NPLM")
    try:
        sizes = [config[key] for key in ("vocab_size", "tl_context", "tl_d_emb", "hidden_size")]
        direct, _ = config["tl_direct"], config["tl_tokenizer"]
    except KeyError as missing:
        raise ValueError(f"config.json has no {missing}") from None
    model = NPLM(*sizes, direct=direct)
    model.load_state_dict(load_safetensors(os.path.join(dir, "model.safetensors")), strict=True)
    return model
