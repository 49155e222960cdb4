"""The frozen kit: what course tests measure with. Nothing in it is a student's, and it imports no tinyllm.

`assert_close` and `assert_equal` compare arrays, and say which mistake gives a wrong one where the test knows it;
`as_array` gives them a dtype, and `returned` a value to use on: both tell of None, which numpy makes NaN;
`central_differences` gives gradients to compare with, `PCG32` and `draw` make the random choices, and `golden`,
`bar`, `corpus` and `read_tensors` read files: the course's lie below the folder that OL_COURSE_ROOT names.
"""

from __future__ import annotations

from frozen.bar import Bar, bar
from frozen.close import assert_close, assert_equal
from frozen.corpus import corpus
from frozen.draw import draw
from frozen.golden import Golden, golden
from frozen.gradient import central_differences
from frozen.known_wrong import KnownMistake
from frozen.pcg32 import PCG32
from frozen.returned import as_array, returned
from frozen.tensors import read_tensors

__all__ = [
    "PCG32",
    "Bar",
    "Golden",
    "KnownMistake",
    "as_array",
    "assert_close",
    "assert_equal",
    "bar",
    "central_differences",
    "corpus",
    "draw",
    "golden",
    "read_tensors",
    "returned",
]
