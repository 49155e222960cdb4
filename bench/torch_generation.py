"""1,000 tokens from a small NPLM, one thread: `generate` against torch eager with its own sampling."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from machine import ONE_THREAD, machine

os.environ.update(ONE_THREAD)  # before numpy and torch start their threads
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "course" / "reference"))

from sides import steps_in_turns, told
from tinyllm.lm.nplm import NPLM
from tinyllm.num.rng import PCG32
from torch_peer import TorchNPLM, torch

VOCAB, CONTEXT, D_EMB, D_HIDDEN, TOKENS, ROUNDS = 256, 8, 24, 128, 1000, 9


def main() -> None:
    model = NPLM(VOCAB, CONTEXT, D_EMB, D_HIDDEN, rng=PCG32(1))
    peer = TorchNPLM(VOCAB, CONTEXT, D_EMB, D_HIDDEN)
    prefix = [1] * CONTEXT
    sides = {"ours": lambda: model.generate(prefix, TOKENS, 1.0, 1), "torch": lambda: sampled(peer, prefix)}
    took = steps_in_turns(sides, ROUNDS, 1)
    print(machine("torch"))
    print(", ".join(f"{name} {seconds * 1e3:.1f} ms" for name, seconds in took.items()))
    print(told(f"{TOKENS} tokens, torch / ours", took["torch"] / took["ours"], at_least=3))


def sampled(peer: TorchNPLM, prefix: list[int]) -> list[int]:
    ids = list(prefix)
    generator = torch.Generator().manual_seed(1)
    with torch.inference_mode():
        for _ in range(TOKENS):
            logits = peer(torch.tensor([ids[-CONTEXT:]]))
            ids.append(int(torch.multinomial(torch.softmax(logits[0], -1), 1, generator=generator)))
    return ids


if __name__ == "__main__":
    main()
