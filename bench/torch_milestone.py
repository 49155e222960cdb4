"""The milestone's NPLM trained by a whole command, ours against the same recipe in torch eager, on one thread.

Both start Python, read the shard, make 2,400 steps and leave; both read the loss of every step as a number.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from machine import ONE_THREAD, machine
from sides import command, in_turns, told

ROOT = Path(__file__).resolve().parent.parent
STORIES = ROOT / "course" / "corpora" / "ms-l2" / "train.txt"
CONTEXT, D_EMB, D_HIDDEN, STEPS, BATCH, LR, MOMENTUM = 8, 24, 128, 2_400, 128, 0.1, 0.9
ROUNDS = 3


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, **ONE_THREAD, "PYTHONPATH": str(ROOT / "course" / "reference")}
        shard = Path(scratch, "train.bin")
        encode = ["-m", "tinyllm", "tokens", "encode", "--text", str(STORIES), "--out", str(shard)]
        command([sys.executable, *encode], ROOT, environment)
        sides = {
            "ours": lambda: command(ours(shard), ROOT, environment),
            "torch": lambda: command([sys.executable, __file__, "--torch", str(shard)], ROOT, environment),
        }
        cost = in_turns(sides, ROUNDS)
    print(machine("torch"))
    each = ", ".join(f"{name} {one.wall_s:.2f} s ({one.cpu_s:.2f} s of CPU)" for name, one in cost.items())
    print(f"{STEPS:,} steps of {BATCH}, whole command: {each}")
    print(told("torch / ours", cost["torch"].wall_s / cost["ours"].wall_s, at_least=1.3))


def ours(shard: Path) -> list[str]:
    sizes = f"--context {CONTEXT} --d-emb {D_EMB} --hidden {D_HIDDEN} --steps {STEPS} --batch {BATCH}"
    words = f"-m tinyllm lm train nplm {sizes} --lr {LR} --momentum {MOMENTUM}"
    return [sys.executable, *words.split(), "--train", str(shard), "--out", str(shard.with_name("model"))]


def theirs(shard: str) -> None:
    import numpy as np

    from torch_peer import TorchNPLM, torch

    ids = torch.from_numpy(np.fromfile(shard, dtype="<u2", offset=1024).astype(np.int64))
    windows = ids.unfold(0, CONTEXT + 1, 1)
    model = TorchNPLM(256, CONTEXT, D_EMB, D_HIDDEN)
    optimizer = torch.optim.SGD(model.parameters(), lr=LR, momentum=MOMENTUM)
    order, losses = torch.randperm(len(windows)), []
    for step in range(STEPS):
        at = step * BATCH % (len(windows) - BATCH)
        batch = windows[order[at : at + BATCH]]
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(batch[:, :-1]), batch[:, -1])
        losses.append(loss.item())
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    theirs(sys.argv[2]) if "--torch" in sys.argv[1:] else main()
