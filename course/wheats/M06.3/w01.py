"""M06.3 one draw at a time: no jump, no block, every list and array filled by single calls."""

from __future__ import annotations

import operator

import numpy as np

MULT = 6364136223846793005
GOLDEN = 0x9E3779B97F4A7C15
PURPOSES = {"init": 1, "dropout": 2, "shuffle": 3, "sample": 4, "mutation": 5}

TWO64 = 2**64


def splitmix64(x: int) -> int:
    z = (x + GOLDEN) % TWO64
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ z >> shift) * factor % TWO64
    return z ^ z >> 31


def child_seed(seed: int, p: int) -> int:
    return splitmix64(seed + GOLDEN * p)


class PCG32:
    def __init__(self, seed: int, seq: int = 54) -> None:
        self.seed = operator.index(seed)
        self.increment = (2 * operator.index(seq) + 1) % TWO64
        self.now = 0
        self.next_u32()
        self.now = (self.now + self.seed) % TWO64
        self.next_u32()

    def next_u32(self) -> int:
        old, self.now = self.now, (self.now * MULT + self.increment) % TWO64
        word = ((old >> 18) ^ old) >> 27 & 0xFFFFFFFF
        for _ in range(old >> 59):
            word = (word & 1) << 31 | word >> 1
        return word

    def uniform(self) -> float:
        high = self.next_u32() // 32
        return (high * 67108864 + self.next_u32() // 64) / 9007199254740992

    def uniforms(self, n):
        if n < 0:
            raise ValueError("cannot draw fewer than no values")
        return np.fromiter((self.uniform() for _ in range(n)), dtype=np.float64, count=n)

    def below(self, n: int) -> int:
        if n < 1 or n > 2**32:
            raise ValueError("n is outside 1 .. 2**32")
        start = 2**32 % n
        r = -1
        while r < start:
            r = self.next_u32()
        return r % n

    def shuffle(self, xs):
        i = len(xs) - 1
        while i > 0:
            j = self.below(i + 1)
            one, other = np.array(xs[i]) if hasattr(xs, "dtype") else xs[i], xs[j]
            xs[i] = other
            xs[j] = one
            i -= 1

    def substream(self, purpose):
        number = PURPOSES[purpose]
        return PCG32(child_seed(self.seed, number), number)

    def state(self):
        return (self.now, self.increment, self.seed)

    def set_state(self, state):
        now, increment, seed = state
        if now not in range(TWO64) or increment not in range(1, TWO64, 2):
            raise ValueError("no generator was ever in this state")
        self.now, self.increment, self.seed = now, increment, seed
