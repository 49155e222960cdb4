"""L2.2 by plain loops: windows row by row, draws by a running sum, epochs from an endless generator."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import numpy as np

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

SIZES = {"vocab": "vocab_size", "context": "tl_context", "d_emb": "tl_d_emb", "d_hidden": "hidden_size"}


def windows(ids: Any, context: int):
    values = np.asarray(ids)
    if values.ndim != 1 or values.dtype.kind not in ("i", "u"):
        raise ValueError("windows needs a 1-D sequence of integers")
    count = len(values) - context
    if context < 1 or count < 1:
        raise ValueError("windows needs a context of at least 1 and more ids than that")
    x = np.zeros((count, context), dtype=np.int64)
    y = np.zeros(count, dtype=np.int64)
    for row in range(count):
        x[row] = values[row : row + context]
        y[row] = values[row + context]
    return x, y


class NPLM(Module):
    def __init__(
        self, vocab: int, context: int, d_emb: int, d_hidden: int, direct: bool = True, rng: Any = None
    ) -> None:
        super().__init__()
        if vocab < 1 or context < 1 or d_emb < 1 or d_hidden < 1:
            raise ValueError("all sizes of an NPLM must be at least 1")
        if rng is None:
            rng = PCG32(0).substream("init")
        self.vocab, self.context = vocab, context
        self.d_emb, self.d_hidden = d_emb, d_hidden
        self.emb = Embedding(vocab, d_emb, rng=rng)
        self.hidden = Linear(d_emb * context, d_hidden, True, rng)
        self.out = Linear(d_hidden, vocab, True, rng)
        if direct:
            self.direct = Linear(d_emb * context, vocab, False, rng)
        else:
            self.direct = None

    def forward(self, ctx_ids: Any) -> Tensor:
        ids = np.asarray(ctx_ids)
        if ids.ndim != 2 or ids.shape[1] != self.context:
            raise ValueError("forward needs one row of context ids per window")
        self._inside(ids)
        x = F.reshape(self.emb(ids), (ids.shape[0], self.d_emb * self.context))
        h = F.tanh(self.hidden(x))
        if self.direct is None:
            return self.out(h)
        return self.direct(x) + self.out(h)

    def _inside(self, ids):
        for token in np.unique(ids):
            if token != int(token) or not 0 <= token < self.vocab:
                raise ValueError(f"there is no token {token} in a vocabulary of {self.vocab}")
        if ids.dtype.kind not in ("i", "u"):
            raise ValueError("ids must be integers")

    def nll(self, ids: Any, batch_size: int = 1024):
        if batch_size < 1:
            raise ValueError("a batch holds at least one window")
        x, y = windows(ids, self.context)
        self._inside(np.asarray(ids))
        parts = []
        with no_grad():
            while len(y):
                logits = np.asarray(self.forward(x[:batch_size]).data, dtype=np.float64)
                shifted = logits - np.max(logits, axis=-1, keepdims=True)
                norm = np.log(np.sum(np.exp(shifted), axis=-1))
                parts.append(np.array([norm[i] - shifted[i, y[i]] for i in range(len(norm))]))
                x, y = x[batch_size:], y[batch_size:]
        return np.concatenate(parts)

    def perplexity(self, ids: Any) -> float:
        accumulator = NLLAccumulator()
        accumulator.add(self.nll(ids, batch_size=256))
        return accumulator.result()["ppl"]

    def generate(self, prefix: Any, n: int, temperature: float, seed: int) -> list[int]:
        history = [int(token) for token in prefix]
        if n < 0 or temperature < 0 or len(history) < self.context:
            raise ValueError("generate needs n >= 0, a temperature >= 0, and a prefix as long as the window")
        self._inside(np.array(history))
        rng, made = PCG32(seed), []
        window = history[-self.context :]
        for _ in range(n):
            with no_grad():
                scores = self.forward(np.array([window])).data[0]
            token = _greedy(scores) if temperature == 0 else _sample(scores, temperature, rng)
            made.append(token)
            window = [*window[1:], token]
        return made


def _greedy(scores):
    best = 0
    for token in range(1, len(scores)):
        if scores[token] > scores[best]:
            best = token
    return best


def _sample(scores, temperature, rng):
    z = np.asarray(scores, dtype=np.float64) / temperature
    weights = np.exp(z - z.max()).tolist()
    total = 0.0
    for weight in weights:
        total += weight
    threshold, running = rng.uniform() * total, 0.0
    for token, weight in enumerate(weights):
        running += weight
        if running > threshold:
            return token
    raise AssertionError("the running sum ends at the total, above every threshold")


def _forever(loader):
    while True:
        yield from loader


def _objective(model, batch):
    return cross_entropy(model(batch["windows"]), batch["next"]), {}


def train_nplm(model, ids, steps, batch_size, lr, rng, momentum=0.0, weight_decay=0.0, clip=None):
    x, y = windows(ids, model.context)
    model._inside(np.asarray(ids))
    if steps < 0 or batch_size < 1 or len(y) < batch_size:
        raise ValueError("training needs steps >= 0 and at least one whole batch of windows")
    optimizer = SGD(model.parameters(), lr, momentum, weight_decay=weight_decay)
    batches = _forever(DataLoader({"windows": x, "next": y}, batch_size, True, rng))
    losses = []
    while len(losses) < steps:
        report = train_step(model, next(batches), _objective, optimizer, clip=clip)
        losses.append(report["loss"])
    return losses


def save_nplm(model: NPLM, dir: str, tokenizer: str = "bytes") -> None:
    if tokenizer not in {"bytes", "file"}:
        raise ValueError("the tokenizer is 'bytes' or 'file'")
    place = pathlib.Path(dir)
    place.mkdir(parents=True, exist_ok=True)
    config = place / "config.json"
    config.unlink(missing_ok=True)
    tensors = {}
    for name, value in model.state_dict().items():
        tensors[name] = np.asarray(value).astype(np.float32)
    save_safetensors(str(place / "model.safetensors"), tensors, {"format": "tinyllm", "tl_arch": "nplm"})
    sizes = {key: getattr(model, attribute) for attribute, key in SIZES.items()}
    direct = model.direct is not None
    rest = {"tl_arch": "nplm", "tl_format": 1, "tl_tokenizer": tokenizer, "tl_direct": direct}
    config.write_text(json.dumps({**rest, **sizes}, sort_keys=True), encoding="utf-8")


def load_nplm(dir: str) -> NPLM:
    place = pathlib.Path(dir)
    config = json.loads((place / "config.json").read_text(encoding="utf-8"))
    if not isinstance(config, dict):
        raise ValueError("not the config of an NPLM: no object")
    lacking = {"tl_arch", "tl_format", "tl_tokenizer", "tl_direct", *SIZES.values()} - set(config)
    if lacking or config["tl_arch"] != "nplm" or config["tl_format"] != 1:
        raise ValueError(f"not the config of an NPLM (lacking: {sorted(lacking)})")
    model = NPLM(**{attribute: config[key] for attribute, key in SIZES.items()}, direct=config["tl_direct"])
    model.load_state_dict(load_safetensors(str(place / "model.safetensors")))
    return model
