"""Losses: each one node with its gradient in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor, from_op

Array = NDArray[Any]
Ids = NDArray[np.intp]


def cross_entropy(
    logits: Tensor,
    targets: ArrayLike,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    """logsumexp(z) - q · z for each row; its gradient is p - q, with p the exponentials over their sum."""
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"label_smoothing must be from 0 to 1, not {label_smoothing}")
    z, places, ignored = _rows(logits, targets, ignore_index)
    on, off = 1.0 - label_smoothing, label_smoothing / z.shape[1]  # q: off everywhere, and on at the target
    exps = z - np.maximum.reduce(z, axis=1, keepdims=True)
    scores = on * exps.take(places)  # q · z without the greatest: beside it a small cost would be lost
    if off:
        scores += off * exps.sum(axis=1)
    np.exp(exps, out=exps)
    total = np.add.reduce(exps, axis=1)
    losses = np.log(total) - scores
    if ignored.size:
        losses[ignored] = 0
    value, weight = _reduce(losses, reduction, losses.size - ignored.size)

    def vjp(g: Array) -> tuple[Array]:
        scale = g.reshape(-1) * weight  # of one row each, or the same for all
        grad = exps * (scale / total)[:, None]
        grad.reshape(-1)[places] -= on * scale
        if off:
            grad -= (off * scale)[:, None]
        if ignored.size:
            grad[ignored] = 0
        return (grad.reshape(logits.shape),)

    shape = logits.shape[:-1] if reduction == "none" else ()
    return from_op(value.reshape(shape), (logits,), vjp, "cross_entropy")


def mse(prediction: Tensor, target: Tensor | ArrayLike, reduction: str = "mean") -> Tensor:
    """The gradient is 2 (prediction - target), and its opposite for the target."""
    target = _like(target, prediction, "mse")
    difference = prediction.data - target.data
    value, weight = _reduce(difference * difference, reduction, difference.size)

    def vjp(g: Array) -> tuple[Array, Array]:
        grad = difference * (g * (2 * weight))
        return grad, -grad

    return from_op(value, (prediction, target), vjp, "mse")


def bce_with_logits(logits: Tensor, targets: Tensor | ArrayLike, reduction: str = "mean") -> Tensor:
    """The gradient is sigmoid(z) - t, and -z for the targets."""
    targets = _like(targets, logits, "bce_with_logits")
    z, t = logits.data, targets.data
    small = np.exp(-np.abs(z))  # at most 1, so that neither end overflows
    value, weight = _reduce(np.maximum(z, 0) - z * t + np.log1p(small), reduction, z.size)

    def vjp(g: Array) -> tuple[Array, Array]:
        scale = g * weight
        return (np.where(z >= 0, 1, small) / (1 + small) - t) * scale, -z * scale

    return from_op(value, (logits, targets), vjp, "bce_with_logits")


def _rows(logits: Tensor, targets: ArrayLike, ignore_index: int) -> tuple[Array, Ids, Ids]:
    """Logits [N, V], the place of each row's target in them laid out flat, and the rows to ignore."""
    ids = np.asarray(targets)
    if ids.dtype.kind not in "iu":
        raise ValueError(f"cross_entropy needs integer targets, not {ids.dtype}")
    if logits.shape[-1:] in ((), (0,)) or logits.shape[:-1] != ids.shape:
        raise ValueError(f"cross_entropy needs [..., V] and [...], not {logits.shape} and {ids.shape}")
    n, flat = logits.shape[-1], ids.reshape(-1).astype(np.intp)
    ignored = (flat == ignore_index).nonzero()[0]
    if ignored.size:
        flat[ignored] = 0
    if flat.size and flat.view(np.uintp).max() >= n:  # as unsigned, a negative id is huge
        raise ValueError(f"cross_entropy got a target outside 0 .. {n - 1}, other than {ignore_index}")
    return logits.data.reshape(-1, n), np.arange(0, flat.size * n, n) + flat, ignored


def _like(target: Tensor | ArrayLike, prediction: Tensor, op: str) -> Tensor:
    """The target as a Tensor of the prediction's shape: broadcasting here would hide a mistake."""
    tensor = target if isinstance(target, Tensor) else Tensor(target, dtype=prediction.dtype)
    if tensor.shape != prediction.shape:
        raise ValueError(f"{op} needs two equal shapes, not {prediction.shape} and {tensor.shape}")
    return tensor


def _reduce(losses: Array, reduction: str, count: int) -> tuple[Array, float]:
    """The reduced loss, and the weight that each loss has in it; the mean of no losses is 0."""
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"reduction must be 'mean', 'sum' or 'none', not {reduction!r}")
    if reduction == "none":
        return losses, 1.0
    weight = 1.0 / max(1, count) if reduction == "mean" else 1.0
    return np.multiply(losses.sum(), weight, dtype=losses.dtype), weight
