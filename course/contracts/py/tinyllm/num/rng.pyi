"""PCG32, the course's one source of random numbers, and the seeds of its substreams.

Every random choice of a run comes from one generator per purpose, so that a seed repeats the run bit for bit.
Sources: O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
Number Generation" (2014), the generator PCG-XSH-RR 64/32; Steele, Lea and Flood, "Fast Splittable
Pseudorandom Number Generators" (OOPSLA 2014), SplitMix64.

A function that draws takes `rng`: any object with next_u32, uniform, uniforms, below and shuffle, which
behave as PCG32's do. Nothing else of PCG32 may be relied on there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MULT: int = 6364136223846793005
GOLDEN: int = 0x9E3779B97F4A7C15
PURPOSES: dict[str, int] = {"init": 1, "dropout": 2, "shuffle": 3, "sample": 4, "mutation": 5}

def splitmix64(x: int) -> int:
    """The output of SplitMix64 from state x, its step by GOLDEN included: splitmix64(0) = 0xE220A8397B1DCDAF.

    x is any integer, taken modulo 2^64; the result lies in [0, 2^64). With all arithmetic modulo 2^64:
    z = x + GOLDEN; z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9; z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    the output is z ^ (z >> 31).
    """
    ...

def child_seed(seed: int, p: int) -> int:
    """The seed of child number p, splitmix64(seed + p * GOLDEN), an integer in [0, 2^64)."""
    ...

class PCG32:
    """PCG-XSH-RR 64/32: a 64-bit state, 32 bits a draw, 2^63 streams.

    One draw, with the state s and the odd increment inc, modulo 2^64: the output is made from s as it was,
    the low 32 bits of ((s >> 18) ^ s) >> 27 rotated right by s >> 59; then s becomes MULT * s + inc.
    """

    def __init__(self, seed: int, seq: int = 54) -> None:
        """Seeded as pcg32_srandom_r: inc = 2 seq + 1, s = 0, one step, s + seed, one step, all modulo 2^64.

        From seed 42 on stream 54 the first draws are 0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293.
        Raises TypeError: a seed or a seq that is not an integer.
        """
        ...

    def next_u32(self) -> int:
        """One draw: an integer in [0, 2^32)."""
        ...

    def uniform(self) -> float:
        """A float64 in [0, 1) with 53 random bits: ((a >> 5) * 2^26 + (b >> 6)) * 2^-53 of draws a, b."""
        ...

    def uniforms(self, n: int) -> NDArray[np.float64]:
        """float64 [n]: exactly what n calls of uniform() would give, in order.

        The state afterwards is the same too. Raises ValueError: n < 0.
        """
        ...

    def below(self, n: int) -> int:
        """An integer in [0, n), each one exactly as likely as another.

        With t = (2^32 - n) mod n: draw until r >= t, then r mod n. Raises ValueError: unless 1 <= n <= 2^32.
        """
        ...

    def shuffle(self, xs: Any) -> None:
        """Permute xs in place: for i from len(xs) - 1 down to 1, xs[i] changes places with xs[below(i + 1)].

        xs: a list, or an array [n] or [n, ...], whose rows are moved. The draws are those of the calls to
        below, exactly; fewer than two items draw nothing.
        Source: Durstenfeld's form of Fisher–Yates (1964).
        """
        ...

    def substream(self, purpose: str) -> PCG32:
        """A new generator for one purpose: PCG32(child_seed(seed, p), seq=p) with p = PURPOSES[purpose].

        It depends on the seed alone, not on what has been drawn. Raises KeyError: a purpose not in PURPOSES.
        """
        ...

    def state(self) -> tuple[int, int, int]:
        """(state, increment, seed), all that set_state needs to go on: integers that JSON can hold."""
        ...

    def set_state(self, state: Sequence[int]) -> None:
        """Go on from where `state` was taken, on this or another generator: same draws, same substreams.

        Raises ValueError: a sequence that state() cannot have returned.
        """
        ...
