"""The NPLM in torch: `python nplm_torch.py OUT_DIR SEED` writes the golden file OUT_DIR/nplm.safetensors.

Two models, under `with_direct/` and `without_direct/`, each with its parameters, one batch of windows `ids`
and their `targets`, and what torch makes of them: `logits`, the mean cross-entropy `loss`, and every
parameter's gradient under `grad/`. All is float32 but the ids (int64). One id fills a whole window, some
occur twice in one, most in several, and 6 and 8 in none: their rows of the table get gradient 0. The
metadata entry `made_with` names, as JSON, the versions of torch, numpy and BLAS that made the file.
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

VOCAB, CONTEXT, D_EMB, D_HIDDEN = 11, 3, 4, 5
IDS = [[0, 1, 2], [1, 2, 0], [4, 4, 7], [3, 3, 3], [9, 0, 9], [0, 1, 2], [10, 2, 1], [2, 10, 5]]
TARGETS = [3, 0, 4, 3, 10, 6, 1, 0]


class TorchNPLM(nn.Module):
    """y = b + U tanh(d + H x), plus W x with the direct path; x is the window's rows of C, oldest first."""

    def __init__(self, direct: bool) -> None:
        super().__init__()
        self.emb = nn.Embedding(VOCAB, D_EMB)
        self.hidden = nn.Linear(CONTEXT * D_EMB, D_HIDDEN)
        self.out = nn.Linear(D_HIDDEN, VOCAB)
        self.direct = nn.Linear(CONTEXT * D_EMB, VOCAB, bias=False) if direct else None

    def forward(self, ids: Tensor) -> Tensor:
        """int64 [B, c] -> float32 [B, V]."""
        x = self.emb(ids).flatten(1)
        y: Tensor = self.out(torch.tanh(self.hidden(x)))
        return y if self.direct is None else y + self.direct(x)


def case(direct: bool) -> dict[str, Tensor]:
    """One model's parameters, batch, logits, loss and gradients, by name."""
    model, ids, targets = TorchNPLM(direct), torch.tensor(IDS), torch.tensor(TARGETS)
    logits = model(ids)
    loss = nn.functional.cross_entropy(logits, targets)
    loss.backward()
    tensors = {"ids": ids, "targets": targets, "logits": logits.detach(), "loss": loss.detach()}
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None
        tensors[name], tensors[f"grad/{name}"] = parameter.detach(), parameter.grad
    return tensors


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
    tensors: dict[str, Tensor] = {}
    for name, direct in (("with_direct", True), ("without_direct", False)):
        tensors.update({f"{name}/{key}": tensor for key, tensor in case(direct).items()})
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(tensors, Path(out_dir) / "nplm.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
