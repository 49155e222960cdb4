"""Golden files: the numbers another implementation got, and the tolerance its author gave a reason for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from frozen.root import course_root
from frozen.tensors import read_tensors
from frozen.toml_file import read_toml


@dataclass(frozen=True)
class Golden:
    """The tensors of one golden file by name, and how close is close."""

    tensors: dict[str, NDArray[Any]]
    rtol: float
    atol: float


def golden(name: str) -> Golden:
    """The golden `name`, such as "L2.2/nplm.safetensors", and its tolerance from oracle/manifest.toml."""
    oracle = course_root() / "oracle"
    entry = read_toml(oracle / "manifest.toml")["goldens"][name]
    tensors, _ = read_tensors(oracle / name)
    return Golden(tensors, rtol=entry["rtol"], atol=entry["atol"])
