"""L0.3 row by row, in plain loops, and by arithmetic of tensors where that has no bad ends."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from tinyllm.autograd.tensor import Tensor, from_op


def _reduced(losses: Tensor, reduction: str, count: int) -> Tensor:
    """A sum is a product with ones, a mean that over their number."""
    if reduction == "none":
        return losses
    flat = losses[...] if losses.ndim == 1 else _flat(losses)
    total = flat @ np.ones(len(flat), dtype=losses.dtype)
    if reduction == "sum":
        return total
    if reduction == "mean":
        return total * (1 / count if count else 0.0)
    raise ValueError(f"reduction {reduction!r}: mean, sum or none")


def _flat(x: Tensor) -> Tensor:
    shape = x.shape
    return from_op(x.data.flatten(), [x], lambda g: [g.reshape(shape)], "flatten")


def _known(reduction: str) -> None:
    if reduction not in ("none", "sum", "mean"):
        raise ValueError(f"reduction {reduction!r}: mean, sum or none")


def cross_entropy(
    logits: Tensor,
    targets: Any,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    _known(reduction)
    if not (label_smoothing >= 0 and label_smoothing <= 1):
        raise ValueError("label smoothing goes from 0 to 1")
    classes = np.asarray(targets)
    if classes.dtype.kind not in ("i", "u") or logits.ndim < 1:
        raise ValueError("targets must be integers, one for each row")
    if tuple(classes.shape) != tuple(logits.shape)[:-1] or logits.shape[-1] == 0:
        raise ValueError("targets must have the shape of the logits without its last axis")
    width = logits.shape[-1]
    rows = [[float(v) for v in row] for row in logits.data.reshape(-1, width)]
    chosen = [int(t) for t in classes.reshape(-1)]
    costs, slopes, count = [], [], 0
    for row, target in zip(rows, chosen, strict=True):
        if target == ignore_index:
            costs.append(0.0)
            slopes.append([0.0] * width)
            continue
        if target < 0 or target >= width:
            raise ValueError(f"{target} is no class of {width}")
        count += 1
        top = max(row)
        powers = [math.exp(v - top) for v in row]
        total = math.fsum(powers)
        wished = [label_smoothing / width] * width
        wished[target] += 1 - label_smoothing
        logs = [v - top - math.log(total) for v in row]
        costs.append(-math.fsum(map(operator.mul, wished, logs)))
        slopes.append([e / total - q for e, q in zip(powers, wished, strict=True)])
    table = np.array(slopes, dtype=logits.dtype).reshape(logits.shape)
    losses = from_op(
        np.array(costs, dtype=logits.dtype).reshape(classes.shape),
        [logits],
        lambda g: [table * g[..., None]],
        "cross_entropy",
    )
    return _reduced(losses, reduction, count)


def _of(values: Any, like: Tensor) -> Tensor:
    tensor = values if isinstance(values, Tensor) else Tensor(values, dtype=like.dtype)
    if list(tensor.shape) != list(like.shape):
        raise ValueError("predictions and targets differ in shape")
    return tensor


def mse(prediction: Tensor, target: Any, reduction: str = "mean") -> Tensor:
    _known(reduction)
    away = prediction - _of(target, prediction)
    return _reduced(away * away, reduction, away.data.size)


def bce_with_logits(logits: Tensor, targets: Any, reduction: str = "mean") -> Tensor:
    _known(reduction)
    aims = _of(targets, logits)
    return _reduced(_softplus(logits) - logits * aims, reduction, logits.data.size)


def _softplus(x: Tensor) -> Tensor:
    """ln(1 + e^x): x itself where it is great, and 0 where it is very small."""
    up = np.vectorize(lambda v: max(v, 0.0) + math.log1p(math.exp(-abs(v))), otypes=[np.float64])
    slope = np.vectorize(lambda v: 1 / (1 + math.exp(-v)) if v > -700 else 0.0, otypes=[np.float64])
    share = slope(x.data).astype(x.dtype)
    return from_op(up(x.data).astype(x.dtype), [x], lambda g: [g * share], "softplus")
