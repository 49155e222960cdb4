"""L0.3 by whole matrices: the wished-for distribution q is written out, and backward is p - q times a weight."""

from __future__ import annotations

from typing import Any

import numpy as np

from tinyllm.autograd.tensor import Tensor, from_op

WORDS = {"mean", "sum", "none"}


def _weights(counts: Any, reduction: str) -> Any:
    """What each loss contributes, in an array like the losses: 0 where it does not count."""
    if reduction not in WORDS:
        raise ValueError(f"no reduction is called {reduction}")
    weights = counts.astype(np.float64)
    if reduction == "mean" and weights.sum():
        weights = weights / weights.sum()
    return weights


def _node(losses, weights, reduction, parents, slopes, name):
    """losses [...] and for each parent its slopes [..., *], which are weighted and scaled on the way back."""
    dtype = parents[0].dtype
    alone = reduction == "none"
    value = losses * weights if alone else np.sum(losses * weights)

    def vjp(g):
        scale = np.asarray(g) * weights
        return [
            (slope * scale.reshape(scale.shape + (1,) * (slope.ndim - scale.ndim))).astype(dtype)
            for slope in slopes()
        ]

    return from_op(np.asarray(value, dtype=dtype), parents, vjp, name)


def cross_entropy(logits, targets, ignore_index=-100, label_smoothing=0.0, reduction="mean"):
    targets = np.array(targets)
    if not np.issubdtype(targets.dtype, np.integer):
        raise ValueError("targets are class numbers")
    if logits.ndim == 0 or targets.shape != logits.shape[:-1]:
        raise ValueError("one target for each row of logits")
    if label_smoothing < 0 or label_smoothing > 1:
        raise ValueError("label_smoothing is a share")
    n = logits.shape[-1]
    counts = targets != ignore_index
    if not all(0 <= int(t) < n for t in targets[counts]):
        raise ValueError("a target is no class")
    q = np.zeros((*targets.shape, n))
    q += label_smoothing / n
    for place in np.ndindex(targets.shape):
        if counts[place]:
            q[(*place, int(targets[place]))] += 1 - label_smoothing
    z = np.where(counts[..., None], logits.data.astype(np.float64), 0.0)
    z = z - z.max(axis=-1, keepdims=True)
    logs = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    losses = -(q * logs).sum(axis=-1)
    return _node(
        losses,
        _weights(counts, reduction),
        reduction,
        (logits,),
        lambda: [np.exp(logs) - q],
        "cross_entropy",
    )


def _pair(a, b):
    if not isinstance(b, Tensor):
        b = Tensor(np.asarray(b, dtype=a.dtype), dtype=a.dtype)
    if len(a.shape) != len(b.shape) or any(n != m for n, m in zip(a.shape, b.shape, strict=True)):
        raise ValueError("the shapes are not the same")
    return a, b


def mse(prediction, target, reduction="mean"):
    a, b = _pair(prediction, target)
    away = a.data.astype(np.float64) - b.data
    weights = _weights(np.ones(a.shape, dtype=bool), reduction)
    return _node(away**2, weights, reduction, (a, b), lambda: [2 * away, -2 * away], "mse")


def bce_with_logits(logits, targets, reduction="mean"):
    a, b = _pair(logits, targets)
    z, t = a.data.astype(np.float64), b.data.astype(np.float64)
    losses = np.logaddexp(0, z) - t * z
    p = np.exp(-np.logaddexp(0, -z))
    weights = _weights(np.ones(a.shape, dtype=bool), reduction)
    return _node(losses, weights, reduction, (a, b), lambda: [p - t, -z], "bce_with_logits")
