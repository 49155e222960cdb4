"""The safetensors file format: named tensors that can be read without running code.

A file is 8 bytes, the length N of the header as a little-endian integer; N bytes of JSON, which begin with {,
map each name to {"dtype", "shape", "data_offsets": [begin, end]} and, optionally, "__metadata__" to strings by
strings, and are padded with spaces; then the tensors' bytes, little-endian, in C order, end to end without holes.
dtypes: F64 F32 F16, I64 I32 I16 I8, U64 U32 U16 U8, BOOL; BF16 is read only, as numpy has no such dtype.
Source: the format description of the safetensors package (Hugging Face).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike, NDArray

def save_safetensors(
    path: str | os.PathLike[str], tensors: Mapping[str, ArrayLike], metadata: Mapping[str, str] | None = None
) -> None:
    """Write the tensors to a file that the safetensors package can read; equal tensors give equal bytes.

    The widest dtype comes first, then by name; the metadata before all, in the order given; the header is
    padded to a multiple of 8 bytes, so that every tensor is aligned. The file is written beside `path` and
    then takes its place, whole: a save that fails leaves the old file, or none.
    Raises ValueError: a dtype that is not in the list, the name "__metadata__", a name or metadata that are
    not strings.
    """
    ...

def load_safetensors(path: str | os.PathLike[str]) -> dict[str, NDArray[Any]]:
    """All tensors of a file, by name, in the order of its header: writable arrays that are the caller's own.

    Each has the file's dtype and shape, but BF16 comes as float32, which holds every such value exactly.
    Raises ValueError: as read_header does. OSError: a file that cannot be opened.
    """
    ...

def read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The header of a file, checked, without reading its tensors: {name: {"dtype", "shape", "data_offsets"}}.

    "__metadata__" is there when the file has it; data_offsets count from the end of the header.
    Raises ValueError: a header that is cut short, longer than the file or than 100,000,000 bytes, not JSON in
    UTF-8 whose first byte is {, nested too deeply, with a key twice, or not of the form above; a dtype that is
    not in the list; offsets that do not fit dtype and shape, that overlap, leave a hole, or do not end with the
    file. Nothing is allocated on the word of a header: memory grows with the size of the file, whatever it claims.
    """
    ...
