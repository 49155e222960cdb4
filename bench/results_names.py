"""The published loss of an NPLM on names, with our own library: makemore's MLP, for the figures page.

The settings are those of the published run: 32,033 names, `random.seed(42)`, shuffled once, split 80/10/10; context 3
padded with ".", m 10, h 200, no direct path; 200,000 steps of SGD at B 32, rate 0.1 and from the middle on 0.01; hidden
weights of standard deviation (5/3)/√30, output weights of 0.01 and biases of 0. Source: Karpathy, makemore (2022).
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

from machine import ONE_THREAD, machine

os.environ.update(ONE_THREAD)  # before numpy starts its threads
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "course" / "reference"))

import numpy as np

from tinyllm.autograd.losses import cross_entropy
from tinyllm.lm.nplm import NPLM
from tinyllm.num.rng import PCG32
from tinyllm.optim.sgd import SGD
from tinyllm.prob.rv import normal
from tinyllm.train.loop import DataLoader, evaluate, train_step

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "names.txt"
PUBLISHED = {"train": 2.0377, "validation": 2.1070}
TOLERANCE = 0.01
CONTEXT, D_EMB, D_HIDDEN, BATCH, STEPS = 3, 10, 200, 32, 200_000
SIZE = 27  # "." and the letters

Batch = dict[str, np.ndarray]


def main() -> None:
    parts = dict(zip(("train", "validation", "test"), split(), strict=True))
    began = time.monotonic()
    model = trained(parts["train"])
    took = time.monotonic() - began
    print(machine())
    sizes = (f"{name} {len(part['y']):,} tokens" for name, part in parts.items())
    print(f"names: {', '.join(sizes)}")
    print(
        f"{STEPS:,} steps of {BATCH} in {took:.0f} s; {sum(p.data.size for p in model.parameters()):,} parameters"
    )
    for name, part in parts.items():
        loss = evaluate(model, DataLoader(part, 4096, shuffle=False, rng=None, drop_last=False), mean)["loss"]
        print(f"{name} {loss:.4f}{against(name, loss)}")


def against(name: str, loss: float) -> str:
    if name not in PUBLISHED:
        return ""
    word = "within" if abs(loss - PUBLISHED[name]) <= TOLERANCE else "NOT WITHIN"
    return f" (published {PUBLISHED[name]}: {word} {TOLERANCE})"


def split() -> tuple[Batch, Batch, Batch]:
    names = DATA.read_text(encoding="utf-8").splitlines()
    random.seed(42)
    random.shuffle(names)
    first, second = int(0.8 * len(names)), int(0.9 * len(names))
    return windows(names[:first]), windows(names[first:second]), windows(names[second:])


def windows(names: list[str]) -> Batch:
    """Each letter of each name, and the end of it, with the three before; "." is 0."""
    x, y = [], []
    for name in names:
        ids = [0] * CONTEXT + [ord(letter) - ord("a") + 1 for letter in name] + [0]
        x += [ids[i : i + CONTEXT] for i in range(len(ids) - CONTEXT)]
        y += ids[CONTEXT:]
    return {"x": np.array(x), "y": np.array(y)}


def trained(part: Batch) -> NPLM:
    rng = PCG32(42)
    model = NPLM(SIZE, CONTEXT, D_EMB, D_HIDDEN, direct=False, rng=rng.substream("init"))
    model.hidden.weight.data *= np.float32(5 / 3)  # it starts with a standard deviation of 1/√30
    wanted = model.out.weight.data.shape
    scaled = 0.01 * normal(rng.substream("sample"), int(np.prod(wanted))).reshape(wanted)
    model.out.weight.data[:] = scaled.astype(np.float32)
    optimizer = SGD(model.parameters(), 0.1)
    loader = DataLoader(part, BATCH, shuffle=True, rng=rng.substream("shuffle"))
    done = 0
    while done < STEPS:
        for batch in loader:
            optimizer.lr = 0.1 if done < STEPS // 2 else 0.01
            train_step(model, batch, mean, optimizer)
            done += 1
            if done == STEPS:
                break
    return model


def mean(model: NPLM, batch: Batch):
    return cross_entropy(model(batch["x"]), batch["y"])


if __name__ == "__main__":
    main()
