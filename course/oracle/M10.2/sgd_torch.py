"""torch's SGD: `python sgd_torch.py OUT_DIR SEED` writes the golden file OUT_DIR/sgd.safetensors.

Twelve steps of a matrix, a vector and a number, all float32. `start/` has what they are before the first step,
`grads/` [12, ...] the gradient of each step, `given` uint8 [12, 3] whether the parameter had one then (else
None), `lr` float64 [12] the rate of each step. For each case of settings, such as `momentum_decay/`, the
parameters after every step, [12, ...]. The metadata entry `made_with` names, as JSON, the versions of torch,
numpy and BLAS that made the file.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy
import torch
from safetensors.torch import save_file
from torch import Tensor, nn

STEPS = 12
SHAPES = {"matrix": (4, 3), "vector": (5,), "number": ()}
CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    "decay": {"weight_decay": 0.1},
    "momentum": {"momentum": 0.9},
    "momentum_decay": {"momentum": 0.9, "weight_decay": 0.1},
    "nesterov": {"momentum": 0.9, "nesterov": True},
    "nesterov_decay": {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
}


def inputs() -> dict[str, Tensor]:
    """Starts, gradients, rates, and which gradients are None: some before a parameter's first step."""
    tensors = {f"start/{name}": torch.randn(shape) for name, shape in SHAPES.items()}
    tensors |= {f"grads/{name}": torch.randn((STEPS, *shape)) for name, shape in SHAPES.items()}
    missing = [[(step + i) % 4 == 0 for i in range(len(SHAPES))] for step in range(STEPS)]
    tensors["given"] = (~torch.tensor(missing)).to(torch.uint8)
    tensors["lr"] = 0.1 / torch.arange(1, STEPS + 1, dtype=torch.float64)
    return tensors


def case(tensors: dict[str, Tensor], settings: dict[str, Any]) -> dict[str, Tensor]:
    """The parameters after each step, by name."""
    params = {name: nn.Parameter(tensors[f"start/{name}"].clone()) for name in SHAPES}
    opt = torch.optim.SGD(params.values(), lr=0.1, **settings)
    seen: dict[str, list[Tensor]] = {name: [] for name in SHAPES}
    for step in range(STEPS):
        opt.param_groups[0]["lr"] = float(tensors["lr"][step])
        for i, (name, p) in enumerate(params.items()):
            p.grad = tensors[f"grads/{name}"][step].clone() if tensors["given"][step, i] else None
        opt.step()
        for name, p in params.items():
            seen[name].append(p.detach().clone())
    return {name: torch.stack(values) for name, values in seen.items()}


def versions() -> dict[str, str]:
    """Of torch, numpy and the BLAS under torch."""
    build = torch.__config__.show()
    mkl = re.search(r"Math Kernel Library Version ([\d.]+)", build)
    built_with = re.search(r"BLAS_INFO=(\w+)", build)
    blas = f"mkl {mkl[1]}" if mkl else built_with[1] if built_with else "unknown"
    return {"torch": torch.__version__, "numpy": numpy.__version__, "blas": blas}


def main(out_dir: str, seed: str) -> None:
    """Write the golden file; one thread, so that one machine always writes the same bytes."""
    torch.set_num_threads(1)
    torch.manual_seed(int(seed))
    tensors = inputs()
    for name, settings in CASES.items():
        tensors |= {f"{name}/{key}": values for key, values in case(tensors, settings).items()}
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(tensors, Path(out_dir) / "sgd.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
