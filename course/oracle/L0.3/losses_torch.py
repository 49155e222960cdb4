"""The losses in torch: `python losses_torch.py OUT_DIR SEED` writes the golden file OUT_DIR/losses.safetensors.

For each loss and reduction, under `<loss>/<reduction>/`: the logits or predictions `0`, the integer `targets`
or the targets `1`, the `loss`, an `upstream` gradient of its shape, and the gradients `grad 0` and `grad 1`. Of
the six rows of `smoothed` and `ignored` two are ignored, by -100. All but the integers is float32. The metadata
entry `made_with` names, as JSON, the versions of torch, numpy and BLAS that made the file.
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

ROWS, CLASSES = 6, 5
TARGETS = {
    "cross entropy": [3, 0, 4, 4, 1, 2],
    "smoothed": [3, 0, -100, 4, 1, -100],
    "ignored": [-100, 2, 2, 0, -100, 4],
}
REAL: dict[str, Callable[..., Tensor]] = {
    "mse": F.mse_loss,
    "bce": F.binary_cross_entropy_with_logits,
}


def of_classes(name: str, reduction: str) -> dict[str, Tensor]:
    """A cross-entropy of integer targets."""
    z, targets = (2 * torch.randn(ROWS, CLASSES)).requires_grad_(), torch.tensor(TARGETS[name])
    smoothing = 0.1 if name == "smoothed" else 0.0
    loss = F.cross_entropy(z, targets, label_smoothing=smoothing, reduction=reduction)
    return {**pulled(loss, [z]), "targets": targets}


def of_values(name: str, reduction: str) -> dict[str, Tensor]:
    """A loss of targets between 0 and 1, which get their gradient too."""
    inputs = [(3 * torch.randn(4, 3)).requires_grad_(), torch.rand(4, 3).requires_grad_()]
    return pulled(REAL[name](*inputs, reduction=reduction), inputs)


def pulled(loss: Tensor, inputs: list[Tensor]) -> dict[str, Tensor]:
    """Inputs, loss, upstream gradient and gradients, by their names in the file."""
    upstream = torch.randn(loss.shape)
    tensors = {str(i): x.detach() for i, x in enumerate(inputs)}
    grads = torch.autograd.grad(loss, inputs, upstream)
    tensors |= {f"grad {i}": grad for i, grad in enumerate(grads)}
    return tensors | {"loss": loss.detach(), "upstream": upstream}


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
    for make, names in ((of_classes, TARGETS), (of_values, REAL)):
        for name in names:
            for reduction in ("mean", "sum", "none"):
                case = make(name, reduction)
                tensors |= {f"{name}/{reduction}/{key}": tensor.clone() for key, tensor in case.items()}
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(tensors, Path(out_dir) / "losses.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
