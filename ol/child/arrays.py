"""Arrays as plain bytes, made in a run's own child: what a probe hands out, for another process to compare.

The bytes are those of a safetensors file: the length of a header, the header as JSON, the values one after
another. Nothing here is believed: `values.py` reads them as written by an adversary.
"""

from __future__ import annotations

from collections.abc import Mapping

# Bound here, before any student code runs: a unit may replace names of numpy for reasons of its own.
from json import dumps
from math import prod
from re import compile as pattern

from numpy import array as copied
from numpy import ndarray

LIMIT_BYTES = 1 << 20  # of one probe; `values.py` has the same bounds
LIMIT_ARRAYS = 64
PLAIN = pattern(r"[A-Za-z0-9_.:/ -]{1,80}")
NAMES = {
    "<f8": "F64", "<f4": "F32", "<f2": "F16", "<i8": "I64", "<i4": "I32", "<i2": "I16", "|i1": "I8",
    "<u8": "U64", "<u4": "U32", "<u2": "U16", "|u1": "U8", "|b1": "BOOL",
}  # fmt: skip


def packed(named: Mapping[str, object]) -> bytes:
    """A copy of each value as a bare array, in the order given.

    TypeError for what is no array of numbers, ValueError for more than the bounds allow.
    """
    if len(named) > LIMIT_ARRAYS:
        raise ValueError(f"{len(named)} arrays, and {LIMIT_ARRAYS} may be handed out")
    header, blocks, end = {}, [], 0
    for name, value in named.items():
        if not PLAIN.fullmatch(name):
            raise ValueError(f"the array {name!r} needs a name of letters, digits and _ . : / - alone")
        values = bare(name, value)
        begin, end = end, end + prod(values.shape) * values.dtype.itemsize
        if end > LIMIT_BYTES:
            raise ValueError(f"more than {LIMIT_BYTES} bytes at {name}")
        header[name] = {
            "dtype": NAMES[values.dtype.str], "shape": list(values.shape), "data_offsets": [begin, end],
        }  # fmt: skip
        blocks.append(ndarray.tobytes(values))
    told = dumps(header).encode("ascii")
    return len(told).to_bytes(8, "little") + told + b"".join(blocks)


def bare(name: str, value: object) -> ndarray:
    """A little-endian copy, of numpy's own class whatever the value makes of itself."""
    values = copied(value, subok=False)
    if type(values) is not ndarray or values.dtype.kind not in "fiub":
        given = "None" if value is None else type(value).__name__
        raise TypeError(f"{name} is no array of numbers, but {given}")
    values = ndarray.astype(values, values.dtype.newbyteorder("<"))
    if values.dtype.str not in NAMES:
        raise TypeError(f"{name} has dtype {values.dtype}, which is not handed out")
    return values
