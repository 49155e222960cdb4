"""The ops of a tensor in torch: `python tensor_torch.py OUT_DIR SEED` writes OUT_DIR/tensor.safetensors.

Each case of CASES is one expression of two inputs. Under its name stand the inputs `a` and `b`, the `upstream`
gradient, the result `out` and what torch's backward leaves: `grad/a` and `grad/b`. All is float32. Inputs are
0.5 to 2 in size, of either sign but in `powers`. The metadata entry `made_with` names, as JSON, the versions of
torch, numpy and BLAS that made the file.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy
import torch
from safetensors.torch import save_file
from torch import Tensor


class Case(NamedTuple):
    """The shapes of a and b, and what is computed from them."""

    a: tuple[int, ...]
    b: tuple[int, ...]
    expression: Callable[[Tensor, Tensor], Tensor]


def shared(a: Tensor, b: Tensor) -> Tensor:
    """c feeds three ops, and one of them again."""
    c = a * b
    return c * (a + c) / (c * c + 1)


CASES = {
    "rows": Case((3, 4), (4,), lambda a, b: a + b),
    "outer": Case((3, 1), (1, 4), lambda a, b: a * b),
    "difference": Case((), (3, 4), lambda a, b: a - b),
    "quotient": Case((2, 3, 4), (3, 1), lambda a, b: a / b),
    "numbers": Case((3,), (3,), lambda a, b: 2.5 - a * 3 / (1 / b)),
    "powers": Case((2, 3), (3,), lambda a, b: -(a**3) + b**-1.5 - a**0.5),
    "matrices": Case((3, 4), (4, 2), lambda a, b: a @ b),
    "row by matrix": Case((4,), (4, 2), lambda a, b: a @ b),
    "matrix by column": Case((3, 4), (4,), lambda a, b: a @ b),
    "row by column": Case((4,), (4,), lambda a, b: a @ b),
    "stacks": Case((2, 1, 3, 4), (5, 4, 2), lambda a, b: a @ b),
    "slices": Case((3, 4), (3,), lambda a, b: a[:, 1:] * b[:, None]),
    "rows again": Case((3, 4), (5, 4), lambda a, b: a[[0, 2, 0, 1, 0]] * b),
    "pairs": Case((3, 4), (3,), lambda a, b: a[[0, 1, 0], [1, 3, 1]] - b),
    "shared": Case((2, 3), (3,), shared),
}


def drawn(shape: tuple[int, ...], signed: bool) -> Tensor:
    """A leaf with values of size 0.5 to 2."""
    size = 0.5 + 1.5 * torch.rand(shape)
    sign = torch.where(torch.rand(shape) < 0.5, -1.0, 1.0) if signed else 1.0
    return (size * sign).requires_grad_()


def tensors(name: str, case: Case) -> dict[str, Tensor]:
    """One case's inputs, result and gradients, by name."""
    a, b = (drawn(shape, signed=name != "powers") for shape in (case.a, case.b))
    out = case.expression(a, b)
    upstream = torch.randn(out.shape)
    out.backward(upstream)
    assert a.grad is not None and b.grad is not None
    made = {"a": a, "b": b, "upstream": upstream, "out": out, "grad/a": a.grad, "grad/b": b.grad}
    return {f"{name}/{key}": value.detach().contiguous() for key, value in made.items()}


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
    made = {key: value for name, case in CASES.items() for key, value in tensors(name, case).items()}
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(made, Path(out_dir) / "tensor.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
