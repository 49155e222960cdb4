"""A small reader of safetensors files: goldens and saved models are read by code of no student."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DTYPES = {"F32": "<f4", "F64": "<f8", "I64": "<i8", "I32": "<i4", "U8": "|u1"}


def read_tensors(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """(tensors by name, metadata) of one file; the dtypes are those of DTYPES, KeyError for any other.

    Eight bytes give the length of a JSON header, which gives each tensor's dtype, shape and place after it.
    """
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    header: dict[str, Any] = json.loads(raw[8:start])
    metadata = header.pop("__metadata__", {})
    return {name: _tensor(raw, start, entry) for name, entry in header.items()}, metadata


def _tensor(raw: bytes, start: int, entry: dict[str, Any]) -> NDArray[Any]:
    first, last = entry["data_offsets"]
    shape: tuple[int, ...] = tuple(entry["shape"])
    return np.frombuffer(raw[start + first : start + last], dtype=DTYPES[entry["dtype"]]).reshape(shape)
