"""The op library in torch: `python ops_torch.py OUT_DIR SEED` writes the golden file OUT_DIR/ops.safetensors.

For each op, under its name: the inputs `0`, `1`, the result `out`, an `upstream` gradient of its shape, and
the gradients `grad 0`, `grad 1` that torch then leaves at the inputs. All is float32. Axes, masks and indices
are those of the course test's table. The metadata entry `made_with` names, as JSON, the versions of torch,
numpy and BLAS that made the file.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy
import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional as F

MASK = torch.tensor([[True, False, False], [False, False, True]])
INDEX = torch.tensor([[0, 0, 2], [2, 1, 1]])
INDEX_0 = torch.tensor([[1, 0, 1], [1, 1, 1], [0, 0, 1]])
IDS = torch.tensor([[1, 1], [0, 1]])
OPS: dict[str, Callable[..., Tensor]] = {
    "exp": torch.exp,
    "log": torch.log,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "silu": F.silu,
    "gelu": F.gelu,
    "gelu tanh": lambda x: F.gelu(x, approximate="tanh"),
    "sum": lambda x: x.sum(dim=1),
    "mean": lambda x: x.mean(dim=1, keepdim=True),
    "max": lambda x: x.amax(dim=0),
    "var": lambda x: x.var(dim=-1),
    "reshape": lambda x: x.reshape(3, -1),
    "transpose": lambda x: x.transpose(-2, -1),
    "permute": lambda x: x.permute(2, 0, 1),
    "concat": lambda x, y: torch.cat([x, y]),
    "stack": lambda x, y: torch.stack([x, y], dim=1),
    "where": lambda x, y: torch.where(MASK, x, y),
    "gather": lambda x: x.gather(-1, INDEX),
    "gather 0": lambda x: x.gather(0, INDEX_0),
    "embedding": lambda x: F.embedding(IDS, x),
    "masked_fill": lambda x: x.masked_fill(MASK, -9.0),
    "softmax": lambda x: F.softmax(x, dim=-1),
    "softmax 0": lambda x: F.softmax(x, dim=0),
    "log_softmax": lambda x: F.log_softmax(x, dim=-1),
    "logsumexp": lambda x: torch.logsumexp(x, dim=-1, keepdim=True),
    "matmul": torch.matmul,
}
SHAPES: dict[str, list[tuple[int, ...]]] = {
    "permute": [(2, 3, 4)],
    "concat": [(1, 3), (2, 3)],
    "stack": [(2, 3), (2, 3)],
    "where": [(2, 3), (1, 3)],
    "matmul": [(2, 3), (3, 4)],
}


def case(name: str) -> dict[str, Tensor]:
    """Inputs, result, upstream gradient and gradients of one op, by their names in the file."""
    drawn = [torch.randn(shape) for shape in SHAPES.get(name, [(2, 3)])]
    inputs = [(x.abs() + 0.1 if name == "log" else x).requires_grad_() for x in drawn]
    out = OPS[name](*inputs)
    upstream = torch.randn(out.shape)
    grads = torch.autograd.grad(out, inputs, upstream)
    tensors = {f"{name}/{i}": x.detach() for i, x in enumerate(inputs)}
    tensors |= {f"{name}/grad {i}": grad.contiguous() for i, grad in enumerate(grads)}
    return tensors | {f"{name}/out": out.detach().contiguous(), f"{name}/upstream": upstream}


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
    for name in OPS:
        tensors.update({key: tensor.clone() for key, tensor in case(name).items()})
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(tensors, Path(out_dir) / "ops.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
