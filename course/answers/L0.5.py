"""What the blanks of L0.5 are, worked out by the reference."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinyllm.autograd.tensor import Tensor
from tinyllm.lm.bigram import BigramLM
from tinyllm.nn.module import Module
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, evaluate, train_step


class Line(Module):
    """w x, which starts at w = 1."""

    def __init__(self) -> None:
        self.w = Tensor([1.0], requires_grad=True)

    def forward(self, x: Any) -> Tensor:
        return self.w * x


def squares(model: Module, batch: Any) -> Tensor:
    """The mean of (prediction - y)^2."""
    r = model(batch["x"]) - batch["y"]
    return (r @ r) / len(r)


def stepped(clip: float | None) -> float:
    """w after one step at a rate of 0.05 on the row x = 3, y = -4."""
    line = Line()
    row = {"x": np.array([3.0]), "y": np.array([-4.0])}
    train_step(line, row, squares, SGD(line.parameters(), 0.05), clip=clip)
    return float(line.w.data[0])


def answer_weight_after_a_step() -> float:
    """Loss 49, gradient 2 · 7 · 3 = 42: down by 2.1."""
    return stepped(clip=None)


def answer_clipped_weight() -> float:
    """A gradient of norm 42 is scaled to 6: down by 0.3."""
    return stepped(clip=6.0)


def answer_last_batch() -> list[int]:
    """What is left of eleven rows after two batches of four."""
    loader = DataLoader({"x": np.arange(11)}, 4, shuffle=False, rng=None, drop_last=False)
    return [int(row) for row in list(loader)[-1]["x"]]


def answer_held_out_loss() -> float:
    """Losses 4, 4, 4 and 64: the batch of one row counts a quarter, not a half."""
    rows = {"x": np.ones(4), "y": np.array([3.0, 3.0, 3.0, -7.0])}
    loader = DataLoader(rows, 3, shuffle=False, rng=None, drop_last=False)
    return evaluate(Line(), loader, squares)["loss"]


def answer_probability() -> float:
    """After 1 came 1 once and 0 twice: (1 + 0.25) / (3 + 4 · 0.25)."""
    return float(np.exp(BigramLM(4, alpha=0.25).fit([0, 1, 1, 0, 2, 1, 0]).logprobs(1)[1]))
