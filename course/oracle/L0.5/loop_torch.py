"""The training loop in torch: `python loop_torch.py OUT_DIR SEED` writes OUT_DIR/loop.safetensors.

A table of logits [V, V], `start`, is trained on the pairs of `ids` (int64): three epochs of four batches of 8
in their order, the rest dropped, by SGD with lr 0.5, momentum 0.9 and weight decay 0.01, under a clip of 0.25.
`losses` and `norms` (float64 [12]) are those before each step, `norms` before clipping; `end` is the table then
and `held_out_loss` its mean cross-entropy over all pairs of `held_out`, taken in one batch. torch's own clip
divides by norm + 1e-6; here it is norm, as the course has it. The metadata entry `made_with` names the versions.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy
import torch
from safetensors.torch import save_file
from torch import Tensor, nn

VOCAB, BATCH, EPOCHS = 6, 8, 3
LR, MOMENTUM, DECAY, CLIP = 0.5, 0.9, 0.01, 0.25


def mean_nll(table: nn.Embedding, ids: Tensor) -> Tensor:
    """The mean cross-entropy of every id but the first, from the one before it."""
    return nn.functional.cross_entropy(table(ids[:-1]), ids[1:])


def step(table: nn.Embedding, optimizer: torch.optim.Optimizer, ids: Tensor) -> tuple[float, float]:
    """One optimizer step on the pairs of ids: (loss, norm of the gradient), both from before it."""
    optimizer.zero_grad()
    loss = mean_nll(table, ids)
    loss.backward()
    assert table.weight.grad is not None
    norm = torch.linalg.vector_norm(table.weight.grad.double())
    if norm > CLIP:
        table.weight.grad.mul_(CLIP / norm)
    optimizer.step()
    return loss.item(), norm.item()


def versions() -> dict[str, str]:
    """Of torch, numpy and the BLAS under torch, whose kernels decide the last bits."""
    build = torch.__config__.show()
    mkl = re.search(r"Math Kernel Library Version ([\d.]+)", build)
    built_with = re.search(r"BLAS_INFO=(\w+)", build)
    blas = f"mkl {mkl[1]}" if mkl else built_with[1] if built_with else "unknown"
    return {"torch": torch.__version__, "numpy": numpy.__version__, "blas": blas}


def main(out_dir: str, seed: str) -> None:
    """Write the golden file; one thread, so that one machine always writes the same bytes."""
    torch.set_num_threads(1)
    torch.manual_seed(int(seed))
    table = nn.Embedding(VOCAB, VOCAB)
    ids, held_out = (torch.minimum(*torch.randint(VOCAB, (2, n))) for n in (4 * BATCH + 4, 3 * BATCH + 4))
    tensors = {"start": table.weight.detach().clone(), "ids": ids, "held_out": held_out}
    optimizer = torch.optim.SGD(table.parameters(), LR, momentum=MOMENTUM, weight_decay=DECAY)
    starts = range(0, 4 * BATCH, BATCH)
    told = [step(table, optimizer, ids[at : at + BATCH + 1]) for _ in range(EPOCHS) for at in starts]
    tensors["losses"], tensors["norms"] = torch.tensor(told, dtype=torch.float64).T.contiguous()
    tensors["end"] = table.weight.detach()
    tensors["held_out_loss"] = mean_nll(table, held_out).detach().double()
    saved = {name: tensor.clone() for name, tensor in tensors.items()}  # safetensors refuses shared memory
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(saved, Path(out_dir) / "loop.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
