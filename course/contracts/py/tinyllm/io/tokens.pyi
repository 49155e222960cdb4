"""Token files (.bin): a corpus as ids, mapped into memory instead of being read.

1,024 bytes of header, 256 little-endian int32: [20240520, version, n, vocab, 0, ...]; then n little-endian
ids, uint16 for version 1, uint32 for version 2. vocab is 0 in files whose writer did not say.
Source: the data files of llm.c (Karpathy 2024), which are version 1.
"""

from __future__ import annotations

import os
from typing import Any

from numpy.typing import ArrayLike, NDArray

def read_tokens_header(path: str | os.PathLike[str]) -> dict[str, int]:
    """{"version", "n", "vocab"} of a token file whose header and length are right; the ids are not read.

    Raises ValueError: no header, another magic number, a version other than 1 and 2, n or vocab below 0, a
    file that is shorter or longer than n ids need. OSError: a file that cannot be opened.
    """
    ...

def open_tokens(path: str | os.PathLike[str]) -> NDArray[Any]:
    """The ids of a token file: uint16 or uint32 [n], mapped and read-only.

    The file stays open as long as the array lives. The ids are not compared with vocab, which would read all.
    Raises ValueError, OSError: as read_tokens_header does.
    """
    ...

def write_tokens(path: str | os.PathLike[str], ids: ArrayLike, vocab: int) -> None:
    """Write ids, integer [n], each in [0, vocab), to a token file.

    An empty row is taken whatever its dtype, since numpy makes float64 of []. The file is of version 1 when
    vocab is at most 65,536, else of version 2. A write cut short leaves a file that open_tokens refuses.
    Raises ValueError: ids that are not one row of integers, an id outside [0, vocab), a vocab outside
    1 .. 2^31 - 1, 2^31 ids or more; nothing is written then.
    """
    ...
