"""Probes of L2.1: what a count model gives on texts that nobody has seen before, for a comparison elsewhere.

Every text is drawn from the seed by the frozen PCG32. A probe judges nothing: it gives arrays.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from frozen import PCG32, read_tensors, returned
from tinyllm.lm.ngram import NGramLM

Arrays = dict[str, ArrayLike]

ORDERS = (1, 2, 3, 5)


def drawn_lines(rng: PCG32, used: int, lengths: tuple[int, ...]) -> list[list[int]]:
    """Low ids are common and high ones rare, so that the counts differ."""
    return [[rng.below(rng.below(used) + 1) for _ in range(length + rng.below(4))] for length in lengths]


def text(words: object) -> np.ndarray:
    """A JSON value as bytes, its keys sorted."""
    return np.frombuffer(json.dumps(words, sort_keys=True).encode("ascii"), dtype=np.uint8)


def probe_discounts(seed: int) -> Arrays:
    """The three discounts of each order, where they are estimated, where they fall back, and where one is given."""
    rng, found = PCG32(seed), {}
    lines = drawn_lines(rng, 24, (260, 1, 180, 90))
    for name, ids in (("words", lines), ("few", [line[:9] for line in lines]), ("letters", [[0, 1] * 40])):
        for n in (1, 3):
            model = NGramLM(n, vocab_size=24).fit(ids)
            found[f"{name} {n}"] = np.array([model.discounts(k) for k in range(1, n + 1)])
    given = NGramLM(2, 0.25 + 0.5 * rng.uniform()).fit(lines)
    return {**found, "given": np.array([given.discounts(1), given.discounts(2)])}


def probe_distributions(seed: int) -> Arrays:
    """After no token, short and long histories, unseen contexts, and the last tokens of the text."""
    rng, found = PCG32(seed), {}
    lines = drawn_lines(rng, 7, (70, 3, 30, 12, 1))
    histories = [
        [],
        lines[1][:1],
        lines[2][:2],
        lines[0],
        lines[0][-3:],
        [8],
        [0, 8],
        [8, 8, 0, 1],
        lines[2][4:15],
    ]
    for n in ORDERS:
        for name, discount in (("modified", "modified"), ("given", 0.8)):
            model = NGramLM(n, discount, vocab_size=9).fit(lines)
            found[f"{name} {n}"] = np.stack([model.logprobs(list(history)) for history in histories])
            single = [model.prob(list(history), rng.below(9)) for history in histories]
            found[f"{name} {n} one by one"] = np.array(single)
    return found


def probe_costs(seed: int) -> Arrays:
    """Each token's cost in several lines and in one, and the perplexity; then after a second fit."""
    rng, found = PCG32(seed), {}
    lines, others = drawn_lines(rng, 12, (150, 5, 60, 1)), drawn_lines(rng, 12, (20, 1, 9))
    for n in ORDERS:
        for name, discount in (("modified", "modified"), ("given", 1.0)):
            model = NGramLM(n, discount, vocab_size=14).fit(others).fit(lines)
            found[f"{name} {n} lines"] = model.nll([*others, [13, 0, 13], lines[0][:30]])
            found[f"{name} {n} line"] = model.nll(np.array(others[0], dtype=np.uint8))
            found[f"{name} {n} perplexity"] = np.float64(returned(model.perplexity(others), "perplexity"))
    whole = NGramLM(3).fit(bytes(lines[0]))
    return {**found, "bytes": whole.nll(bytes(lines[0][5:25])), "V": np.int64(whole.vocab_size or 0)}


def probe_directory(seed: int) -> Arrays:
    """What a model's directory holds, and the costs and discounts of the model that is loaded from it."""
    rng, found = PCG32(seed), {}
    for name, discount in (("modified", "modified"), ("given", 0.5 + 0.125 * rng.below(4))):
        lines = drawn_lines(rng, 10, (90, 7, 30))
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made) / "model"
            model = NGramLM(3, discount, vocab_size=11).fit(lines)
            model.save(str(folder), tokenizer="bytes" if rng.below(2) else "file")
            tensors, metadata = read_tensors(folder / "model.safetensors")
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            names = sorted(path.name for path in folder.iterdir())
            found[f"{name} words"] = text([names, config, metadata, sorted(tensors)])
            found |= {f"{name} {key}": values for key, values in sorted(tensors.items())}
            loaded = NGramLM.load(str(folder))
            found[f"{name} costs"] = loaded.nll([*lines, [10, 10, 0]])
            found[f"{name} discounts"] = np.array([loaded.discounts(k) for k in (1, 2, 3)])
    return found
