"""A training step of the NPLM on one thread, against torch eager and against its bare matrix products.

The same model, batch and plain SGD on both sides; the loss is read as a number, as a training loop does. The
products are the nine that forward and backward need, on arrays of these sizes, and nothing else.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable
from pathlib import Path

from machine import ONE_THREAD, machine

os.environ.update(ONE_THREAD)  # before numpy and torch start their threads
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "course" / "reference"))

import numpy as np

from sides import steps_in_turns, told
from tinyllm.autograd.losses import cross_entropy
from tinyllm.lm.nplm import NPLM
from tinyllm.num.rng import PCG32
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import train_step
from torch_peer import TorchNPLM, torch

VOCAB, CONTEXT, LR, ROUNDS = 256, 8, 0.1, 120
AGAINST_TORCH = {32: 1.35, 64: 1.35, 256: 1.1}


def main() -> None:
    print(machine("torch"))
    for d_emb, d_hidden, batch in itertools.product((16, 32), (64, 128), (32, 64, 256)):
        draw = np.random.default_rng(0)
        x, y = draw.integers(0, VOCAB, (batch, CONTEXT)), draw.integers(0, VOCAB, batch)
        sides = {
            "ours": ours(d_emb, d_hidden, x, y),
            "torch": theirs(d_emb, d_hidden, x, y),
            "bare": products(d_emb, d_hidden, batch),
        }
        step = steps_in_turns(sides, ROUNDS, max(2, 300 // batch))
        size = f"m {d_emb}, h {d_hidden}, B {batch}"
        print(f"{size}: " + ", ".join(f"{name} {seconds * 1e6:.0f} µs" for name, seconds in step.items()))
        print("  " + told("torch / ours", step["torch"] / step["ours"], at_least=AGAINST_TORCH[batch]))
        print("  " + told("ours / bare products", step["ours"] / step["bare"], at_most=1.8))


def ours(d_emb: int, d_hidden: int, x: np.ndarray, y: np.ndarray) -> Callable[[], object]:
    model = NPLM(VOCAB, CONTEXT, d_emb, d_hidden, rng=PCG32(1))
    optimizer = SGD(model.parameters(), LR)
    return lambda: train_step(
        model, {"x": x, "y": y}, lambda m, batch: cross_entropy(m(batch["x"]), batch["y"]), optimizer
    )


def theirs(d_emb: int, d_hidden: int, x: np.ndarray, y: np.ndarray) -> Callable[[], object]:
    model = TorchNPLM(VOCAB, CONTEXT, d_emb, d_hidden)
    optimizer = torch.optim.SGD(model.parameters(), lr=LR)
    windows, targets = torch.from_numpy(x), torch.from_numpy(y)

    def step() -> float:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(windows), targets)
        value = loss.item()
        loss.backward()
        optimizer.step()
        return value

    return step


def products(d_emb: int, d_hidden: int, batch: int) -> Callable[[], object]:
    draw = np.random.default_rng(0)

    def matrix(*shape: int) -> np.ndarray:
        return draw.normal(size=shape).astype(np.float32)

    x, a, g = matrix(batch, CONTEXT * d_emb), matrix(batch, d_hidden), matrix(batch, VOCAB)
    H, U, W = matrix(d_hidden, CONTEXT * d_emb), matrix(VOCAB, d_hidden), matrix(VOCAB, CONTEXT * d_emb)
    return lambda: (x @ H.T, a @ U.T, x @ W.T, g @ U, g.T @ a, g @ W, g.T @ x, a @ H, a.T @ x)


if __name__ == "__main__":
    main()
