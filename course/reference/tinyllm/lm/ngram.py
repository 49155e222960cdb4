"""Interpolated modified Kneser-Ney: the best a table of counts can do.

The grams of one order are a level of a trie, kept as parallel arrays. A gram is written as one number, its
key: `context * base + token`, where `context` is the index of all its tokens but the last in the level below,
and `base` is one more than the vocabulary, for `<s>`. So no key grows with the order, and the tokens seen
after one context lie side by side.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.info.ppl import perplexity
from tinyllm.io.safetensors import load_safetensors, save_safetensors

_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]

_FALLBACK = (0.5, 1.0, 1.5)
_KIND = {"tl_arch": "ngram", "tl_format": 1}  # what config.json says of every n-gram model


@dataclass
class _Level:
    """The G grams of one order: their keys, sorted, and what is known of each."""

    keys: _Ints  # [G]
    suffix: _Ints  # [G] the gram without its first token, as an index into the level below
    counts: _Ints  # [G] plain at first, then adjusted
    prob: _Floats = field(default_factory=lambda: np.zeros(0))  # [G] P(last token | the others)
    backoff: _Floats = field(default_factory=lambda: np.zeros(0))  # [contexts] the share of the level below

    def find(self, keys: _Ints) -> _Ints:
        """Where each key stands in this level, -1 for a gram that was never seen."""
        if not len(self.keys):
            return np.full(keys.shape, -1)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, at, -1)


class NGramLM:
    """A count model over ids, discounted and interpolated from order n down to the uniform distribution."""

    def __init__(self, n: int, discount: str | float = "modified", vocab_size: int | None = None) -> None:
        if n < 1 or (vocab_size is not None and vocab_size < 1):
            raise ValueError(f"n and vocab_size must be at least 1, got {n} and {vocab_size}")
        if discount != "modified" and not (isinstance(discount, (int, float)) and 0 < discount <= 1):
            raise ValueError(f'discount must be "modified" or a number in (0, 1], got {discount!r}')
        self.n, self.discount, self.vocab_size = n, discount, vocab_size
        self._levels: list[_Level] = []

    def fit(self, ids: Any) -> NGramLM:
        sequences = _sequences(ids)
        if not any(map(len, sequences)):
            raise ValueError("there is nothing to count: give fit at least one id")
        vocab = self.vocab_size or 1 + max(int(s.max()) for s in sequences if len(s))
        tokens = _joined(sequences, vocab, 1)
        self.vocab_size = vocab  # a fit that was refused settles nothing
        self._levels, _ = _trie(tokens, self.n, vocab + 1, ends=np.flatnonzero(tokens == vocab)[1:] - 1)
        self._adjust()
        self._estimate()
        return self

    def discounts(self, order: int) -> tuple[float, float, float]:
        if not isinstance(self.discount, str):
            return (float(self.discount),) * 3
        n = np.bincount(np.minimum(self._level(order).counts, 5), minlength=6).tolist()  # n[j] grams count j
        if 0 in n[1:5]:
            return _FALLBACK
        y = n[1] / (n[1] + 2 * n[2])
        d1, d2, d3 = (j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
        return (d1, d2, d3) if min(d1, d2, d3) > 0 else _FALLBACK  # D_j is below j for any n

    def prob(self, history: ArrayLike, token: int) -> float:
        distribution = self._distribution(history)
        if not 0 <= token < len(distribution):
            raise ValueError(f"token must lie in [0, {len(distribution)}), got {token}")
        return float(distribution[token])

    def logprobs(self, history: ArrayLike) -> _Floats:
        return np.log(self._distribution(history))

    def nll(self, ids: Any) -> _Floats:
        tokens = _joined(_sequences(ids), self._base - 1, self.n - 1)  # a gram of order n ends at every token
        text, gram = _trie(tokens, self.n, self._base, ends=tokens[:0])
        return -np.log(self._prob_of(text))[gram[tokens[self.n - 1 :] < self._base - 1]]

    def perplexity(self, ids: Any) -> float:
        return perplexity(self.nll(ids))

    def save(self, dir: str, tokenizer: str = "bytes") -> None:
        if tokenizer not in ("bytes", "file"):
            raise ValueError(f'tokenizer must be "bytes" or "file", got {tokenizer!r}')
        tensors: dict[str, NDArray[np.int32]] = {}
        for order in range(1, self.n + 1):
            level = self._level(order)
            context, token = np.divmod(level.keys, self._base)
            parts = {"context": context, "token": token, "count": level.counts}
            tensors |= {f"order{order}.{name}": part.astype(np.int32) for name, part in parts.items()}
        config = {**_KIND, "tl_tokenizer": tokenizer, "vocab_size": self.vocab_size}
        config |= {"tl_order": self.n, "tl_discount": self.discount}
        folder = Path(dir)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").unlink(missing_ok=True)  # a save cut short leaves none, and load refuses it
        save_safetensors(folder / "model.safetensors", tensors, {"format": "tinyllm", "tl_arch": "ngram"})
        (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, dir: str) -> NGramLM:
        config = json.loads((Path(dir) / "config.json").read_text(encoding="utf-8"))
        match config:
            case {"vocab_size": int(), "tl_order": int(), "tl_discount": _, "tl_tokenizer": "bytes" | "file"}:
                model = cls(config["tl_order"], config["tl_discount"], config["vocab_size"])
            case _:
                raise ValueError(f"{dir} holds no n-gram model: its config.json is {config}")
        if {**config, **_KIND} != config:
            raise ValueError(f"{dir} holds another kind of model: its config.json is {config}")
        tensors = load_safetensors(Path(dir) / "model.safetensors")
        base = config["vocab_size"] + 1
        for order in range(1, model.n + 1):
            names = (f"order{order}.{part}" for part in ("context", "token", "count"))
            context, token, counts = (np.asarray(tensors[name], dtype=np.int64) for name in names)
            _push(model._levels, context * base + token, counts, base)
        model._estimate()
        return model

    @property
    def _base(self) -> int:
        return len(self._level(1).keys)  # every id, and <s>

    def _level(self, order: int) -> _Level:
        if not self._levels:
            raise RuntimeError("this model has counted nothing yet: call fit first")
        if not 1 <= order <= self.n:
            raise ValueError(f"order must lie in [1, {self.n}], got {order}")
        return self._levels[order - 1]

    def _adjust(self) -> None:
        """Below the top order a gram counts its left neighbours: all have some but those that begin with <s>."""
        for level, above in zip(self._levels, self._levels[1:], strict=False):
            neighbours = np.bincount(above.suffix, minlength=len(level.keys))
            level.counts = np.where(neighbours > 0, neighbours, level.counts)
        self._levels[0].counts[-1] = 0  # <s> is never predicted

    def _estimate(self) -> None:
        """Discount every count, and give what each context saved to the distribution one level down."""
        lower = np.full(1, 1 / (self._base - 1))
        for order, level in enumerate(self._levels, 1):
            cut = np.array([0.0, *self.discounts(order)])[np.minimum(level.counts, 3)]
            context = level.keys // self._base
            total = np.bincount(context, level.counts, len(lower))
            saved = np.bincount(context, cut, len(lower))
            level.backoff = np.divide(saved, total, out=np.ones(len(lower)), where=total > 0)
            prob = (level.counts - cut) / total[context] + level.backoff[context] * lower[level.suffix]
            level.prob = lower = np.minimum(prob, 1)  # a certain token is no more than certain

    def _prob_of(self, text: list[_Level]) -> _Floats:
        """P(last token | the others) of each gram of a text's top level: once, however often it occurs."""
        at, prob = text[0].keys, self._level(1).prob  # at: where the text's grams stand in this model
        for mine, level in zip(text[1:], self._levels[1:], strict=True):
            context, prob = at[mine.keys // self._base], prob[mine.suffix]
            at = level.find(context * self._base + mine.keys % self._base)
            prob[context >= 0] *= level.backoff[context[context >= 0]]
            prob[at >= 0] = level.prob[at[at >= 0]]
        return prob

    def _distribution(self, history: ArrayLike) -> _Floats:
        """P(every id | history), float64 [V]."""
        tokens = _joined([_one_sequence(history)], self._base - 1, 1)
        prob: _Floats = self._level(1).prob[:-1].copy()
        for order in range(2, min(self.n, len(tokens) + 1) + 1):
            context = self._gram(tokens[len(tokens) - order + 1 :])
            if context < 0:
                break  # a context that was never seen, nor any longer one
            level = self._levels[order - 1]
            first, last = np.searchsorted(level.keys, [context * self._base, (context + 1) * self._base])
            prob *= level.backoff[context]
            prob[level.keys[first:last] % self._base] = level.prob[first:last]
        return prob

    def _gram(self, tokens: _Ints) -> int:
        """The index of a gram in the level of its order, -1 when it was never seen."""
        gram = int(tokens[0])
        for level, token in zip(self._levels[1:], tokens[1:], strict=False):
            gram = int(level.find(np.array(gram * self._base + token)))  # no key that begins with -1 is found
        return gram


def _sequences(ids: Any) -> list[_Ints]:
    """The ids as a list of sequences; one sequence of plain ids is a list of one."""
    several = len(ids) and (isinstance(ids[0], bytes) or np.ndim(ids[0]))
    return [_one_sequence(s) for s in (ids if several else [ids])]


def _one_sequence(ids: Any) -> _Ints:
    """int64 [T]; bytes are ids too."""
    array = np.frombuffer(ids, np.uint8) if isinstance(ids, (bytes, bytearray)) else np.asarray(ids)
    if array.ndim != 1 or (len(array) and array.dtype.kind not in "iu"):
        raise ValueError(f"ids must be integers in one dimension, got {array.dtype} of shape {array.shape}")
    return array.astype(np.int64)


def _joined(sequences: list[_Ints], start: int, times: int) -> _Ints:
    """The sequences end to end, with the id `start` so many times before each."""
    if any(len(s) and not 0 <= s.min() <= s.max() < start for s in sequences):
        raise ValueError(f"every id must lie in [0, {start}), the vocabulary of this model")
    return np.concatenate([part for s in sequences for part in (np.full(times, start), s)])


def _trie(tokens: _Ints, n: int, base: int, ends: _Ints) -> tuple[list[_Level], _Ints]:
    """Levels 1 .. n of the grams in these tokens, and which of level n ends at each token from the n-th on.

    No gram reaches beyond the tokens at `ends`: one that would is written as one past the last of its level.
    """
    levels = [_Level(np.arange(base), np.zeros(base, np.int64), np.bincount(tokens, minlength=base))]
    gram = tokens.copy()
    for _ in range(1, n):
        gram[ends] = none = len(levels[-1].keys)
        tokens, ends = tokens[1:], ends[ends > 0] - 1
        keys, counts, gram = _intern(gram[:-1] * base + tokens, none * base, base)
        _push(levels, keys, counts, base)
    return levels, gram


def _push(levels: list[_Level], keys: _Ints, counts: _Ints, base: int) -> None:
    """A new level on top; the suffix of (context, token) is (the context's suffix, token) below."""
    suffix = np.zeros_like(keys)
    for below in levels[-1:]:
        suffix = below.find(below.suffix[keys // base] * base + keys % base)
    levels.append(_Level(keys, suffix, counts))


def _intern(keys: _Ints, none: int, base: int) -> tuple[_Ints, _Ints, _Ints]:
    """The distinct keys below `none`, their counts, and every key's rank: one past the last from `none` on."""
    if none > 8 * len(keys):
        distinct, rank, counts = np.unique(keys, return_inverse=True, return_counts=True)
        size = int(np.searchsorted(distinct, none))
        return distinct[:size], counts[:size], np.minimum(rank, size)
    counts = np.bincount(keys, minlength=none)[:none]  # when the keys are dense, this beats sorting them
    distinct = np.flatnonzero(counts)
    ranks = np.full(none + base, len(distinct))
    ranks[distinct] = np.arange(len(distinct))
    return distinct, counts[distinct], ranks[keys]
