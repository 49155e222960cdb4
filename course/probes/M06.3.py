"""Probes of M06.3: what a generator gives for seeds that nobody has seen before. Every value is promised to the bit.

A probe judges nothing: it gives arrays, for a comparison elsewhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from frozen import PCG32 as SlowPCG32
from tinyllm.num.rng import MULT, PCG32, PURPOSES, child_seed, splitmix64

Arrays = dict[str, ArrayLike]


def drawn_pair(rng: SlowPCG32) -> tuple[int, int]:
    """A seed of 64 bits and a stream of 63."""
    return rng.next_u32() << 32 | rng.next_u32(), rng.next_u32() << 31 | rng.next_u32() >> 1


def probe_draws(seed: int) -> Arrays:
    """Single draws of three seeds and streams, a negative seed among them."""
    found: Arrays = {}
    rng = SlowPCG32(seed)
    for name in ("first", "second"):
        key, seq = drawn_pair(rng)
        ours, below_zero = PCG32(key, seq), PCG32(-key, seq)
        found[name] = np.array([ours.next_u32() for _ in range(50)], dtype=np.uint64)
        found[f"{name} negative"] = np.array([below_zero.next_u32() for _ in range(5)], dtype=np.uint64)
    default = PCG32(seed)
    found["default stream"] = np.array([default.next_u32() for _ in range(20)], dtype=np.uint64)
    return found


def probe_uniforms(seed: int) -> Arrays:
    """Blocks of several sizes between single values, all of one generator."""
    rng = SlowPCG32(seed)
    found: Arrays = {}
    ours = PCG32(*drawn_pair(rng))
    for size in (0, 1, 5, 40 + rng.below(60), 4500):
        found[f"block of {size}"] = ours.uniforms(size)
        found[f"after {size}"] = np.array([ours.uniform() for _ in range(6)], dtype=np.float64)
    return found


def probe_below(seed: int) -> Arrays:
    """Integers below bounds that refuse no draw, a few, and nearly half of them."""
    rng = SlowPCG32(seed)
    found: Arrays = {}
    ours = PCG32(*drawn_pair(rng))
    for bound in (1, 2, 6, 1 + rng.below(10**6), 3 << 30, 2**31 + 1, 2**32):
        found[str(bound)] = np.array([ours.below(bound) for _ in range(30)], dtype=np.int64)
    return found


def probe_shuffles(seed: int) -> Arrays:
    """Lists, flat arrays, rows and a view; and one whose draw number k is 0, which has to be drawn again."""
    rng = SlowPCG32(seed)
    ours, items = PCG32(*drawn_pair(rng)), list(range(150))
    flat, rows, every = np.arange(150), np.arange(90).reshape(30, 3), np.zeros(40, dtype=np.int64)
    every[::2] = np.arange(20)
    for xs in (items, flat, rows, every[::2]):
        ours.shuffle(xs)
    found: Arrays = {"list": np.array(items, dtype=np.int64), "flat": flat, "rows": rows, "view": every}
    refused = before_a_zero(ours, rng.below(90))
    again = list(range(100))
    refused.shuffle(again)
    found["drawn again"] = np.array([*again, refused.next_u32()], dtype=np.int64)
    return found


def before_a_zero(ours: PCG32, steps: int) -> PCG32:
    """A generator whose draw number `steps` is 0: that of state 0, which is reached by stepping backwards."""
    state, (_, inc, key) = 0, ours.state()
    for _ in range(steps):
        state = (state - inc) * pow(MULT, -1, 2**64) % 2**64
    ours.set_state((state, inc, key))
    return ours


def probe_streams(seed: int) -> Arrays:
    """SplitMix64, children, and the substreams of a generator that has drawn before."""
    rng = SlowPCG32(seed)
    key, seq = drawn_pair(rng)
    ours = PCG32(key, seq)
    ours.uniforms(rng.below(9))
    values: dict[str, Any] = {purpose: ours.substream(purpose) for purpose in PURPOSES}
    found: Arrays = {
        name: np.array([each.next_u32() for _ in range(6)], dtype=np.uint64) for name, each in values.items()
    }
    mixed = [splitmix64(x) for x in (0, key, -key, key << 7)]
    return found | {
        "splitmix64": np.array(mixed, dtype=np.uint64),
        "children": np.array([child_seed(key, p) for p in range(8)], dtype=np.uint64),
    }


def probe_resuming(seed: int) -> Arrays:
    """A state, and what another generator draws from it, its substreams included."""
    rng = SlowPCG32(seed)
    ours, other = PCG32(*drawn_pair(rng)), PCG32(rng.next_u32())
    ours.uniforms(rng.below(50))
    other.set_state(list(ours.state()))
    draws = [other.next_u32() for _ in range(8)]
    return {
        "state": np.array(ours.state(), dtype=np.uint64),
        "draws": np.array(draws, dtype=np.uint64),
        "a substream": np.array([other.substream("shuffle").next_u32()], dtype=np.uint64),
    }
