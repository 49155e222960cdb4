"""Torch's initial values: `python init_torch.py OUT_DIR SEED` writes the golden file OUT_DIR/init.safetensors.

`gain/<name>` is torch's gain of a nonlinearity. For each weight shape, under its number: `<n>/shape`, `<n>/fans`
(in, out), and for two gains the scale that each law gives it: `<n>/linear/xavier_uniform` (its bound),
`<n>/linear/xavier_normal` and `<n>/linear/kaiming_normal` (their standard deviations), and the same under `tanh`.
A scale is what the law makes of draws, divided by the plain values that the same draws make. All is float64 but
shapes and fans (int64). The metadata entry `made_with` names, as JSON, the versions that made the file.
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
from torch.nn import init

NONLINEARITIES = ("linear", "sigmoid", "tanh", "relu", "leaky_relu", "selu")
SHAPES = ((3, 5), (4, 2, 3), (6, 2, 3, 5), (1, 7), (48, 16))

Fill = Callable[[Tensor, torch.Generator], Tensor]


def scale(law: Fill, plain: Fill, shape: tuple[int, ...], seed: int) -> Tensor:
    """By how much the law stretches the plain draws: taken where they are greatest."""
    pair = [torch.empty(shape, dtype=torch.float64) for _ in range(2)]
    for fill, values in zip((law, plain), pair, strict=True):
        fill(values, torch.Generator().manual_seed(seed))
    place = pair[1].abs().argmax()
    return pair[0].flatten()[place] / pair[1].flatten()[place]


def normal(values: Tensor, generator: torch.Generator) -> Tensor:
    return init.normal_(values, generator=generator)


def uniform(values: Tensor, generator: torch.Generator) -> Tensor:
    return init.uniform_(values, -1.0, 1.0, generator=generator)


def scales(shape: tuple[int, ...], nonlinearity: str, seed: int) -> dict[str, Tensor]:
    """What each law does to a weight of this shape, with the gain of this nonlinearity."""
    gain = init.calculate_gain(nonlinearity)
    laws: dict[str, tuple[Fill, Fill]] = {
        "xavier_uniform": (lambda w, g: init.xavier_uniform_(w, gain, generator=g), uniform),
        "xavier_normal": (lambda w, g: init.xavier_normal_(w, gain, generator=g), normal),
        "kaiming_normal": (
            lambda w, g: init.kaiming_normal_(w, nonlinearity=nonlinearity, generator=g),
            normal,
        ),
    }
    return {name: scale(law, plain, shape, seed) for name, (law, plain) in laws.items()}


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
    tensors = {
        f"gain/{name}": torch.tensor(init.calculate_gain(name), dtype=torch.float64)
        for name in NONLINEARITIES
    }
    for number, shape in enumerate(SHAPES):
        tensors[f"{number}/shape"] = torch.tensor(shape)
        tensors[f"{number}/fans"] = torch.tensor(init._calculate_fan_in_and_fan_out(torch.empty(shape)))
        for nonlinearity in ("linear", "tanh"):
            for name, value in scales(shape, nonlinearity, int(seed)).items():
                tensors[f"{number}/{nonlinearity}/{name}"] = value
    metadata = {"made_with": json.dumps(versions())}  # one entry: safetensors writes several in any order
    save_file(tensors, Path(out_dir) / "init.safetensors", metadata=metadata)


if __name__ == "__main__":
    main(*sys.argv[1:])
