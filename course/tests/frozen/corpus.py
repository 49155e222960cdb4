"""The course's corpora as ids: one byte, one token."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from frozen.root import course_root


def corpus(name: str, part: str) -> NDArray[np.uint8]:
    """The bytes of one part of a corpus, uint8 [length]: the part is "train" or "val"."""
    return np.fromfile(course_root() / "course" / "corpora" / name / f"{part}.txt", dtype=np.uint8)
