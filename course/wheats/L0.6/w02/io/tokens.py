"""L0.6's token files as two arrays on disk: 256 numbers, then the ids, both mapped."""

from __future__ import annotations

import os
import pathlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FIELDS = ("magic", "version", "n", "vocab")


def _dtype(version):
    return np.dtype("<u2" if version == 1 else "<u4")


def read_tokens_header(path: str | os.PathLike[str]) -> dict[str, int]:
    fields = np.fromfile(path, dtype="<i4", count=256)
    if len(fields) != 256:
        raise ValueError(f"{path}: a header has 256 numbers, not {len(fields)}")
    told = dict(zip(FIELDS, fields.tolist(), strict=False))
    if told.pop("magic") != 20240520 or told["version"] not in (1, 2):
        raise ValueError(f"{path} is not of a known kind")
    if told["n"] < 0 or told["vocab"] < 0:
        raise ValueError(f"{path} counts below zero")
    behind = pathlib.Path(path).stat().st_size - 1024
    if behind != told["n"] * _dtype(told["version"]).itemsize:
        raise ValueError(f"{path} has {behind} bytes of ids")
    return told


def open_tokens(path: str | os.PathLike[str]) -> NDArray[Any]:
    told = read_tokens_header(path)
    if told["n"]:
        return np.memmap(path, _dtype(told["version"]), "r", 1024, told["n"])
    nothing = np.zeros(0, _dtype(told["version"]))
    nothing.setflags(write=False)
    return nothing


def write_tokens(path: str | os.PathLike[str], ids: ArrayLike, vocab: int) -> None:
    values = np.asarray(ids)
    if values.ndim != 1:
        raise ValueError("ids must be a row")
    if values.size and values.dtype.kind not in ("i", "u"):
        raise ValueError("ids must be whole numbers")
    if not 0 < vocab < 2**31 or not values.size < 2**31:
        raise ValueError("too many, or none")
    if any(not 0 <= token < vocab for token in values.tolist()):
        raise ValueError("an id is outside the vocabulary")
    version = 1 + (vocab > 1 << 16)
    fields = np.zeros(256, "<i4")
    fields[: len(FIELDS)] = (20240520, version, values.size, vocab)
    pathlib.Path(path).write_bytes(fields.tobytes() + values.astype(_dtype(version)).tobytes())
