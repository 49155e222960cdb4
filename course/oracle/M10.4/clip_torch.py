"""torch's gradient clipping: `python clip_torch.py OUT_DIR SEED` writes the golden file OUT_DIR/clip.safetensors.

`grads/` has the gradients of a matrix, a vector and a number, float32; `norm` what torch says their common norm
is; `bounds` float64 [3], two below that norm and one above; `clipped 0/` to `clipped 2/` the gradients after
torch.nn.utils.clip_grad_norm_ at each bound. It divides by norm + 1e-6, which at this norm of about 25 is less than
float32 can tell. The metadata entry `made_with` names, as JSON, the versions of torch, numpy and BLAS that made the
file.
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

SHAPES = {"matrix": (20, 30), "vector": (30,), "number": ()}
BOUNDS = [0.5, 10.0, 100.0]


def clipped(grads: dict[str, Tensor], bound: float) -> tuple[Tensor, dict[str, Tensor]]:
    """The norm that torch returns, and the gradients that it leaves."""
    params = {name: nn.Parameter(torch.zeros_like(grad)) for name, grad in grads.items()}
    for name, p in params.items():
        p.grad = grads[name].clone()
    norm = torch.nn.utils.clip_grad_norm_(params.values(), bound)
    return norm, {name: p.grad for name, p in params.items() if p.grad is not None}


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
    grads = {name: torch.randn(shape) for name, shape in SHAPES.items()}
    tensors = {f"grads/{name}": grad for name, grad in grads.items()}
    tensors["bounds"] = torch.tensor(BOUNDS, dtype=torch.float64)
    for i, bound in enumerate(BOUNDS):
        tensors["norm"], after = clipped(grads, bound)
        tensors |= {f"clipped {i}/{name}": grad for name, grad in after.items()}
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(tensors, Path(out_dir) / "clip.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
