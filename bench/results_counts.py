"""Count models on names: the published figures of an add-0.1 4-gram, and KenLM's Kneser-Ney, with our own code.

The first is EurekaLabsAI/ngram: the letters and line ends of a file as one stream, each token with the three before it,
p = (c + 0.1) / (c(context) + 0.1 · 27). The second scores each name with its end, from `<s>`, over KenLM's vocabulary.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "course" / "reference"))

from machine import machine  # noqa: E402
from tinyllm.lm.ngram import NGramLM  # noqa: E402

N, ADDED, SIZE = 4, 0.1, 27
PUBLISHED = {"train": 1.9028, "val": 2.1118, "test": 2.1064}
KENLM = {2: 11.87893, 3: 9.36189, 4: 7.72166}
END, UNKNOWN = 26, 27


def main() -> None:
    print(machine())
    for name, loss in add_constant().items():
        print(
            f"n {N}, add {ADDED}, {name}: {loss:.4f} {agreed(loss, PUBLISHED[name], 5e-5 / PUBLISHED[name])}"
        )
    train, validation = letters("train"), letters("val")
    for order, known in KENLM.items():
        found = NGramLM(order, vocab_size=UNKNOWN + 1).fit(train).perplexity(validation)
        print(f"Kneser-Ney, order {order}, validation: perplexity {found:.5f} {agreed(found, known, 2e-5)}")


def agreed(found: float, known: float, tolerance: float) -> str:
    off = abs(found / known - 1)
    return f"(published {known}: {'agrees' if off <= tolerance else 'DOES NOT AGREE'})"


def add_constant() -> dict[str, float]:
    """The mean NLL, in nats, of every window of N tokens in each file."""
    counts = np.zeros((SIZE,) * N)
    np.add.at(counts, tuple(windows("train").T), 1)
    counts += ADDED
    chance = counts / counts.sum(axis=-1, keepdims=True)
    return {name: float(-np.log(chance[tuple(windows(name).T)]).mean()) for name in PUBLISHED}


def windows(name: str) -> np.ndarray:
    """[len - N + 1, N]; a line end is 0."""
    text = path(name).read_text(encoding="utf-8")
    ids = np.array([0 if letter == "\n" else ord(letter) - ord("a") + 1 for letter in text])
    return np.lib.stride_tricks.sliding_window_view(ids, N)


def letters(name: str) -> list[list[int]]:
    names = path(name).read_text(encoding="utf-8").split()
    return [[ord(letter) - ord("a") for letter in one] + [END] for one in names]


def path(name: str) -> Path:
    return ROOT / "tests" / "data" / f"eureka_names_{name}.txt"


if __name__ == "__main__":
    main()
