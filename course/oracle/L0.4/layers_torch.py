"""torch's layers: `python layers_torch.py OUT_DIR SEED` writes the golden file OUT_DIR/layers.safetensors.

Each case has its parameters by their names, an input `x` (or `ids`, int64), the gradient `upstream` that its
result gets, the result `out`, and what backward then leaves: `grad/x` and `grad/<parameter>`. All is float32 but
the ids, of which some repeat. The metadata entry `made_with` names, as JSON, the versions of torch, numpy and
BLAS that made the file.
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

IDS = [[3, 0, 3], [6, 3, 1]]


def layers() -> dict[str, nn.Module]:
    norms = nn.LayerNorm(4), nn.LayerNorm(6)
    for norm in norms:
        nn.init.normal_(norm.weight)
        nn.init.normal_(norm.bias)
    hidden, last = nn.Linear(4, 6), nn.Linear(6, 3)
    return {
        "linear": nn.Linear(4, 6),
        "linear_no_bias": nn.Linear(4, 6, bias=False),
        "layer_norm": norms[0],
        "embedding": nn.Embedding(7, 4),
        "model": nn.Sequential(nn.Embedding(7, 4), hidden, nn.GELU("tanh"), norms[1], last),
    }


def inputs() -> dict[str, Tensor]:
    """By case; a case that is not here reads ids."""
    return {
        "linear": torch.randn(5, 4),
        "linear_no_bias": torch.randn(2, 3, 4),
        "layer_norm": 2 * torch.randn(2, 3, 4) + 1,
    }


def case(layer: nn.Module, x: Tensor | None) -> dict[str, Tensor]:
    """One layer's input, parameters, result and gradients, by name."""
    tensors: dict[str, Tensor] = {}
    if x is None:
        tensors["ids"] = given = torch.tensor(IDS)
    else:
        tensors["x"], given = x, x.clone().requires_grad_()
    out = layer(given)
    tensors["out"], tensors["upstream"] = out.detach(), torch.randn(out.shape)
    out.backward(tensors["upstream"])
    gradients = {name: p.grad for name, p in layer.named_parameters()} | (
        {} if x is None else {"x": given.grad}
    )
    for name, gradient in gradients.items():
        assert gradient is not None
        tensors[f"grad/{name}"] = gradient
    return tensors | {name: p.detach() for name, p in layer.named_parameters()}


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
    xs = inputs()
    for name, layer in layers().items():
        tensors |= {f"{name}/{key}": value for key, value in case(layer, xs.get(name)).items()}
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(tensors, Path(out_dir) / "layers.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
