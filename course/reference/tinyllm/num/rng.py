"""PCG32, the course's one source of random numbers, and the seeds of its substreams.

A draw is one step of a 64-bit linear congruential generator and a 32-bit output made from the old state.
Blocks of draws use the jump-ahead of that generator, s_k = MULT^k s + inc (1 + MULT + … + MULT^(k-1)), in
numpy's wrapping uint64, and give exactly the draws that single calls would give.
Source: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms" (2014).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MULT: int = 6364136223846793005
GOLDEN: int = 0x9E3779B97F4A7C15
PURPOSES: dict[str, int] = {"init": 1, "dropout": 2, "shuffle": 3, "sample": 4, "mutation": 5}

_MASK32 = 2**32 - 1
_MASK64 = 2**64 - 1
_BLOCK = 4096  # draws a block: its arrays stay in the first- and second-level caches


def splitmix64(x: int) -> int:
    """SplitMix64's output from state x, an integer in [0, 2^64), the step by GOLDEN included."""
    z = (operator.index(x) + GOLDEN) & _MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK64
    return z ^ (z >> 31)


def child_seed(seed: int, p: int) -> int:
    """The seed of child number p: splitmix64(seed + p GOLDEN)."""
    return splitmix64(operator.index(seed) + operator.index(p) * GOLDEN)


def _jump_tables() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """power and series: k <= _BLOCK steps take a state s to power[k] s + series[k] inc, modulo 2^64."""
    factors = np.full(_BLOCK + 1, MULT, dtype=np.uint64)
    factors[0] = 1
    power = np.cumprod(factors)  # uint64 wraps, which is what modulo 2^64 means
    return power, np.concatenate([[np.uint64(0)], np.cumsum(power[:-1])])


_POWER, _SERIES = _jump_tables()


class PCG32:
    """PCG-XSH-RR 64/32, seeded as pcg32_srandom_r: 64 bits of state, 32 bits a draw."""

    def __init__(self, seed: int, seq: int = 54) -> None:
        self._seed = operator.index(seed)
        self._inc = (operator.index(seq) << 1 | 1) & _MASK64
        self._state = (self._inc + self._seed) & _MASK64  # one step from state 0, then the seed added
        self._advance(1)

    def next_u32(self) -> int:
        """One draw, an integer in [0, 2^32)."""
        old = self._state
        self._state = (old * MULT + self._inc) & _MASK64
        x = (old >> 18 ^ old) >> 27 & _MASK32
        return (x << 32 | x) >> (old >> 59) & _MASK32  # x beside itself, shifted: x rotated right

    def uniform(self) -> float:
        """A float64 in [0, 1) with 53 random bits, from two draws."""
        a, b = self.next_u32(), self.next_u32()
        return ((a >> 5) * 2**26 + (b >> 6)) * 2.0**-53

    def uniforms(self, n: int) -> NDArray[np.float64]:
        """float64 [n]: what n calls of uniform() would give."""
        draws = self._draws(2 * n)
        high, low = (draws[0::2] >> np.uint64(5)), (draws[1::2] >> np.uint64(6))
        return (high << np.uint64(26) | low) * 2.0**-53

    def below(self, n: int) -> int:
        """An integer in [0, n), without bias: draws below 2^32 mod n are thrown away."""
        n = operator.index(n)
        if not 1 <= n <= 2**32:
            raise ValueError(f"below needs 1 <= n <= 2**32, got {n}")
        threshold = (2**32 - n) % n
        while (r := self.next_u32()) < threshold:
            pass
        return r % n

    def shuffle(self, xs: Any) -> None:
        """Fisher–Yates in place, from the end: position i changes places with below(i + 1)."""
        n = len(xs)
        picks = self._belows(np.arange(n, 1, -1, dtype=np.uint64))
        order = list(range(n)) if isinstance(xs, np.ndarray) else xs
        for i, j in zip(range(n - 1, 0, -1), picks.tolist(), strict=True):
            order[i], order[j] = order[j], order[i]
        if order is not xs:
            xs[:] = xs[order]

    def substream(self, purpose: str) -> PCG32:
        """The generator of one purpose, a function of the seed alone."""
        p = PURPOSES[purpose]
        return PCG32(child_seed(self._seed, p), seq=p)

    def state(self) -> tuple[int, int, int]:
        """(state, increment, seed), all that set_state needs."""
        return self._state, self._inc, self._seed

    def set_state(self, state: Sequence[int]) -> None:
        """Go on from where `state` was taken."""
        value, inc, seed = (operator.index(x) for x in state)
        if not (0 <= value <= _MASK64 and 0 <= inc <= _MASK64 and inc % 2 == 1):
            raise ValueError(f"set_state needs what state() returned, got {state}")
        self._state, self._inc, self._seed = value, inc, seed

    def _advance(self, steps: int) -> None:
        """Take at most _BLOCK steps at once."""
        self._state = (self._state * int(_POWER[steps]) + self._inc * int(_SERIES[steps])) & _MASK64

    def _draws(self, n: int) -> NDArray[np.uint64]:
        """uint64 [n]: what n calls of next_u32() would give."""
        if n < 0:
            raise ValueError(f"the number of draws must be at least 0, got {n}")
        draws = np.empty(n, dtype=np.uint64)
        for start in range(0, n, _BLOCK):
            part = draws[start : start + _BLOCK]
            part[:] = self._block(len(part))
        return draws

    def _block(self, n: int) -> NDArray[np.uint64]:
        """The next n <= _BLOCK draws, all at once."""
        old = _POWER[:n] * np.uint64(self._state) + _SERIES[:n] * np.uint64(self._inc)
        self._advance(n)
        x = (old >> np.uint64(18) ^ old) >> np.uint64(27) & np.uint64(_MASK32)
        draws: NDArray[np.uint64] = (x << np.uint64(32) | x) >> (old >> np.uint64(59)) & np.uint64(_MASK32)
        return draws

    def _belows(self, bounds: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """uint64 [n]: what below(b) would give for each b of `bounds`, in order."""
        picks = np.empty_like(bounds)
        done = 0
        while done < len(bounds):
            bound = bounds[done : done + _BLOCK]
            before = self._state
            draws = self._block(len(bound))
            rejected = np.flatnonzero(draws < (np.uint64(2**32) - bound) % bound)
            taken = len(bound)
            if rejected.size:  # stop at the first: its bound must be tried again on the draw after it
                taken = int(rejected[0])
                self._state = before
                self._advance(taken + 1)
            picks[done : done + taken] = draws[:taken] % bound[:taken]
            done += taken
        return picks
