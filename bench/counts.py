"""Kneser-Ney of order 4 on a megabyte of bytes, fitted and scored: our arrays against a textbook's dictionaries.

The textbook's counts every gram in a Counter and works each probability out by recursion, token by token: the same
model, so both must come to the same perplexity.
"""

from __future__ import annotations

import math
import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "course" / part) for part in ("reference", "tests", "corpora/ms-l2")]

import generate  # noqa: E402

from machine import machine  # noqa: E402
from sides import steps_in_turns, told  # noqa: E402
from tinyllm.lm.ngram import NGramLM  # noqa: E402

ORDER, START = 4, -1
STORIES, FITTED, SCORED, ROUNDS = 8_200, 1_000_000, 1_000_000, 3


def main() -> None:
    train, scored = text()
    print(machine())
    train_list, scored_list = train.tolist(), scored.tolist()
    sides = {
        "arrays": lambda: NGramLM(ORDER, vocab_size=256).fit(train).perplexity(scored),
        "dictionaries": lambda: Textbook(train_list).perplexity(scored_list),
    }
    ours, theirs = (work() for work in sides.values())
    if not np.isclose(ours, theirs, rtol=1e-9):
        raise RuntimeError(f"the two sides are not the same model: {ours} and {theirs}")
    print(
        f"order {ORDER}, {len(train):,} bytes fitted, {len(scored):,} scored: perplexity {ours:.4f} on both sides"
    )
    least = steps_in_turns(sides, ROUNDS, steps=1)
    fast, slow = least.values()
    print(f"arrays {fast:.3f} s, dictionaries {slow:.2f} s: the least of {ROUNDS}, in turns")
    print(told("dictionaries / arrays", slow / fast, at_least=20))


def text() -> tuple[np.ndarray, np.ndarray]:
    """A megabyte of stories by the corpus's grammar to fit, and the next megabyte to score."""
    drawn = generate.text_of(generate.draw_stories(generate.read_grammar(), stories=STORIES))
    ids = np.frombuffer(drawn, dtype=np.uint8).astype(np.int64)
    return ids[:FITTED], ids[FITTED : FITTED + SCORED]


class Textbook:
    """Interpolated modified Kneser-Ney as its definition reads, in dictionaries."""

    def __init__(self, ids: list[int]) -> None:
        tokens = [START, *ids]
        self.counts: list[Counter[tuple[int, ...]]] = [Counter() for _ in range(ORDER + 1)]
        for end in range(1, len(tokens)):
            for order in range(1, min(ORDER, end + 1) + 1):
                gram = tuple(tokens[end + 1 - order : end + 1])
                if order == ORDER or gram[0] == START:
                    self.counts[order][gram] += 1
        for order in range(ORDER - 1, 0, -1):
            for gram in self.counts[order + 1]:
                self.counts[order][gram[1:]] += 1
        self.discounts = [self._discounts(order) for order in range(ORDER + 1)]
        self.totals: defaultdict[tuple[int, ...], int] = defaultdict(int)
        self.saved: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for order in range(1, ORDER + 1):
            for gram, count in self.counts[order].items():
                self.totals[gram[:-1]] += count
                self.saved[gram[:-1]] += self.discounts[order][min(count, 3)]

    def _discounts(self, order: int) -> tuple[float, ...]:
        n = Counter(self.counts[order].values())
        if all(n[j] for j in (1, 2, 3, 4)):
            y = n[1] / (n[1] + 2 * n[2])
            found = [j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3)]
            if min(found) > 0:
                return (0.0, *found)
        return (0.0, 0.5, 1.0, 1.5)

    def prob(self, history: tuple[int, ...], token: int) -> float:
        lower = self.prob(history[1:], token) if history else 1 / 256
        if not (total := self.totals.get(history, 0)):
            return lower
        count = self.counts[len(history) + 1][(*history, token)]
        return (count - self.discounts[len(history) + 1][min(count, 3)] + self.saved[history] * lower) / total

    def perplexity(self, ids: list[int]) -> float:
        tokens, cost = [START, *ids], 0.0
        for end in range(1, len(tokens)):
            cost -= math.log(self.prob(tuple(tokens[max(0, end + 1 - ORDER) : end]), tokens[end]))
        return math.exp(cost / len(ids))


if __name__ == "__main__":
    main()
