"""L2.1 by whole distributions: each context that is asked for gets a row of V probabilities, from the row below."""

from __future__ import annotations

import json
import pathlib

import numpy as np

from tinyllm.info import ppl
from tinyllm.io.safetensors import load_safetensors, save_safetensors


def flat(ids):
    values = (
        np.frombuffer(bytes(ids), dtype=np.uint8) if isinstance(ids, (bytes, bytearray)) else np.asarray(ids)
    )
    if values.ndim != 1 or (values.size > 0 and values.dtype.kind not in "ui"):
        raise ValueError("ids are integers in a row")
    return tuple(values.tolist())


def rows_of(ids):
    nested = len(ids) > 0 and (isinstance(ids[0], bytes) or np.ndim(ids[0]) > 0)
    return [flat(row) for row in ids] if nested else [flat(ids)]


def checked(rows, vocab):
    if any(not 0 <= token < vocab for row in rows for token in row):
        raise ValueError(f"ids go from 0 to {vocab - 1}")
    return rows


class NGramLM:
    def __init__(self, n: int, discount: str | float = "modified", vocab_size: int | None = None) -> None:
        if not n >= 1 or not (vocab_size is None or vocab_size >= 1):
            raise ValueError("sizes below 1 make no model")
        if not (discount == "modified" if isinstance(discount, str) else 0 < discount <= 1):
            raise ValueError("what kind of discount is that?")
        self.n, self.discount, self.vocab_size = n, discount, vocab_size
        self.followers = None  # per order: context -> {token: adjusted count}

    def fit(self, ids):
        rows = rows_of(ids)
        if not any(rows):
            raise ValueError("a model of nothing")
        vocab = self.vocab_size or 1 + max(token for row in rows for token in row)
        checked(rows, vocab)
        self.vocab_size = vocab
        start, seen = (
            vocab,
            [{} for _ in range(self.n + 1)],
        )  # seen[k]: gram -> (times, set of left neighbours)
        for row in rows:
            tokens = (start, *row)
            for end in range(1, len(tokens)):
                for k in range(1, min(self.n, end + 1) + 1):
                    at = end + 1 - k
                    times, left = seen[k].setdefault(tokens[at : end + 1], ([0], set()))
                    times[0] += 1
                    left.add(tokens[at - 1] if at else None)
        self.followers = [{} for _ in range(self.n)]
        for k in range(1, self.n + 1):
            for gram, (times, left) in seen[k].items():
                plain = k == self.n or gram[0] == start
                self.followers[k - 1].setdefault(gram[:-1], {})[gram[-1]] = times[0] if plain else len(left)
        return self._ready()

    def _ready(self):
        self.distributions = {}
        self.three = [self._estimated(order) for order in self.followers]
        return self

    def _estimated(self, order):
        if self.discount != "modified":
            return (float(self.discount),) * 3
        counts = [count for after in order.values() for count in after.values()]
        one, two, three, four = (counts.count(j) for j in (1, 2, 3, 4))
        if one * two * three * four == 0:
            return 0.5, 1.0, 1.5
        y = one / (one + 2 * two)
        found = 1 - 2 * y * two / one, 2 - 3 * y * three / two, 3 - 4 * y * four / three
        return found if min(found) > 0 else (0.5, 1.0, 1.5)

    def _need_fit(self):
        if self.followers is None:
            raise RuntimeError("there are no counts: fit the model")

    def discounts(self, order):
        self._need_fit()
        if order not in range(1, self.n + 1):
            raise ValueError(f"orders go from 1 to {self.n}")
        return self.three[order - 1]

    def _distribution(self, context):
        """float64 [V] after exactly this context, in which <s> is V; a row, once worked out, is kept."""
        if context not in self.distributions:
            self.distributions[context] = self._worked_out(context)
        return self.distributions[context]

    def _worked_out(self, context):
        uniform = 1.0 / self.vocab_size
        below = self._distribution(context[1:]) if context else np.full(self.vocab_size, uniform)
        after = self.followers[len(context)].get(context)
        if not after:
            return below
        tokens = np.array(sorted(after))
        counts = np.array([after[token] for token in tokens.tolist()])
        cuts = np.array(self.three[len(context)])[np.clip(counts, 1, 3) - 1]
        p = below * (cuts.sum() / counts.sum())
        p[tokens] += (counts - cuts) / counts.sum()
        return np.minimum(p, 1.0)

    def _after(self, history):
        self._need_fit()
        (tokens,) = checked([flat(history)], self.vocab_size)
        padded = (self.vocab_size, *tokens)
        return self._distribution(padded[max(0, len(padded) + 1 - self.n) :])

    def prob(self, history, token):
        distribution = self._after(history)
        checked([(token,)], self.vocab_size)
        return float(distribution[token])

    def logprobs(self, history):
        return np.log(self._after(history))

    def nll(self, ids):
        self._need_fit()
        chosen = []
        for row in checked(rows_of(ids), self.vocab_size):
            padded = (self.vocab_size, *row)
            for t, token in enumerate(row):
                chosen.append(self._distribution(padded[max(0, t + 2 - self.n) : t + 1])[token])
        return np.abs(np.log(np.array(chosen, dtype=np.float64)))

    def perplexity(self, ids):
        return ppl.perplexity(self.nll(ids))

    def save(self, dir, tokenizer="bytes"):
        self._need_fit()
        if tokenizer != "bytes" and tokenizer != "file":
            raise ValueError("the tokenizer is bytes or file")
        folder = pathlib.Path(dir)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").unlink(missing_ok=True)
        tensors, below = {}, [()]
        for k, order in enumerate(self.followers, start=1):
            grams = [
                (at, token, after[token])
                for at, context in enumerate(below)
                for after in [order.get(context, {}) if k > 1 else self._unigrams()]
                for token in sorted(after)
            ]
            columns = np.array(grams, dtype=np.int32).reshape(len(grams), 3).T
            for name, column in zip(("context", "token", "count"), columns, strict=False):
                tensors[f"order{k}.{name}"] = column.copy()
            below = [(*below[at], token) for at, token, _ in grams]
        save_safetensors(folder / "model.safetensors", tensors, {"format": "tinyllm", "tl_arch": "ngram"})
        kind = {"tl_format": 1, "tl_order": self.n, "tl_discount": self.discount, "tl_tokenizer": tokenizer}
        text = json.dumps({"vocab_size": self.vocab_size, "tl_arch": "ngram"} | kind)
        (folder / "config.json").write_text(text, encoding="utf-8")

    def _unigrams(self):
        counted = self.followers[0][()]
        return {token: counted.get(token, 0) for token in range(self.vocab_size + 1)}

    @classmethod
    def load(cls, dir):
        folder = pathlib.Path(dir)
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        try:
            arch, form, _, *sizes = (
                config[f"tl_{key}"] for key in ("arch", "format", "tokenizer", "order", "discount")
            )
            model = cls(*sizes, config["vocab_size"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"config.json describes no model: {error}") from error
        if (arch, form) != ("ngram", 1):
            raise ValueError(f"a model of kind {arch}, format {form}")
        stored = load_safetensors(folder / "model.safetensors")
        model.followers, grams = [], [()]
        for k in range(1, model.n + 1):
            parts = [stored[f"order{k}.{name}"].tolist() for name in ("context", "token", "count")]
            order = {}
            for at, token, count in zip(*parts, strict=False):
                if count:
                    order.setdefault(grams[at], {})[token] = count
            model.followers.append(order)
            grams = [(*grams[at], token) for at, token, _ in zip(*parts, strict=False)]
        return model._ready()
