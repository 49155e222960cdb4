"""L0.2 by composition: as much as possible is arithmetic of tensors, so that backward follows by itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tinyllm.autograd.tensor import Tensor, from_op


def _map(x: Tensor, values: Any, slope: Any, name: str) -> Tensor:
    kept = np.array(slope, dtype=x.dtype)
    return from_op(np.array(values, dtype=x.dtype), [x], lambda g: [np.multiply(kept, g)], name)


def exp(x: Tensor) -> Tensor:
    e = np.exp(x.data)
    return _map(x, e, e, "exp")


def log(x: Tensor) -> Tensor:
    return _map(x, np.log(x.data), np.reciprocal(x.data), "log")


def tanh(x: Tensor) -> Tensor:
    t = np.tanh(x.data)
    return _map(x, t, (1 - t) * (1 + t), "tanh")


def sigmoid(x: Tensor) -> Tensor:
    z = np.clip(x.data, -700, 700).astype(np.float64)
    s = 1 / (1 + np.exp(-z))
    return _map(x, s, s * (1 - s), "sigmoid")


def relu(x: Tensor) -> Tensor:
    on = x.data > 0
    return where(on, x, 0.0)


def silu(x: Tensor) -> Tensor:
    return x * sigmoid(x)


def gelu(x: Tensor, approximate: str = "none") -> Tensor:
    if approximate == "tanh":
        return x * (tanh((x + x * x * x * 0.044715) * math.sqrt(2 / math.pi)) + 1) * 0.5
    if approximate != "none":
        raise ValueError("approximate is 'none' or 'tanh'")
    flat = [float(v) for v in x.data.ravel()]
    phi = np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in flat]).reshape(x.shape)
    density = np.array([math.exp(-v * v / 2) / math.sqrt(2 * math.pi) for v in flat]).reshape(x.shape)
    return _map(x, x.data * phi, phi + x.data * density, "gelu")


def _as_axes(ndim: int, axis: Any) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    return tuple(a % ndim for a in (axis if isinstance(axis, tuple) else (axis,)))


def _size(x: Tensor, axis: Any) -> int:
    n = 1
    for a in _as_axes(x.ndim, axis):
        n *= x.shape[a]
    if n == 0:
        raise ValueError("nothing to reduce")
    return n


def sum(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    axes = _as_axes(x.ndim, axis)

    def back(g: Any) -> Any:
        wide = g if keepdims else np.expand_dims(g, axes)
        return [wide * np.ones(x.shape, dtype=x.dtype)]

    return from_op(np.sum(x.data, axis=axes, keepdims=keepdims), [x], back, "sum")


def mean(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    return sum(x, axis, keepdims) * (1 / _size(x, axis))


def max(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    _size(x, axis)
    axes = _as_axes(x.ndim, axis)
    best = np.amax(x.data, axis=axes, keepdims=True)
    ties = (x.data == best).astype(x.dtype)
    ties /= ties.sum(axis=axes, keepdims=True)

    def back(g: Any) -> Any:
        return [ties * (g if keepdims else np.expand_dims(g, axes))]

    return from_op(np.amax(x.data, axis=axes, keepdims=keepdims), [x], back, "max")


def var(x: Tensor, axis: Any = None, keepdims: bool = False, correction: int = 1) -> Tensor:
    n = _size(x, axis)
    if n - correction < 1:
        raise ValueError("too few values for this correction")
    away = x - mean(x, axis, True)
    return sum(away**2, axis, keepdims) * (1 / (n - correction))


def reshape(x: Tensor, shape: Any) -> Tensor:
    old = x.data.shape
    return from_op(np.reshape(x.data, shape), [x], lambda g: [np.reshape(g, old)], "reshape")


def transpose(x: Tensor, axis0: int = -2, axis1: int = -1) -> Tensor:
    order = list(range(x.ndim))
    order[axis0], order[axis1] = order[axis1], order[axis0]
    return permute(x, order)


def permute(x: Tensor, axes: Any) -> Tensor:
    order = [a % x.ndim for a in axes]
    if sorted(order) != list(range(x.ndim)):
        raise ValueError("axes must name each axis once")
    home = [order.index(a) for a in range(x.ndim)]
    return from_op(np.transpose(x.data, order), [x], lambda g: [np.transpose(g, home)], "permute")


def concat(xs: Any, axis: int = 0) -> Tensor:
    joined = np.concatenate([x.data for x in xs], axis)

    def back(g: Any) -> Any:
        shares, start = [], 0
        for x in xs:
            stop = start + x.shape[axis]
            shares.append(np.take(g, np.arange(start, stop), axis=axis))
            start = stop
        return shares

    return from_op(joined, list(xs), back, "concat")


def stack(xs: Any, axis: int = 0) -> Tensor:
    joined = np.stack([x.data for x in xs], axis)
    count = len(xs)
    return from_op(joined, list(xs), lambda g: [np.take(g, i, axis=axis) for i in range(count)], "stack")


def _fold(g: Any, shape: Any) -> Any:
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for i, n in enumerate(shape):
        if n == 1 and g.shape[i] != 1:
            g = g.sum(axis=i, keepdims=True)
    return g


def where(condition: Any, a: Any, b: Any) -> Tensor:
    yes = np.asarray(condition).astype(bool)
    kinds = [v.dtype for v in (a, b) if isinstance(v, Tensor)] or [np.dtype(np.float32)]
    a = a if isinstance(a, Tensor) else Tensor(a, dtype=kinds[0])
    b = b if isinstance(b, Tensor) else Tensor(b, dtype=kinds[0])

    def back(g: Any) -> Any:
        for_a, for_b = g.copy(), g.copy()
        np.copyto(for_a, 0, where=~yes)
        np.copyto(for_b, 0, where=yes)
        return [_fold(for_a, a.shape), _fold(for_b, b.shape)]

    return from_op(np.where(yes, a.data, b.data), [a, b], back, "where")


def _checked(ids: Any, n: int) -> Any:
    a = np.array(ids)
    if not np.issubdtype(a.dtype, np.integer):
        raise ValueError("ids must be integers")
    if a.size and (a.min() < 0 or a.max() >= n):
        raise ValueError("an id is out of range")
    return a.astype(np.int64)


def gather(x: Tensor, index: Any, axis: int = -1) -> Tensor:
    if x.ndim == 0 or not -x.ndim <= axis < x.ndim:
        raise ValueError("gather has no such axis")
    axis = axis % x.ndim
    ids = _checked(index, x.shape[axis])
    want, have = list(x.shape), list(ids.shape)
    if len(want) != len(have) or want[:axis] + want[axis + 1 :] != have[:axis] + have[axis + 1 :]:
        raise ValueError("the index has another shape")
    shape, dtype = x.shape, x.dtype

    def back(g: Any) -> Any:
        total = np.zeros(shape, dtype=dtype)
        for place in np.ndindex(ids.shape):
            total[(*place[:axis], ids[place], *place[axis + 1 :])] += g[place]
        return [total]

    return from_op(np.take_along_axis(x.data, ids, axis), [x], back, "gather")


def embedding(weight: Tensor, ids: Any) -> Tensor:
    if weight.ndim != 2:
        raise ValueError("the table must be a matrix")
    rows = _checked(ids, weight.shape[0])
    shape, dtype = weight.shape, weight.dtype

    def back(g: Any) -> Any:
        total = np.zeros(shape, dtype=dtype)
        np.add.at(total, rows, g)
        return [total]

    return from_op(weight.data[rows], [weight], back, "embedding")


def masked_fill(x: Tensor, mask: Any, value: float) -> Tensor:
    over = np.broadcast_to(np.asarray(mask).astype(bool), x.shape)
    out = x.data.copy()
    out[over] = value
    return from_op(out, [x], lambda g: [np.where(over, np.zeros_like(g), g)], "masked_fill")


def _exps(x: Tensor, axis: int) -> Any:
    top = np.max(x.data, axis=axis, keepdims=True)
    top[top == -np.inf] = 0
    e = np.exp(x.data - top)
    return e, e.sum(axis=axis, keepdims=True), top


def softmax(x: Tensor, axis: int = -1) -> Tensor:
    e, total, _ = _exps(x, axis)
    p = e / np.where(total == 0, np.ones_like(total), total)

    def back(g: Any) -> Any:
        weighted = p * g
        return [weighted - p * weighted.sum(axis=axis, keepdims=True)]

    return from_op(p, [x], back, "softmax")


def logsumexp(x: Tensor, axis: int = -1, keepdims: bool = False) -> Tensor:
    e, total, top = _exps(x, axis)
    with np.errstate(divide="ignore"):
        out = np.log(total) + top
    p = e / np.where(total == 0, np.ones_like(total), total)

    def back(g: Any) -> Any:
        return [p * (g if keepdims else np.expand_dims(g, axis))]

    return from_op(out if keepdims else np.squeeze(out, axis=axis), [x], back, "logsumexp")


def log_softmax(x: Tensor, axis: int = -1) -> Tensor:
    e, total, top = _exps(x, axis)
    safe = np.where(total == 0, np.ones_like(total), total)

    def back(g: Any) -> Any:
        return [g - e / safe * g.sum(axis=axis, keepdims=True)]

    return from_op(x.data - top - np.log(safe), [x], back, "log_softmax")


def dropout(x: Tensor, p: float, training: bool, rng: Any) -> Tensor:
    if not (p >= 0 and p < 1):
        raise ValueError("a probability from 0 to below 1")
    if training and p > 0:
        draws = np.array(rng.uniforms(int(np.prod(x.shape)))).reshape(x.shape)
        return masked_fill(x, draws < p, 0.0) / (1 - p)
    return x


def matmul(a: Tensor, b: Tensor) -> Tensor:
    return a @ b
