"""Probes of L0.3: what each loss gives, and which gradient it sends back, on values that nobody has seen before.

Every input is drawn from the seed by the frozen PCG32. A probe judges nothing: it gives arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32
from tinyllm.autograd.losses import bce_with_logits, cross_entropy, mse
from tinyllm.autograd.tensor import Tensor

Arrays = dict[str, ArrayLike]

REDUCTIONS = ("mean", "sum", "none")
V = 5


def drawn(rng: PCG32, *shape: int) -> NDArray[np.float32]:
    """Values in (-3, 3)."""
    return np.asarray(6 * rng.uniforms(math.prod(shape)).reshape(shape) - 3, dtype=np.float32)


def targets_of(rng: PCG32, *shape: int) -> NDArray[np.int64]:
    """Classes, none of them 0, so that it is free to be ignored."""
    return np.array([1 + rng.below(V - 1) for _ in range(math.prod(shape))], dtype=np.int64).reshape(shape)


def both_ways(
    rng: PCG32, name: str, loss: Callable[..., Any], *values: NDArray[np.float32], times: int = 1
) -> Arrays:
    """The loss, and the gradient at each input after so many passes, for an upstream gradient drawn here."""
    inputs = [Tensor(each, requires_grad=True) for each in values]
    out = loss(*inputs)
    found: Arrays = {name: np.array(out.data)}
    upstream = drawn(rng, *out.shape)
    for _ in range(times):
        out.backward(upstream)
    return found | {f"d {name} {i}": x.grad for i, x in enumerate(inputs)}


def probe_cross_entropy(seed: int) -> Arrays:
    """Every reduction, plain and smoothed, of a batch of sequences and of one row alone."""
    rng, found = PCG32(seed), {}
    for reduction in REDUCTIONS:
        for smoothing in (0.0, 0.05 + 0.4 * rng.uniform()):
            targets = targets_of(rng, 3, 2)

            def loss(z: Tensor, t: Any = targets, s: float = smoothing, r: str = reduction) -> Tensor:
                return cross_entropy(z, t, label_smoothing=s, reduction=r)

            name = f"{reduction} smoothed" if smoothing else reduction
            found |= both_ways(rng, name, loss, drawn(rng, 3, 2, V))
    one = int(targets_of(rng, 1)[0])
    return found | both_ways(rng, "one row", lambda z: cross_entropy(z, one), drawn(rng, V))


def probe_ignored(seed: int) -> Arrays:
    """Rows ignored by -100 and by a class of its own, some of them or all."""
    rng, found = PCG32(seed), {}
    for ignored in (-100, 0):
        for reduction in REDUCTIONS:
            targets = targets_of(rng, 6)
            targets[[1, 4]] = ignored

            def loss(z: Tensor, t: Any = targets, i: int = ignored, r: str = reduction) -> Tensor:
                return cross_entropy(z, t, ignore_index=i, label_smoothing=0.1, reduction=r)

            found |= both_ways(rng, f"{reduction} {ignored}", loss, drawn(rng, 6, V))
    nothing = np.full(4, -100)
    return found | both_ways(rng, "all", lambda z: cross_entropy(z, nothing), drawn(rng, 4, V))


def probe_great_logits(seed: int) -> Arrays:
    """Costs in the hundreds, of both kinds of cross-entropy."""
    rng = PCG32(seed)
    targets, answers = targets_of(rng, 6), np.array([rng.below(2) for _ in range(6)], dtype=np.float32)
    far = np.float32(400) * drawn(rng, 6, V)
    found = both_ways(rng, "classes", lambda z: cross_entropy(z, targets, reduction="sum"), far)
    sides = np.where(drawn(rng, 6) < 0, -300, 300).astype(np.float32) + drawn(rng, 6)
    return found | both_ways(rng, "answers", lambda z: bce_with_logits(z, answers, "sum"), sides)


def probe_values(seed: int) -> Arrays:
    """mse and bce_with_logits of a matrix, whose targets get their gradient too."""
    rng, found = PCG32(seed), {}
    for name, loss in (("mse", mse), ("bce", bce_with_logits)):
        for reduction in REDUCTIONS:
            shares = rng.uniforms(12).reshape(4, 3).astype(np.float32)

            def reduced(z: Tensor, t: Tensor, loss: Any = loss, r: str = reduction) -> Tensor:
                return loss(z, t, r)

            found |= both_ways(rng, f"{name} {reduction}", reduced, drawn(rng, 4, 3), shares)
    return found


def probe_twice(seed: int) -> Arrays:
    """Gradients after two passes, and the logits after all of it."""
    rng = PCG32(seed)
    targets = targets_of(rng, 4)
    found = both_ways(rng, "two passes", lambda z: cross_entropy(z, targets), drawn(rng, 4, V), times=2)
    z = Tensor(drawn(rng, 4, V), requires_grad=True)
    cross_entropy(z, targets).backward()
    return found | {"logits after": z.data}


def probe_refusals(seed: int) -> Arrays:
    """What came of calls that must fail."""
    rng = PCG32(seed)
    z, two = Tensor(drawn(rng, 2, V)), Tensor(drawn(rng, 2, 1))
    calls: dict[str, Callable[[], Tensor]] = {
        "a target of -1": lambda: cross_entropy(z, [1, -1]),
        "a target too large": lambda: cross_entropy(z, [1, V]),
        "a target that is no integer": lambda: cross_entropy(z, [1.0, 0.9]),
        "targets of another shape": lambda: cross_entropy(z, [1]),
        "an unknown reduction": lambda: cross_entropy(z, [1, 2], reduction="average"),
        "two shapes in mse": lambda: mse(two, [1.0, 2.0]),
        "two shapes in bce": lambda: bce_with_logits(two, [1.0, 0.0]),
    }
    return {name: came_of(call) for name, call in calls.items()}


def came_of(call: Callable[[], Tensor]) -> NDArray[np.uint8]:
    try:
        call()
    except ValueError:
        return np.frombuffer(b"ValueError", np.uint8)
    return np.frombuffer(b"no error", np.uint8)
