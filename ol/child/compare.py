"""Compares two safetensors files, in a child without student code: `compare.py GOT EXPECTED RTOL ATOL`.

Writes one JSON object a line: a record for each tensor that differs, then the closing one with their number.
Shape and dtype are compared first; then every value: floats by |got - expected| <= atol + rtol |expected| in
float64, all others by equality.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"
DTYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip


class Unreadable(Exception):
    """A file that is no safetensors file."""


def read(path: Path) -> dict[str, Array]:
    """The tensors of a file by name. Unreadable for any other file, a cut one too."""
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    try:
        if start > len(raw):
            raise ValueError("it ends within its header")
        header = json.loads(raw[8:start])
        header.pop("__metadata__", None)
        return {name: tensor(raw[start:], **entry) for name, entry in header.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Unreadable(f"{path.name} is no safetensors file: {error}") from error


def tensor(raw: bytes, dtype: str, shape: list[int], data_offsets: list[int]) -> Array:
    first, last = data_offsets
    return np.frombuffer(raw[first:last], dtype=DTYPES[dtype]).reshape(shape)


def differences(got: dict[str, Array], expected: dict[str, Array], rtol: float, atol: float) -> Iterator[Any]:
    """A record for each tensor that is not as expected."""
    for name in sorted(got.keys() | expected.keys()):
        if name not in got or name not in expected:
            yield {"tensor": name, "fault": "missing" if name in expected else "unexpected"}
        elif record := difference(got[name], expected[name], rtol, atol):
            yield {"tensor": name, **record}


def difference(got: Array, expected: Array, rtol: float, atol: float) -> dict[str, Any]:
    """Empty where the tensors are close: NaN is close to nothing, an infinity to itself."""
    for fault in ("shape", "dtype"):
        mine, theirs = getattr(got, fault), getattr(expected, fault)
        if mine != theirs:
            return {"fault": fault, "got": str(mine), "expected": str(theirs)}
    with np.errstate(invalid="ignore"):
        apart = np.abs(got.astype(np.float64) - expected.astype(np.float64))
        allowed = atol + rtol * np.abs(expected.astype(np.float64))
    near = np.isfinite(allowed) & (apart <= allowed) & (got.dtype.kind == "f")
    bad = ~((got == expected) | near)
    return furthest(got, expected, apart, allowed, bad) if bad.any() else {}


def furthest(got: Array, expected: Array, apart: Array, allowed: Array, bad: Array) -> dict[str, Any]:
    """The value furthest beyond what is allowed, or the first that is no number."""
    beyond = np.where(bad, np.nan_to_num(apart - allowed, nan=np.inf), -np.inf)
    place = np.unravel_index(int(beyond.argmax()), beyond.shape)
    return {
        "fault": "values",
        "place": ", ".join(str(int(index)) for index in place),
        "got": f"{float(got[place]):.9g}",
        "expected": f"{float(expected[place]):.9g}",
        "apart": f"{apart[place]:.3g}",
        "allowed": f"{allowed[place]:.3g}",
        "bad": int(bad.sum()),
        "size": int(bad.size),
    }


def main(got_path: str, expected_path: str, rtol: str, atol: str) -> None:
    try:
        got, expected = read(Path(got_path)), read(Path(expected_path))
    except Unreadable as error:
        print(json.dumps({"unreadable": str(error), "tensors": 0}))
        return
    for record in differences(got, expected, float(rtol), float(atol)):
        print(json.dumps(record))
    print(json.dumps({"tensors": len(expected)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
