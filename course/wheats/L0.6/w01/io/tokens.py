"""L0.6's token files with struct, and the ids as a part of one map of the whole file."""

from __future__ import annotations

import os
import struct
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

WIDTH = {1: 2, 2: 4}


def read_tokens_header(path: str | os.PathLike[str]) -> dict[str, int]:
    length = os.stat(path).st_size
    with open(path, "rb") as file:
        start = file.read(1024)
    if len(start) < 1024:
        raise ValueError("there is no whole header")
    magic, version, n, vocab = struct.unpack_from("<4i", start)
    if magic != 20240520:
        raise ValueError("these are no tokens")
    if version not in WIDTH:
        raise ValueError(f"version {version} is unknown")
    if min(n, vocab) < 0 or length - 1024 != n * WIDTH[version]:
        raise ValueError("the file is not as long as its header says")
    return {"version": version, "n": n, "vocab": vocab}


def open_tokens(path: str | os.PathLike[str]) -> NDArray[Any]:
    told = read_tokens_header(path)
    everything = np.memmap(path, dtype=np.uint8, mode="r")
    return np.asarray(everything[1024:]).view(f"<u{WIDTH[told['version']]}")


def write_tokens(path: str | os.PathLike[str], ids: ArrayLike, vocab: int) -> None:
    if vocab < 1 or vocab > 2**31 - 1:
        raise ValueError("no such vocabulary")
    row = np.array(ids)
    if row.ndim != 1 or len(row) > 2**31 - 1:
        raise ValueError("ids are one row")
    if len(row):
        if not np.issubdtype(row.dtype, np.integer):
            raise ValueError("ids are integers")
        if int(row.min()) < 0 or int(row.max()) >= vocab:
            raise ValueError("an id lies outside the vocabulary")
    version = 2 if vocab > 65_536 else 1
    with open(path, "wb") as file:
        file.write(struct.pack("<4i", 20240520, version, len(row), vocab).ljust(1024, b"\0"))
        file.write(np.ascontiguousarray(row, f"<u{WIDTH[version]}").data)
