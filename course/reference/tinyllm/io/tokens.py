"""Token files: a header of 256 little-endian int32, [20240520, version, n, vocab, 0, …], then n ids.

Version 1 holds uint16 ids, version 2 uint32. Reading maps the file, so that a corpus need not fit in memory.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_MAGIC = 20240520
_HEADER_BYTES = 1024
_DTYPES: dict[int, np.dtype[Any]] = {1: np.dtype("<u2"), 2: np.dtype("<u4")}


def read_tokens_header(path: str | os.PathLike[str]) -> dict[str, int]:
    """version, n and vocab of a whole and well-formed token file."""
    with open(path, "rb") as file:
        head = file.read(16)
        size = os.fstat(file.fileno()).st_size
    magic, version, n, vocab = (int.from_bytes(head[i : i + 4], "little", signed=True) for i in (0, 4, 8, 12))
    if magic != _MAGIC:
        raise ValueError(f"{path} is not a token file: it starts with {magic}, not {_MAGIC}")
    if version not in _DTYPES or n < 0 or vocab < 0:
        raise ValueError(f"{path} has version {version}, n {n}, vocab {vocab}: versions are 1 and 2")
    if size != _HEADER_BYTES + n * _DTYPES[version].itemsize:
        raise ValueError(f"{path} has {size} bytes, not what {n} ids need: write it again")
    return {"version": version, "n": n, "vocab": vocab}


def open_tokens(path: str | os.PathLike[str]) -> NDArray[Any]:
    """The ids, read-only and memory-mapped: uint16 or uint32 [n]."""
    header = read_tokens_header(path)
    dtype, n = _DTYPES[header["version"]], header["n"]
    if n == 0:  # an empty range can't be mapped
        ids: NDArray[Any] = np.empty(0, dtype=dtype)
        ids.flags.writeable = False
        return ids
    return np.asarray(np.memmap(path, dtype=dtype, mode="r", offset=_HEADER_BYTES, shape=(n,)))


def write_tokens(path: str | os.PathLike[str], ids: ArrayLike, vocab: int) -> None:
    """Write ids [n] in [0, vocab), as uint16 when vocab <= 65536, else as uint32."""
    array = np.asarray(ids)
    if not 1 <= vocab < 2**31:
        raise ValueError(f"vocab must be in 1 … 2**31 - 1, got {vocab}")
    if array.ndim != 1 or array.size >= 2**31 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"ids must be one row of fewer than 2**31 integers, got {array.dtype} {array.shape}")
    if array.size and not 0 <= array.min() <= array.max() < vocab:
        raise ValueError(f"every id must be in 0 … {vocab - 1}, got {array.min()} … {array.max()}")
    version = 1 if vocab <= 2**16 else 2
    head = np.zeros(_HEADER_BYTES // 4, dtype="<i4")
    head[:4] = _MAGIC, version, array.size, vocab
    with open(path, "wb") as file:
        file.write(head.tobytes())
        file.write(array.astype(_DTYPES[version]).tobytes())
