"""Probes of L0.2: what each op gives, and which gradient it sends back, on values that nobody has seen before.

Every input is drawn from the seed by the frozen PCG32. A probe judges nothing: it gives arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32
from tinyllm.autograd import functional as F
from tinyllm.autograd.tensor import Tensor

Arrays = dict[str, ArrayLike]


def drawn(rng: PCG32, *shape: int) -> NDArray[np.float32]:
    """Values in (-3, 3), none of them within 0.01 of 0."""
    values = 6 * rng.uniforms(math.prod(shape)).reshape(shape) - 3
    return np.asarray(values + np.where(values < 0, -0.01, 0.01), dtype=np.float32)


def integers(rng: PCG32, below: int, *shape: int) -> NDArray[np.int64]:
    """Ids in [0, below)."""
    return np.array([rng.below(below) for _ in range(math.prod(shape))], dtype=np.int64).reshape(shape)


def both_ways(rng: PCG32, name: str, op: Callable[..., Any], *values: NDArray[np.float32]) -> Arrays:
    """The op's result and the gradient at each input, for an upstream gradient drawn here."""
    inputs = [Tensor(each.copy(), requires_grad=True) for each in values]
    out = op(*inputs)
    result = np.array(out.data)
    out.backward(drawn(rng, *out.shape))
    return {name: result} | {f"d {name} {i}": x.grad for i, x in enumerate(inputs)}


def probe_elementwise(seed: int) -> Arrays:
    """Each function of one number on a dozen of them, the sigmoid far out too, and relu at 0."""
    rng = PCG32(seed)
    found = both_ways(rng, "log", F.log, np.abs(drawn(rng, 3, 4)))
    for name, op in (("exp", F.exp), ("tanh", F.tanh), ("sigmoid", F.sigmoid), ("relu", F.relu)):
        found |= both_ways(rng, name, op, drawn(rng, 3, 4))
    for name, op in (("silu", F.silu), ("gelu", F.gelu), ("gelu tanh", lambda x: F.gelu(x, "tanh"))):
        found |= both_ways(rng, name, op, drawn(rng, 3, 4))
    found |= both_ways(rng, "relu at 0", F.relu, np.zeros(3, dtype=np.float32))
    found["log sigmoid"] = np.log(F.sigmoid(Tensor(10 * drawn(rng, 6) - 45)).data)  # from -75 to -15
    found |= both_ways(rng, "twice", lambda x: F.exp(x * 1.0) + F.tanh(x * 1.0), drawn(rng, 4))
    return found | {"twice of one": shared(rng)}


def shared(rng: PCG32) -> Any:
    """The gradient at x below exp(x) + tanh(x), where one gradient goes to both."""
    x = Tensor(drawn(rng, 4), requires_grad=True)
    (F.exp(x) + F.tanh(x)).backward(drawn(rng, 4))
    return x.grad


def probe_reductions(seed: int) -> Arrays:
    """Sums, means, maxima and variances along several axes, a tie among them."""
    rng, found = PCG32(seed), {}
    for place, axis in (("all", None), ("first", 0), ("last", -1), ("two", (0, 2))):
        for name, op in (("sum", F.sum), ("mean", F.mean), ("max", F.max), ("var", F.var)):
            x, keepdims = drawn(rng, 3, 3, 3), bool(rng.below(2))
            reduced = partial(op, axis=axis, keepdims=keepdims)
            found |= both_ways(rng, f"{name} {place}", reduced, x)
    found |= both_ways(rng, "var n", lambda t: F.var(t, 1, correction=0), drawn(rng, 2, 5))
    tied = np.repeat(drawn(rng, 2, 1), 3, axis=1)
    return found | both_ways(rng, "tie", lambda t: F.max(t, 1), tied)


def probe_shapes(seed: int) -> Arrays:
    """Values that only move: exactly equal, there and back."""
    rng, found = PCG32(seed), {}
    found |= both_ways(rng, "reshape", lambda t: F.reshape(t, (4, -1)), drawn(rng, 2, 3, 4))
    found |= both_ways(rng, "transpose", F.transpose, drawn(rng, 2, 3, 4))
    found |= both_ways(rng, "permute", lambda t: F.permute(t, (1, 2, 0)), drawn(rng, 2, 3, 4))
    found |= both_ways(rng, "concat", lambda s, t: F.concat([s, t], 1), drawn(rng, 2, 3), drawn(rng, 2, 1))
    return found | both_ways(
        rng, "stack", lambda s, t: F.stack([s, t], -1), drawn(rng, 2, 3), drawn(rng, 2, 3)
    )


def probe_choices(seed: int) -> Arrays:
    """where, masked_fill, gather and embedding, with places that are read often; what is refused."""
    rng = PCG32(seed)
    mask, index = integers(rng, 2, 3, 4) == 1, integers(rng, 3, 5, 4)
    found = both_ways(rng, "where", lambda s, t: F.where(mask, s, t), drawn(rng, 3, 4), drawn(rng, 1, 4))
    found |= both_ways(rng, "masked_fill", lambda t: F.masked_fill(t, mask, 1.5), drawn(rng, 3, 4))
    found |= both_ways(rng, "gather", lambda t: F.gather(t, index, axis=0), drawn(rng, 3, 4))
    found |= both_ways(rng, "gather last", lambda t: F.gather(t, index[:3] % 2), drawn(rng, 3, 4))
    for rows in (4, 300):
        ids = integers(rng, 4, 3, 5)
        found |= both_ways(
            rng, f"rows of {rows}", lambda t, ids=ids: F.embedding(t, ids), drawn(rng, rows, 3)
        )
    unchosen = Tensor(drawn(rng, 2), requires_grad=True)
    F.where([True, False], unchosen, 0.0).backward([1.0, math.inf])
    return found | {
        "unchosen": unchosen.grad,
        "-1": refused(lambda: F.embedding(Tensor(drawn(rng, 3, 2)), [-1])),
        "one index for three rows": refused(lambda: F.gather(Tensor(drawn(rng, 3, 2)), [[1]])),
        "variance of one value": refused(lambda: F.var(Tensor(drawn(rng, 1)))),
    }


def refused(call: Callable[[], object]) -> NDArray[np.uint8]:
    """What came of a call that must fail."""
    try:
        call()
    except ValueError:
        return np.frombuffer(b"ValueError", np.uint8)
    return np.frombuffer(b"no error", np.uint8)


def probe_softmaxes(seed: int) -> Arrays:
    """softmax, log_softmax and logsumexp along two axes, of great values, and of a row that is masked away."""
    rng, found = PCG32(seed), {}
    for axis in (0, -1):
        for name, op in (("softmax", F.softmax), ("log_softmax", F.log_softmax), ("logsumexp", F.logsumexp)):
            reduced = partial(op, axis=axis)
            found |= both_ways(rng, f"{name} {axis}", reduced, drawn(rng, 3, 4))
            found[f"{name} {axis} of great values"] = op(Tensor(100 * drawn(rng, 3, 4)), axis=axis).data
    masked = np.full((2, 3), -np.inf, dtype=np.float32)
    masked[1] = drawn(rng, 3)
    return found | both_ways(rng, "masked", F.softmax, masked)


def probe_dropout(seed: int) -> Arrays:
    """Masks, scales and gradients at two probabilities, at evaluation, and where the generator stands then."""
    rng, found = PCG32(seed), {}
    for p, training in ((0.2, True), (0.7, True), (0.5, False), (0.0, True)):
        own = PCG32(rng.next_u32())
        dropped = partial(F.dropout, p=p, training=training, rng=own)
        found |= both_ways(rng, f"p {p} {training}", dropped, drawn(rng, 4, 5))
        found[f"next of {p} {training}"] = np.int64(own.next_u32())
    return found
