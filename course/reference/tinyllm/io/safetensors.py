"""The safetensors file format: 8 bytes of header length, a JSON header, then the tensors' bytes, end to end.

Source: the format section of the safetensors README (Hugging Face, 2022).
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

_DTYPES = {
    "F64": "<f8", "I64": "<i8", "U64": "<u8",
    "F32": "<f4", "I32": "<i4", "U32": "<u4",
    "F16": "<f2", "I16": "<i2", "U16": "<u2", "BF16": "<u2",
    "I8": "|i1", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
_NAMES = {np.dtype(code): name for name, code in _DTYPES.items() if name != "BF16"}  # numpy has no bfloat16
_MAX_HEADER = 100_000_000  # the official reader's own limit


def save_safetensors(
    path: str | os.PathLike[str], tensors: Mapping[str, ArrayLike], metadata: Mapping[str, str] | None = None
) -> None:
    """Write the tensors, widest dtype first, then by name; the file appears whole or not at all."""
    arrays = {name: _little_endian(name, value) for name, value in tensors.items()}
    order = sorted(arrays, key=lambda name: (-arrays[name].itemsize, name))
    header = _encode_header({name: arrays[name] for name in order}, metadata)
    with _replacing(Path(path)) as file:
        file.write(len(header).to_bytes(8, "little") + header)
        for name in order:
            file.write(arrays[name].tobytes())


def load_safetensors(path: str | os.PathLike[str]) -> dict[str, NDArray[Any]]:
    """Every tensor, in the header's order, as an array of its own; BF16 comes as float32."""
    with open(path, "rb") as file:
        header, start = _read_header(file)
        header.pop("__metadata__", None)
        return {name: _read_tensor(file, start, entry) for name, entry in header.items()}


def read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The checked header: name -> {"dtype", "shape", "data_offsets"}, and "__metadata__" if there is one."""
    with open(path, "rb") as file:
        return _read_header(file)[0]


def _little_endian(name: str, value: ArrayLike) -> NDArray[Any]:
    array = np.asarray(value)
    array = array.astype(array.dtype.newbyteorder("<"), copy=False)
    if array.dtype not in _NAMES:
        raise ValueError(f"tensor {name!r} has dtype {array.dtype}, which can't be saved: convert it first")
    return array


def _encode_header(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str] | None) -> bytes:
    header: dict[str, Any] = {}
    if metadata is not None:
        _check_metadata(dict(metadata))
        header["__metadata__"] = dict(metadata)
    end = 0
    for name, array in arrays.items():
        if not isinstance(name, str) or name == "__metadata__":
            raise ValueError(f"{name!r} can't name a tensor: use any other string")
        begin, end = end, end + array.nbytes
        dtype, shape = _NAMES[array.dtype], list(array.shape)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    return text + b" " * (-len(text) % 8)


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends well and vanishes when it does not."""
    draft = path.with_name(f".{path.name}.{os.urandom(6).hex()}")
    try:
        with open(draft, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _read_header(file: BinaryIO) -> tuple[dict[str, Any], int]:
    """The checked header, and where the tensors' bytes start."""
    try:
        size = os.fstat(file.fileno()).st_size
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(size - 8, _MAX_HEADER):
            raise ValueError(f"a header of {length} bytes in a file of {size}")
        header = _parse(file.read(length))
        _check_header(header, size - 8 - length)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file.name} is not a whole safetensors file: {error}") from error
    return header, 8 + length


def _parse(text: bytes) -> dict[str, Any]:
    if not text.startswith(b"{"):
        raise ValueError("its header does not start with {")
    header = json.loads(text.decode("utf-8"), object_pairs_hook=_unique)
    json.dumps(header, ensure_ascii=False).encode("utf-8")  # refuses half a surrogate pair, which is no text
    return dict(header)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("its header has a key twice")
    return made


def _check_header(header: Mapping[str, Any], n_bytes: int) -> None:
    """The tensors must fill n_bytes, without a hole and without an overlap."""
    _check_metadata(header.get("__metadata__", {}))
    end = 0
    for begin, stop in sorted(_span(name, entry) for name, entry in header.items() if name != "__metadata__"):
        if begin != end:
            raise ValueError(f"its tensors overlap or leave a hole at byte {min(begin, end)}")
        end = stop
    if end != n_bytes:
        raise ValueError(f"its header speaks of {end} bytes of tensors where there are {n_bytes}")


def _check_metadata(metadata: Any) -> None:
    pairs = metadata.items() if isinstance(metadata, dict) else [(metadata, None)]
    if not all(isinstance(key, str) and isinstance(value, str) for key, value in pairs):
        raise ValueError("metadata maps strings to strings")


def _span(name: str, entry: Any) -> tuple[int, int]:
    """(begin, end) of a tensor whose dtype, shape and offsets agree."""
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise ValueError(f"tensor {name!r:.80} has other fields than dtype, shape and data_offsets")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in _DTYPES:
        raise ValueError(f"tensor {name!r:.80} has dtype {dtype!r:.80}, not one of {', '.join(_DTYPES)}")
    if not (_is_counts(shape) and _is_counts(offsets) and len(offsets) == 2 and _fits_numpy(shape)):
        raise ValueError(f"tensor {name!r:.80} has no possible shape and offsets")
    begin, end = offsets
    if end - begin != math.prod(shape) * np.dtype(_DTYPES[dtype]).itemsize:
        raise ValueError(f"tensor {name!r:.80} is {dtype} {shape}, but has bytes {begin} to {end}")
    return begin, end


def _is_counts(xs: Any) -> bool:
    return isinstance(xs, list) and all(type(x) is int and 0 <= x < 2**63 for x in xs)


def _fits_numpy(shape: list[int]) -> bool:
    """numpy's own limits, which hold even for a shape with a zero in it."""
    return len(shape) <= 32 and math.prod(max(size, 1) for size in shape) < 2**60


def _read_tensor(file: BinaryIO, start: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    begin, end = entry["data_offsets"]
    file.seek(start + begin)
    raw = np.fromfile(file, dtype=np.uint8, count=end - begin)
    if raw.size != end - begin:
        raise ValueError(f"{file.name} was cut short while it was being read: load it again")
    flat: NDArray[Any] = raw.view(_DTYPES[entry["dtype"]])
    if entry["dtype"] == "BF16":  # the upper half of a float32
        flat = (flat.astype(np.uint32) << 16).view(np.float32)
    return flat.reshape(entry["shape"])
