"""L0.6's safetensors with struct and slices: a file is read at once, and every array is cut out of it."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

KINDS = {
    "BOOL": np.bool_, "U8": np.uint8, "I8": np.int8, "U16": np.uint16, "I16": np.int16, "F16": np.float16,
    "U32": np.uint32, "I32": np.int32, "F32": np.float32, "U64": np.uint64, "I64": np.int64, "F64": np.float64,
}  # fmt: skip
WIDTHS = {name: np.dtype(kind).itemsize for name, kind in KINDS.items()} | {"BF16": 2}
FIELDS = ["data_offsets", "dtype", "shape"]


def save_safetensors(
    path: str | os.PathLike[str], tensors: Mapping[str, ArrayLike], metadata: Mapping[str, str] | None = None
) -> None:
    described = []
    for name in tensors:
        if type(name) is not str or name == "__metadata__":
            raise ValueError("a tensor's name is a string, and not __metadata__")
        array = np.array(tensors[name], order="C")
        code = [known for known, kind in KINDS.items() if array.dtype.newbyteorder("=") == np.dtype(kind)]
        if not code:
            raise ValueError(f"there is no code for {array.dtype}")
        described.append((-array.itemsize, name, code[0], array))
    described.sort(key=lambda each: each[:2])
    header, pieces, at = {}, [], 0
    if metadata is not None:
        for key, value in metadata.items():
            if not (isinstance(key, str) and isinstance(value, str)):
                raise ValueError("metadata are strings")
        header["__metadata__"] = dict(metadata)
    for _, name, code, array in described:
        piece = array.astype(np.dtype(KINDS[code]).newbyteorder("<")).tobytes()
        header[name] = {"dtype": code, "shape": list(array.shape), "data_offsets": [at, at + len(piece)]}
        pieces.append(piece)
        at += len(piece)
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    while len(text) % 8:
        text += b" "
    folder = os.path.dirname(os.path.abspath(os.fspath(path)))
    with tempfile.TemporaryDirectory(dir=folder, prefix=".saving-") as scratch:
        draft = os.path.join(scratch, "draft")
        with open(draft, "wb") as file:
            file.write(struct.pack("<Q", len(text)))
            file.write(text)
            file.writelines(pieces)
        os.replace(draft, path)


def load_safetensors(path: str | os.PathLike[str]) -> dict[str, NDArray[Any]]:
    with open(path, "rb") as file:
        raw = file.read()
    (length,) = struct.unpack("<Q", raw[:8]) if len(raw) >= 8 else (0,)
    header = _understood(raw[8 : 8 + length], length, len(raw))
    body, arrays = raw[8 + length :], {}
    for name, told in header.items():
        if name != "__metadata__":
            first, last = told["data_offsets"]
            arrays[name] = _array(body[first:last], told["dtype"], tuple(told["shape"]))
    return arrays


def read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        start = file.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        return _understood(file.read(min(length, size, 100_000_001)), length, size)


def _array(piece, dtype, shape):
    if dtype == "BF16":
        pairs = np.zeros((len(piece) // 2, 2), "<u2")
        pairs[:, 1] = np.frombuffer(piece, "<u2")
        return pairs.view("<f4").astype(np.float32).reshape(shape)
    return np.frombuffer(piece, np.dtype(KINDS[dtype]).newbyteorder("<")).astype(KINDS[dtype]).reshape(shape)


def _understood(text, length, size):
    if length < 2 or length > 100_000_000 or 8 + length > size:
        raise ValueError("the file has no such header")
    if text[:1] != b"{":
        raise ValueError("the header does not begin as an object does")
    try:
        header = json.loads(str(text, "utf-8"), object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("the header is nested too deeply") from None
    if not isinstance(header, dict):
        raise ValueError("the header is no object")
    spans = []
    for name, told in header.items():
        if name == "__metadata__":
            strings = isinstance(told, dict) and all(isinstance(value, str) for value in told.values())
            if not strings:
                raise ValueError("the metadata are not strings")
        else:
            spans.append(_place(told))
    spans.sort()
    firsts, lasts = [first for first, _ in spans], [last for _, last in spans]
    if [0, *lasts] != [*firsts, size - 8 - length]:
        raise ValueError("the tensors do not fill the file")
    return header


def _place(told):
    if not isinstance(told, dict) or sorted(told) != FIELDS:
        raise ValueError("a tensor is not described as it should be")
    shape, offsets = told["shape"], told["data_offsets"]
    if not isinstance(shape, list) or not isinstance(offsets, list) or len(offsets) != 2 or len(shape) > 32:
        raise ValueError("a shape and two offsets are lists")
    if any(type(number) is not int or number < 0 or number >= 2**63 for number in (*shape, *offsets)):
        raise ValueError("sizes and offsets are whole numbers")
    if not isinstance(told["dtype"], str) or told["dtype"] not in WIDTHS:
        raise ValueError("the dtype is unknown")
    count = WIDTHS[told["dtype"]]
    for number in shape:
        count *= number
    if offsets[0] + count != offsets[1]:
        raise ValueError("a tensor's bytes are not as many as its shape says")
    return tuple(offsets)


def _once(pairs):
    found = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key} stands there twice")
        found[key] = value
    return found
