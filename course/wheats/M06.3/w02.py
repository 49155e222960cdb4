"""M06.3 as a stream of words made ahead: a block is doubled into being, and every draw is taken from the front.

The state handed out is that of the next draw not yet taken, so nothing of the words made ahead shows.
"""

from __future__ import annotations

from operator import index

import numpy as np

MULT = 6364136223846793005
GOLDEN = 0x9E3779B97F4A7C15
PURPOSES = {"init": 1, "dropout": 2, "shuffle": 3, "sample": 4, "mutation": 5}

_LOW = (1 << 64) - 1
_U = np.uint64


def splitmix64(x: int) -> int:
    a = (x + GOLDEN) & _LOW
    b = (a ^ a >> 30) * 13787848793156543929 & _LOW
    c = (b ^ b >> 27) * 10723151780598845931 & _LOW
    return c ^ c >> 31


def child_seed(seed: int, p: int) -> int:
    return splitmix64((seed + p * GOLDEN) & _LOW)


class PCG32:
    def __init__(self, seed: int, seq: int = 54) -> None:
        self._birth = index(seed)
        inc = index(seq) * 2 + 1 & _LOW
        self._restart(((inc + self._birth) * MULT + inc) & _LOW, inc)

    def _restart(self, state: int, inc: int) -> None:
        self._inc, self._states, self._at = inc, np.array([state], dtype=np.uint64), 0

    def _ahead(self, n: int) -> None:
        """Have at least n + 1 states at hand, from the next draw's on: jumping 2^k doubles them each time."""
        self._states, self._at = self._states[self._at :], 0
        while len(self._states) <= n:
            jump, plus = 1, 0
            for bit in bin(len(self._states))[2:]:
                jump, plus = jump * jump & _LOW, plus * (jump + 1) & _LOW
                if bit == "1":
                    jump, plus = jump * MULT & _LOW, plus * MULT + 1 & _LOW
            further = self._states * _U(jump) + _U(plus * self._inc & _LOW)
            self._states = np.concatenate([self._states, further])

    def _take(self, n: int) -> np.ndarray:
        if self._at + n >= len(self._states):
            self._ahead(max(n, 15))
        s = self._states[self._at : self._at + n]
        self._at += n
        word, turn = ((s >> _U(18)) ^ s) >> _U(27) & _U(2**32 - 1), s >> _U(59)
        return (word >> turn | word << ((_U(32) - turn) & _U(31))) & _U(2**32 - 1)

    def next_u32(self) -> int:
        return int(self._take(1)[0])

    def uniform(self) -> float:
        return float(self.uniforms(1)[0])

    def uniforms(self, n):
        if n < 0:
            raise ValueError("n is negative")
        a, b = self._take(2 * n).reshape(n, 2).T
        return (a >> _U(5)) * 2.0**-27 + (b >> _U(6)) * 2.0**-53

    def below(self, n: int) -> int:
        if n <= 0 or n > 1 << 32:
            raise ValueError(f"no integer below {n} can be drawn")
        least = (1 << 32) - (1 << 32) // n * n
        for r in iter(self.next_u32, None):
            if r >= least:
                return r % n
        raise AssertionError("draws never end")

    def shuffle(self, xs):
        order = list(range(len(xs)))
        for i in reversed(range(1, len(order))):
            j = self.below(i + 1)
            kept = order[j]
            order[j] = order[i]
            order[i] = kept
        xs[:] = xs[np.array(order, dtype=np.intp)] if isinstance(xs, np.ndarray) else [xs[k] for k in order]

    def substream(self, purpose):
        return PCG32(child_seed(self._birth, PURPOSES[purpose]), PURPOSES[purpose])

    def state(self):
        return int(self._states[self._at]), self._inc, self._birth

    def set_state(self, state):
        if len(state) != 3:
            raise ValueError("a state is three numbers")
        s, inc, birth = (index(each) for each in state)
        if s >> 64 or inc >> 64 or not inc & 1:
            raise ValueError("this is no state")
        self._birth = birth
        self._restart(s, inc)
