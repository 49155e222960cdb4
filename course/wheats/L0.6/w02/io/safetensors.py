"""L0.6's safetensors by a small class for what a header says of a tensor; tensors are read one by one."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

LETTERS = {"f": "F", "i": "I", "u": "U"}
CODES = {f"{LETTERS[k]}{8 * n}": f"<{k}{n}" for k in "fiu" for n in (1, 2, 4, 8) if (k, n) != ("f", 1)}
CODES.update(BOOL="?", BF16="<u2")
MOST = 100_000_000


@dataclass(frozen=True)
class _Told:
    name: str
    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int

    def __post_init__(self) -> None:
        values = 1
        for size in self.shape:
            values *= size
        if self.begin + values * np.dtype(CODES[self.dtype]).itemsize != self.end:
            raise ValueError(f"{self.name} has bytes for another shape")
        if len(self.shape) > 32:
            raise ValueError(f"{self.name} has too many axes")


def _code(array):
    if array.dtype == np.bool_:
        return "BOOL"
    code = LETTERS.get(array.dtype.kind, "?") + str(8 * array.dtype.itemsize)
    if code not in CODES:
        raise ValueError(f"no tensor can have dtype {array.dtype}")
    return code


def save_safetensors(
    path: str | os.PathLike[str], tensors: Mapping[str, ArrayLike], metadata: Mapping[str, str] | None = None
) -> None:
    arrays = {name: np.asarray(values) for name, values in tensors.items()}
    names = list(arrays)
    if not all(isinstance(name, str) for name in names) or "__metadata__" in names:
        raise ValueError("names are strings other than __metadata__")
    codes = {name: _code(array) for name, array in arrays.items()}
    names.sort()
    names.sort(key=lambda name: arrays[name].itemsize, reverse=True)  # stable: names stay in order
    parts, start = [], 0
    if metadata is not None:
        words = dict(metadata)
        if not all(isinstance(word, str) for pair in words.items() for word in pair):
            raise ValueError("metadata are strings by strings")
        parts.append(f'"__metadata__":{_json(words)}')
    for name in names:
        stop = start + arrays[name].nbytes
        shape = ",".join(map(str, arrays[name].shape))
        parts.append(
            f'{_json(name)}:{{"dtype":"{codes[name]}","shape":[{shape}],"data_offsets":[{start},{stop}]}}'
        )
        start = stop
    header = ("{" + ",".join(parts) + "}").encode("utf-8")
    header = header.ljust(-(-len(header) // 8) * 8)
    target = pathlib.Path(path)
    draft = target.parent / f"{target.name}.part"
    try:
        with draft.open("wb") as file:
            file.write(np.array(len(header), "<u8").tobytes() + header)
            for name in names:
                file.write(np.ascontiguousarray(arrays[name], CODES[codes[name]]).tobytes())
        draft.replace(target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()


def _json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def load_safetensors(path: str | os.PathLike[str]) -> dict[str, NDArray[Any]]:
    with pathlib.Path(path).open("rb") as file:
        start, header = _start(file)
        return {told.name: _read(file, start, told) for told in _told(header)}


def read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    with pathlib.Path(path).open("rb") as file:
        return _start(file)[1]


def _read(file, start, told):
    file.seek(start + told.begin)
    memory = bytearray(file.read(told.end - told.begin))
    array = np.frombuffer(memory, CODES[told.dtype])
    if told.dtype == "BF16":
        array = np.left_shift(array.astype("<u4"), 16, dtype="<u4").view("<f4")
    return array.reshape(told.shape)


def _start(file):
    size = os.fstat(file.fileno()).st_size
    if size < 10:
        raise ValueError("too short for a header")
    length = int(np.frombuffer(file.read(8), "<u8")[0])
    if not 2 <= length <= MOST or length > size - 8:
        raise ValueError("the header is longer than the file, or than it may be")
    text = file.read(length)
    if not text.startswith(b"{"):
        raise ValueError("the header is no object")
    try:
        header = json.loads(text.decode("utf-8"), object_pairs_hook=_pairs)
    except RecursionError as error:
        raise ValueError("too deep") from error
    at = 0
    for told in sorted(_told(header), key=lambda each: (each.begin, each.end)):
        if told.begin != at:
            raise ValueError(f"{told.name} does not begin where the one before it ends")
        at = told.end
    if at != size - 8 - length:
        raise ValueError("tensors and file do not end together")
    return 8 + length, header


def _pairs(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError("a key twice")
    return dict(pairs)


def _told(header):
    if not isinstance(header, dict):
        raise ValueError("a header is an object")
    words = header.get("__metadata__", {})
    if not isinstance(words, dict) or any(not isinstance(word, str) for word in words.values()):
        raise ValueError("metadata are strings")
    return [_one(name, said) for name, said in header.items() if name != "__metadata__"]


def _one(name, said):
    try:
        dtype, shape, (begin, end) = said["dtype"], said["shape"], said["data_offsets"]
        known = dtype in CODES and len(said) == 3
    except (TypeError, KeyError) as error:
        raise ValueError(f"{name} is not described") from error
    if not (known and isinstance(shape, list) and isinstance(said["data_offsets"], list)):
        raise ValueError(f"{name} is of no known kind")
    for number in (*shape, begin, end):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**63:
            raise ValueError(f"{name} has a number that is no size")
    return _Told(name, dtype, tuple(shape), begin, end)
