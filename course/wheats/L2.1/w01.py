"""L2.1 by dictionaries: a context is a tuple, and a probability is worked out when somebody asks."""

from __future__ import annotations

import json
import math
import os
from collections import Counter, defaultdict
from typing import Any

import numpy as np

from tinyllm.info.ppl import NLLAccumulator
from tinyllm.io.safetensors import load_safetensors, save_safetensors

BEGIN = -1


def _tokens(ids: Any) -> list[int]:
    if isinstance(ids, (bytes, bytearray)):
        return list(ids)
    a = np.array(ids)
    if a.ndim != 1:
        raise ValueError("a sequence of ids has one dimension")
    if a.size and not np.issubdtype(a.dtype, np.integer):
        raise ValueError("ids must be whole numbers")
    return [int(i) for i in a]


def _lines(ids: Any) -> list[list[int]]:
    if len(ids) and (isinstance(ids[0], (bytes, bytearray)) or np.ndim(ids[0]) > 0):
        return [_tokens(line) for line in ids]
    return [_tokens(ids)]


class NGramLM:
    def __init__(self, n: int, discount: str | float = "modified", vocab_size: int | None = None) -> None:
        if n < 1:
            raise ValueError("the order is at least 1")
        if vocab_size is not None and vocab_size < 1:
            raise ValueError("the vocabulary has at least one id")
        if isinstance(discount, str):
            if discount != "modified":
                raise ValueError(f"unknown discount {discount!r}")
        elif not (discount > 0 and discount <= 1):
            raise ValueError("a discount lies above 0 and is at most 1")
        self.n = n
        self.discount = discount
        self.vocab_size = vocab_size
        self.tables: list[Counter] = []

    def fit(self, ids):
        lines = _lines(ids)
        if sum(len(line) for line in lines) == 0:
            raise ValueError("no ids to count")
        vocab = self.vocab_size if self.vocab_size is not None else max(max(x) for x in lines if x) + 1
        self._inside(lines, vocab)
        self.vocab_size = vocab
        raw = [Counter() for _ in range(self.n + 1)]
        for line in lines:
            padded = [BEGIN, *line]
            for i in range(len(padded)):
                for k in range(1, min(self.n, len(padded) - i) + 1):
                    raw[k][tuple(padded[i : i + k])] += 1
        tables = [raw[self.n]]
        for k in range(self.n - 1, 0, -1):
            adjusted = Counter(gram[1:] for gram in raw[k + 1])
            for gram in raw[k]:
                if gram[0] == BEGIN:
                    adjusted[gram] = raw[k][gram]
            tables.append(adjusted)
        tables.reverse()
        tables[0].pop((BEGIN,), None)
        self._learn(tables)
        return self

    def _learn(self, tables):
        self.tables = tables
        self._cuts = [(0.0, *self.discounts(k)) for k in range(1, self.n + 1)]
        self._total = [defaultdict(int) for _ in tables]
        self._kinds = [defaultdict(lambda: [0, 0, 0, 0]) for _ in tables]
        for table, total, kinds in zip(tables, self._total, self._kinds, strict=False):
            for gram, count in table.items():
                total[gram[:-1]] += count
                kinds[gram[:-1]][min(count, 3)] += 1

    def _fitted(self):
        if not self.tables:
            raise RuntimeError("fit comes first")

    def _inside(self, lines, vocab):
        for line in lines:
            for i in line:
                if i < 0 or i >= vocab:
                    raise ValueError(f"id {i} is outside the vocabulary")

    def discounts(self, order):
        self._fitted()
        if order < 1 or order > self.n:
            raise ValueError("no such order")
        if self.discount != "modified":
            return (float(self.discount),) * 3
        n = [0] * 5
        for count in self.tables[order - 1].values():
            if 1 <= count <= 4:
                n[count] += 1
        if min(n[1:]) > 0:
            y = n[1] / (n[1] + 2 * n[2])
            three = tuple(j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
            if all(0 < d <= j for j, d in enumerate(three, start=1)):
                return three
        return 0.5, 1.0, 1.5

    def _p(self, context, token):
        p = 1 / self.vocab_size
        for k in range(len(context) + 1):
            tail = context[len(context) - k :]
            total = self._total[k].get(tail, 0)
            if total == 0:
                continue
            cuts, kinds = self._cuts[k], self._kinds[k][tail]
            saved = kinds[1] * cuts[1] + kinds[2] * cuts[2] + kinds[3] * cuts[3]
            count = self.tables[k].get((*tail, token), 0)
            p = (count - cuts[min(count, 3)]) / total + saved / total * p
        return min(p, 1.0)

    def _context(self, history):
        padded = (BEGIN, *history)
        return padded[max(0, len(padded) - self.n + 1) :] if self.n > 1 else ()

    def prob(self, history, token):
        self._fitted()
        before = _tokens(history)
        self._inside([before, [token]], self.vocab_size)
        return self._p(self._context(before), int(token))

    def logprobs(self, history):
        self._fitted()
        before = _tokens(history)
        self._inside([before], self.vocab_size)
        context = self._context(before)
        return np.array([math.log(self._p(context, token)) for token in range(self.vocab_size)])

    def nll(self, ids):
        self._fitted()
        lines = _lines(ids)
        self._inside(lines, self.vocab_size)
        known, costs = {}, []
        for line in lines:
            for t, token in enumerate(line):
                key = (self._context(line[max(0, t - self.n + 1) : t]), token)
                if key not in known:
                    known[key] = -math.log(self._p(*key))
                costs.append(known[key] + 0.0)
        return np.array(costs, dtype=np.float64)

    def perplexity(self, ids):
        tally = NLLAccumulator()
        tally.add(self.nll(ids))
        return tally.result()["ppl"]

    def save(self, dir, tokenizer="bytes"):
        self._fitted()
        if tokenizer not in {"bytes", "file"}:
            raise ValueError(f"no tokenizer {tokenizer!r}")
        os.makedirs(dir, exist_ok=True)
        path = os.path.join(dir, "config.json")
        if os.path.exists(path):
            os.remove(path)
        arrays, places = {}, {(): 0}
        for k, table in enumerate(self.tables, start=1):
            if k == 1:
                table = {**{(i,): table[(i,)] for i in range(self.vocab_size)}, (BEGIN,): 0}
            rows = []
            for gram, count in table.items():
                end = self.vocab_size if gram[-1] == BEGIN else gram[-1]
                rows.append((places[gram[:-1]], end, count, gram))
            rows.sort(key=lambda row: row[:2])
            places = {row[3]: at for at, row in enumerate(rows)}
            for column, part in enumerate(("context", "token", "count")):
                arrays[f"order{k}.{part}"] = np.array([row[column] for row in rows], dtype=np.int32)
        save_safetensors(
            os.path.join(dir, "model.safetensors"), arrays, {"format": "tinyllm", "tl_arch": "ngram"}
        )
        config = {
            "tl_arch": "ngram",
            "tl_tokenizer": tokenizer,
            "vocab_size": self.vocab_size,
            "tl_format": 1,
        }
        config |= {"tl_order": self.n, "tl_discount": self.discount}
        with open(path, "w", encoding="utf-8") as file:
            json.dump(config, file)

    @classmethod
    def load(cls, dir):
        with open(os.path.join(dir, "config.json"), encoding="utf-8") as file:
            config = json.load(file)
        if not isinstance(config, dict) or config.get("tl_arch") != "ngram" or config.get("tl_format") != 1:
            raise ValueError("no n-gram model here")
        for key in ("tl_tokenizer", "vocab_size", "tl_order", "tl_discount"):
            if key not in config:
                raise ValueError(f"config.json lacks {key}")
        model = cls(config["tl_order"], config["tl_discount"], config["vocab_size"])
        arrays = load_safetensors(os.path.join(dir, "model.safetensors"))
        tables, grams = [], [()]
        for k in range(1, model.n + 1):
            context, token, count = (
                arrays[f"order{k}.{part}"].tolist() for part in ("context", "token", "count")
            )
            ends = [BEGIN if each == model.vocab_size else each for each in token]
            grams = [grams[at] + (end,) for at, end in zip(context, ends, strict=False)]
            tables.append(Counter(dict(zip(grams, count, strict=False))))
        tables[0].pop((BEGIN,), None)
        model._learn(tables)
        return model
