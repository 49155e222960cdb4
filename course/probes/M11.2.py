"""Probes of M11.2: the figures of costs that nobody has seen before.

A probe judges nothing: it gives arrays, for a comparison elsewhere. Sums are promised to one rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32, returned
from tinyllm.info.ppl import NLLAccumulator, perplexity

Arrays = dict[str, ArrayLike]
FIGURES = ("nll_sum", "nll_mean", "ppl", "bits_per_token", "bpb")


def drawn_costs(rng: PCG32, n: int, most: float = 4.0) -> NDArray[np.float64]:
    return most * rng.uniforms(n)


def drawn_mask(rng: PCG32, n: int) -> NDArray[np.bool_]:
    """True in two places of three, and at the first for certain."""
    return np.array([True, *(rng.below(3) > 0 for _ in range(n - 1))])


def figures(name: str, tally: NLLAccumulator, keys: tuple[str, ...] = FIGURES) -> Arrays:
    result: dict[str, Any] = tally.result()
    found: Arrays = {f"{name} {key}": np.float64(returned(result[key], key)) for key in keys}
    counts = np.array([result["n_tokens"], result["n_bytes"]], dtype=np.int64)
    return found | {f"{name} counts": counts}


def probe_figures(seed: int) -> Arrays:
    """All figures of batches of several shapes, in float64 and float32, with masks and bytes and without."""
    found: Arrays = {}
    rng, tally = PCG32(seed), NLLAccumulator()
    costs = drawn_costs(rng, 12)
    for shape in ((12,), (3, 4), (2, 3, 2)):
        found[f"perplexity {len(shape)}"] = np.float64(
            returned(perplexity(costs.reshape(shape)), "perplexity")
        )
    for n, shape in ((12, (3, 4)), (5, (5,)), (30, (2, 15))):
        mask, batch = drawn_mask(rng, n), drawn_costs(rng, n)
        padded = np.where(mask, batch, np.array([np.nan, -1.0, np.inf])[np.arange(n) % 3])
        tally.add(padded.reshape(shape), mask=mask.reshape(shape), n_bytes=1 + rng.below(90))
    tally.add(drawn_costs(rng, 8).astype(np.float32), n_bytes=rng.below(9))
    return found | figures("padded", tally)


def probe_batches(seed: int) -> Arrays:
    """The same costs in batches of three sizes, and an accumulator that has seen no bytes."""
    found: Arrays = {}
    rng = PCG32(seed)
    costs = drawn_costs(rng, 200)
    for size in (200, 1 + rng.below(30), 1):
        tally = NLLAccumulator()
        for begin in range(0, 200, size):
            tally.add(costs[begin : begin + size])
        found |= figures(f"by {size}" if size > 1 else "one by one", tally, FIGURES[:-1])
        found[f"bpb by {size}"] = np.frombuffer(repr(tally.result()["bpb"]).encode(), dtype=np.uint8)
    return found


def probe_sums(seed: int) -> Arrays:
    """Small batches before and after a great one: sums that a plain addition loses."""
    found: Arrays = {}
    rng = PCG32(seed)
    for name, great in (("first", 0), ("later", 1 + rng.below(200)), ("last", 400)):
        tally, both = NLLAccumulator(), NLLAccumulator()
        for place in range(401):
            batch = [2.0**59] if place == great else drawn_costs(rng, 3, most=9.0)
            (tally if place % 2 else both).add(batch)
        both.merge(tally)
        found |= figures(name, both, ("nll_sum", "nll_mean"))
    tenths = NLLAccumulator()
    tenths.add([0.1] * (10 + rng.below(90)))
    return found | figures("tenths", tenths, ("nll_sum", "nll_mean"))


def probe_merges(seed: int) -> Arrays:
    """Three workers with costs and bytes, merged in a chain; and each as it is afterwards."""
    rng = PCG32(seed)
    workers = [NLLAccumulator() for _ in range(3)]
    for worker in workers:
        for _ in range(1 + rng.below(4)):
            worker.add(drawn_costs(rng, 1 + rng.below(6)), n_bytes=1 + rng.below(20))
    workers[1].merge(workers[2])
    workers[0].merge(workers[1])
    found: Arrays = {}
    for name, worker in zip(("all", "two", "one"), workers, strict=True):
        found |= figures(name, worker)
    return found


def probe_extremes(seed: int) -> Arrays:
    """Impossible tokens in some batch, and a mean too great for an exponential."""
    found: Arrays = {}
    rng = PCG32(seed)
    for name, place in (("first", 0), ("later", 1 + rng.below(3))):
        tally = NLLAccumulator()
        for each in range(5):
            tally.add([*drawn_costs(rng, 2), np.inf] if each == place else drawn_costs(rng, 3), n_bytes=2)
        found |= figures(name, tally)
    return found | {"too great": np.float64(returned(perplexity(800 + drawn_costs(rng, 4)), "perplexity"))}
