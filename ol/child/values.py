"""Compares what probes handed out on two units, in a child where the code of neither runs: `values.py FOLDER`.

FOLDER holds `asked.json`, a list of [rtol, atol, margin], and for each of its items the files `<n>.got` and
`<n>.expected`, as `arrays.py` writes them. `got` may come from an adversary: every size is checked before
anything is made of it. One JSON object a line comes out for each item, then the closing one with their number.

Shape and dtype first, then whether it is finite, then the values: floats by |got - expected| <= atol + rtol
|expected| in float64, all others by equality. Where an array `x.margin` goes with `x`, only those places count
at which the margin *expected* exceeds what was asked: there no rounding can make another choice right.
"""

from __future__ import annotations

import json
import re
import sys
from math import prod
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"
Record: TypeAlias = "dict[str, Any]"

LIMIT_BYTES = 1 << 20
LIMIT_HEADER = 1 << 16
LIMIT_ARRAYS = 64
LIMIT_AXES = 8
MARGIN = ".margin"
_NAME = re.compile(r"[A-Za-z0-9_.:/ -]{1,80}")
DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip


class Unreadable(Exception):
    """Bytes that are not what `arrays.py` writes."""


def read(path: Path) -> dict[str, Array]:
    if path.stat().st_size > 8 + LIMIT_HEADER + LIMIT_BYTES:
        raise Unreadable("there are more bytes than a probe may hand out")
    return unpacked(path.read_bytes())


def unpacked(raw: bytes) -> dict[str, Array]:
    """The arrays by name, which lie side by side and fill the bytes to their end."""
    size = int.from_bytes(raw[:8], "little")
    if len(raw) < 8 or size > min(LIMIT_HEADER, len(raw) - 8):
        raise Unreadable("it ends within its header, or has none")
    header, values = _header(raw[8 : 8 + size]), raw[8 + size :]
    arrays, begin = {}, 0
    for name, entry in header.items():
        if not _NAME.fullmatch(name):
            raise Unreadable("an array has no plain name")
        arrays[name], begin = _array(entry, values, begin)
    if begin != len(values):
        raise Unreadable("there are more bytes than values")
    return arrays


def _header(text: bytes) -> Record:
    try:
        header = json.loads(text.decode("ascii"))
    except (ValueError, RecursionError) as error:
        raise Unreadable("its header is not JSON") from error
    if not isinstance(header, dict) or len(header) > LIMIT_ARRAYS:
        raise Unreadable("its header names no arrays, or too many")
    return header


def _array(entry: Any, values: bytes, begin: int) -> tuple[Array, int]:
    """The array that starts here, and where it ends."""
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise Unreadable("an array is not described")
    dtype, shape = entry["dtype"], entry["shape"]
    sizes = isinstance(shape, list) and len(shape) <= LIMIT_AXES and all(type(n) is int for n in shape)
    if not (
        isinstance(dtype, str) and dtype in DTYPES and sizes and all(0 <= n <= LIMIT_BYTES for n in shape)
    ):
        raise Unreadable("an array has no dtype or shape")
    end = begin + prod(shape) * np.dtype(DTYPES[dtype]).itemsize
    if entry["data_offsets"] != [begin, end] or end > len(values):
        raise Unreadable("an array does not lie where it should")
    if dtype == "BOOL" and not set(values[begin:end]) <= {0, 1}:
        raise Unreadable("a truth value is neither")
    return np.frombuffer(values[begin:end], dtype=DTYPES[dtype]).reshape(shape), end


def disagreement(
    got: dict[str, Array], expected: dict[str, Array], rtol: float, atol: float, margin: float
) -> Record:
    """The first array, in the order expected, that is not as expected; empty where all are."""
    values = [name for name in expected if not name.endswith(MARGIN)]
    for name in [*values, *(name for name in got if name not in expected)]:
        if name not in got or name not in expected:
            return {"array": name, "fault": "missing" if name in expected else "unexpected"}
        counts = np.ones(expected[name].shape, dtype=bool)
        if name + MARGIN in expected:
            counts = expected[name + MARGIN] > margin
        if record := _of_array(got[name], expected[name], counts, rtol, atol):
            return {"array": name, **record}
    return {}


def _of_array(got: Array, expected: Array, counts: NDArray[np.bool_], rtol: float, atol: float) -> Record:
    """NaN is like nothing, an infinity like itself."""
    if counts.shape != expected.shape or 2 * counts.sum() < counts.size:
        return {"fault": "margin", "bad": int(counts.size - counts.sum()), "size": int(counts.size)}
    for fault in ("shape", "dtype"):
        mine, theirs = getattr(got, fault), getattr(expected, fault)
        if mine != theirs:
            return {"fault": fault, "got": str(mine), "expected": str(theirs)}
    unlike = counts & (np.isfinite(got) != np.isfinite(expected))
    if unlike.any():
        return {"fault": "finite", **_places(got, expected, unlike)}
    far = counts & ~_near(got, expected, rtol, atol)
    return (
        {"fault": "values", **_places(got, expected, far), **_greatest(got, expected, far)}
        if far.any()
        else {}
    )


def _near(got: Array, expected: Array, rtol: float, atol: float) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = np.equal(got, expected)
    if expected.dtype.kind != "f":
        return same
    size = np.abs(expected.astype(np.float64))
    return same | (np.isfinite(size) & (_apart(got, expected) <= atol + rtol * size))


def _apart(got: Array, expected: Array) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore", over="ignore"):  # an infinity less itself
        return np.abs(got.astype(np.float64) - expected.astype(np.float64))


def _places(got: Array, expected: Array, bad: NDArray[np.bool_]) -> Record:
    """How many values are bad, and the first."""
    place = tuple(int(index) for index in np.argwhere(bad)[0])
    return {
        "place": ", ".join(map(str, place)), "got": _told(got[place]), "expected": _told(expected[place]),
        "bad": int(bad.sum()), "size": int(bad.size),
    }  # fmt: skip


def _greatest(got: Array, expected: Array, bad: NDArray[np.bool_]) -> Record:
    apart, size = _apart(got, expected)[bad], np.abs(expected.astype(np.float64))[bad]
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = float(np.nanmax(np.where(apart == 0, 0.0, apart / size)))
    return {"absolute": f"{float(np.nanmax(apart)):.3g}", "relative": f"{relative:.3g}"}


def _told(value: Any) -> str:
    return f"{value:.9g}" if value.dtype.kind == "f" else str(int(value))


def compared(folder: Path, number: int, tolerances: list[float]) -> Record:
    """The record of one item; `unreadable` tells of `got` alone, for `expected` is the reference's."""
    expected = read(folder / f"{number}.expected")
    try:
        got = read(folder / f"{number}.got")
    except Unreadable as error:
        return {"fault": "unreadable", "got": str(error)}
    return disagreement(got, expected, *tolerances)


def main(folder: Path) -> None:
    asked = json.loads((folder / "asked.json").read_text(encoding="utf-8"))
    for number, tolerances in enumerate(asked):
        print(json.dumps(compared(folder, number, tolerances)))
    print(json.dumps({"compared": len(asked)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
