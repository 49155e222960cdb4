"""torch's tensors in a safetensors file: `python tensors_torch.py OUT_DIR SEED` writes OUT_DIR/torch_file.safetensors.

`file` (U8) holds, byte by byte, a file that the safetensors package wrote: one tensor each of F32, F16, BF16, I8,
U8 and I32, one of them without axes. Beside it lie the same tensors by name as torch reads them back, widened
to F64 or I64: exactly, for every value of the narrow dtypes is one of the wide ones. Rounding is to the nearest,
ties to even, as IEEE 754 has it, so that every machine writes the same values. SEED draws the integers. The
metadata entry `made_with` names the versions.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy
import torch
from safetensors.torch import load, save, save_file
from torch import Tensor


def tensors() -> dict[str, Tensor]:
    """Zeros of both signs, the least and the greatest values of each float, thirds, and drawn integers."""
    thirds = torch.arange(-4, 8) / 3
    return {
        "f32": torch.cat([thirds, torch.tensor([2.0**-149, 3.0e38, -0.0, 1e-40])]).reshape(4, 4),
        "f16": torch.cat([thirds, torch.tensor([2.0**-24, 65504.0, -0.0])]).half().reshape(3, 5),
        "bf16": torch.cat([thirds, torch.tensor([2.0**-133, 3.0e38, -0.0])]).bfloat16().reshape(5, 3),
        "i8": torch.randint(-128, 128, (2, 3), dtype=torch.int8),
        "u8": torch.randint(0, 256, (7,), dtype=torch.uint8),
        "i32": torch.tensor(-(2**31), dtype=torch.int32),
    }


def widened(tensor: Tensor) -> Tensor:
    """F64 of a float, I64 of an integer: the same values."""
    return tensor.double() if tensor.is_floating_point() else tensor.long()


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
    written = save(tensors())
    values = {name: widened(tensor).contiguous() for name, tensor in load(written).items()}
    values["file"] = torch.frombuffer(bytearray(written), dtype=torch.uint8)
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(values, Path(out_dir) / "torch_file.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
