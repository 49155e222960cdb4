"""Probes of M10.4: norms and clipped gradients, for gradients and bounds that are drawn from the seed."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32, returned
from tinyllm.optim.clip import clip_grad_norm_

Arrays = dict[str, ArrayLike]
Array = NDArray[Any]

SHAPES: list[tuple[int, ...]] = [(3, 4), (5,), (), (2, 1, 2)]
BOUNDS = (0.1, 0.9, 1.1, 30.0)  # times the norm that gradients of the course's sizes have on average


class Weight:
    """A parameter of nothing but data and grad."""

    def __init__(self, grad: Array | None) -> None:
        self.data: Array = np.zeros(() if grad is None else grad.shape, dtype=np.float32)
        self.grad = grad


def drawn(rng: PCG32, shape: tuple[int, ...], scale: float = 1.0) -> Weight:
    """A parameter whose gradient has values in (-scale, scale)."""
    values = scale * (2 * rng.uniforms(int(np.prod(shape))) - 1)
    return Weight(np.array(values.reshape(shape), dtype=np.float32))


def clipped(params: Any, bound: float) -> np.float64:
    return np.float64(returned(clip_grad_norm_(params, bound), "the norm"))


def gradients(params: list[Weight], before: str) -> Arrays:
    """Every gradient; an empty array stands for None."""
    return {f"{before} {i}": np.zeros(0) if p.grad is None else p.grad for i, p in enumerate(params)}


def probe_clip(seed: int) -> Arrays:
    """Bounds below and above the norm, all gradients there or some missing."""
    rng = PCG32(seed)
    found: Arrays = {}
    for share in BOUNDS:
        for missing in (False, True):
            params = [drawn(rng, shape) for shape in SHAPES]
            params += [Weight(None)] if missing else []
            kind = f"{share}{' some missing' if missing else ''}:"
            found[f"{kind} norm"] = clipped(params, share * 2.7)
            found |= gradients(params, kind)
    return found


def probe_sizes(seed: int) -> Arrays:
    """Gradients whose squares float32 cannot hold, relative to their size."""
    rng = PCG32(seed)
    found: Arrays = {}
    for power in (-35, -25, 20, 35):
        scale = 10.0**power
        params = [drawn(rng, shape, scale) for shape in SHAPES]
        found[f"{power}: norm"] = clipped(params, scale) / scale
        for i, p in enumerate(params):
            assert p.grad is not None
            found[f"{power}: {i}"] = p.grad.astype(np.float64) / scale
    return found


def probe_arrays(seed: int) -> Arrays:
    """Gradients that are views, the arrays behind them, and parameters that come from an iterator."""
    rng = PCG32(seed)
    behind = [drawn(rng, (4, 6)).grad for _ in range(3)]
    params = [Weight(array[::2, 1:5]) for array in behind if array is not None]
    norm = clipped(iter(params), 0.5)
    return {"norm": norm, **{f"behind {i}": array for i, array in enumerate(behind) if array is not None}}


def probe_refused(seed: int) -> Arrays:
    """What is left of finite gradients after a call that raises: a bound of 0, NaN or less, a norm of infinity."""
    rng = PCG32(seed)
    found: Arrays = {}
    for kind, bound in (("zero", 0.0), ("negative", -1.0), ("infinite", 1.0)):
        params = [drawn(rng, shape) for shape in SHAPES]
        spoilt = [Weight(np.array([np.inf], dtype=np.float32))] if kind == "infinite" else []
        with contextlib.suppress(ValueError, FloatingPointError), np.errstate(invalid="ignore"):
            clip_grad_norm_(params + spoilt, bound)
        found |= gradients(params, f"{kind}:")
    return found
