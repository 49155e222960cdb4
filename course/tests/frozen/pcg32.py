"""PCG32 as the course tests see it: plain integers, one draw at a time, slow and easy to check by eye.

The student's generator may be fast; this one must be right. It follows the minimal C library of M. E. O'Neill,
"PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number Generation" (2014),
pcg32_srandom_r and pcg32_random_r, and the purposes follow SplitMix64 of Steele, Lea and Flood (2014).
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MULT = 6364136223846793005
GOLDEN = 0x9E3779B97F4A7C15
MASK32 = 2**32 - 1
MASK64 = 2**64 - 1
PURPOSES = {"init": 1, "dropout": 2, "shuffle": 3, "sample": 4, "mutation": 5}


def splitmix64(x: int) -> int:
    """The output of SplitMix64 from state x, the step by GOLDEN included: splitmix64(0) = 0xE220A8397B1DCDAF."""
    z = (x + GOLDEN) & MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


class PCG32:
    """PCG-XSH-RR 64/32: 64 bits of state, 32 bits a draw, 2**63 streams chosen by `seq`."""

    def __init__(self, seed: int, seq: int = 54) -> None:
        self.seed = seed
        self._state = 0
        self._inc = ((seq << 1) | 1) & MASK64
        self.next_u32()
        self._state = (self._state + seed) & MASK64
        self.next_u32()

    def next_u32(self) -> int:
        """The next 32-bit draw: the old state's high bits, xor-shifted, rotated by its top five bits."""
        old = self._state
        self._state = (old * MULT + self._inc) & MASK64
        xorshifted = (((old >> 18) ^ old) >> 27) & MASK32
        rotation = old >> 59
        return ((xorshifted >> rotation) | (xorshifted << (-rotation & 31))) & MASK32

    def uniform(self) -> float:
        """A float64 in [0, 1) with 53 random bits: 27 from the first of two draws, 26 from the second."""
        a, b = self.next_u32(), self.next_u32()
        return ((a >> 5) * 2**26 + (b >> 6)) / 2**53

    def uniforms(self, n: int) -> NDArray[np.float64]:
        """The next n values of uniform(), in order, as float64 [n]."""
        return np.array([self.uniform() for _ in range(n)], dtype=np.float64)

    def below(self, n: int) -> int:
        """An unbiased integer in [0, n): the first (2**32 mod n) draws of the range are thrown away."""
        if not 1 <= n <= 2**32:
            raise ValueError(f"below(n) needs 1 <= n <= 2**32, got {n}")
        threshold = 2**32 % n
        while True:
            r = self.next_u32()
            if r >= threshold:
                return r % n

    def shuffle(self, xs: MutableSequence[Any] | NDArray[Any]) -> None:
        """Fisher-Yates from the end, in place: the last item changes places with item below(len), and so on."""
        for i in range(len(xs) - 1, 0, -1):
            j = self.below(i + 1)
            xs[i], xs[j] = xs[j], xs[i]

    def substream(self, purpose: str) -> PCG32:
        """An independent generator for one purpose; KeyError for a purpose that is not in PURPOSES."""
        p = PURPOSES[purpose]
        return PCG32(splitmix64(self.seed + p * GOLDEN), seq=p)

    def state(self) -> tuple[int, int]:
        """Where this generator stands: (state, increment), all that set_state needs."""
        return self._state, self._inc

    def set_state(self, state: tuple[int, int]) -> None:
        """Go on from where state() was taken."""
        self._state, self._inc = state
