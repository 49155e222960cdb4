"""L0.2 by matrices: look-ups are products with one-hot rows, softmax has its whole Jacobian, axes go to the end."""

from __future__ import annotations

import functools
import math
import operator

import numpy as np

from tinyllm.autograd.tensor import Tensor, from_op

PHI = np.vectorize(lambda v: (1 + math.erf(v / math.sqrt(2))) / 2, otypes=[np.float64])


class _Pointwise:
    """An op given by its values and by a slope that is worked out in float64 when backward asks."""

    def __init__(self, x, values, slope):
        self.x, self.values, self.slope = x, values, slope

    def node(self, name):
        dtype = self.x.data.dtype
        wide = self.x.data.astype(np.float64)
        slope = self.slope
        return from_op(
            np.asarray(self.values(wide)).astype(dtype),
            (self.x,),
            lambda g: ((slope(wide) * g).astype(dtype),),
            name,
        )


def _logistic(z):
    return np.exp(-np.logaddexp(0.0, -z))


def exp(x):
    return _Pointwise(x, np.exp, np.exp).node("exp")


def log(x):
    return _Pointwise(x, np.log, lambda z: z**-1.0).node("log")


def tanh(x):
    return _Pointwise(x, np.tanh, lambda z: 1 / np.cosh(np.clip(z, -300, 300)) ** 2).node("tanh")


def sigmoid(x):
    return _Pointwise(x, _logistic, lambda z: _logistic(z) * _logistic(-z)).node("sigmoid")


def relu(x):
    on = np.greater(x.data, 0)
    out = np.zeros_like(x.data)
    out[on] = x.data[on]

    def vjp(g):
        back = np.zeros_like(g)
        back[on] = g[on]
        return (back,)

    return from_op(out, (x,), vjp, "relu")


def silu(x):
    def slope(z):
        return _logistic(z) + z * _logistic(z) * _logistic(-z)

    return _Pointwise(x, lambda z: z * _logistic(z), slope).node("silu")


def gelu(x, approximate="none"):
    root = math.sqrt(2 / math.pi)
    if approximate == "none":
        return _Pointwise(
            x,
            lambda z: z * PHI(z),
            lambda z: PHI(z) + z * np.exp(-(z**2) / 2) * root / 2,
        ).node("gelu")
    if approximate == "tanh":

        def inner(z):
            return np.tanh(root * (z + 0.044715 * z**3))

        def slope(z):
            t = inner(z)
            return (1 + t) / 2 + z / 2 * (1 - t**2) * root * (1 + 0.134145 * z**2)

        return _Pointwise(x, lambda z: z * (1 + inner(z)) / 2, slope).node("gelu")
    raise ValueError(f"no gelu by {approximate}")


class _Reduction:
    """The reduced axes of x, joined into one last axis, and the way back."""

    def __init__(self, x, axis):
        if axis is None:
            axis = tuple(range(x.ndim))
        axes = (axis,) if isinstance(axis, int) else tuple(axis)
        self.axes = [a + x.ndim if a < 0 else a for a in axes]
        self.kept = [a for a in range(x.ndim) if a not in self.axes]
        self.shape = x.shape
        self.order = self.kept + self.axes
        self.outer = tuple(x.shape[a] for a in self.kept)
        self.count = functools.reduce(operator.mul, (x.shape[a] for a in self.axes), 1)

    def rows(self, values):
        return values.transpose(self.order).reshape((*self.outer, self.count))

    def back(self, rows):
        wide = rows.reshape([*self.outer, *(self.shape[a] for a in self.axes)])
        return wide.transpose([self.order.index(a) for a in range(len(self.shape))])

    def result(self, values, keepdims):
        if not keepdims:
            return values
        return values.reshape([1 if a in self.axes else n for a, n in enumerate(self.shape)])

    def column(self, g):
        return g.reshape((*self.outer, 1))


def _filled(x, axis):
    r = _Reduction(x, axis)
    if not r.count:
        raise ValueError("a reduction needs at least one value")
    return r


def sum(x, axis=None, keepdims=False):
    r = _Reduction(x, axis)
    total = r.rows(x.data) @ np.ones(r.count, dtype=x.data.dtype)
    ones = np.ones((1, r.count), dtype=x.data.dtype)
    return from_op(
        r.result(np.asarray(total), keepdims), (x,), lambda g: (r.back(r.column(g) * ones),), "sum"
    )


def mean(x, axis=None, keepdims=False):
    r = _filled(x, axis)
    share = np.full((1, r.count), 1 / r.count, dtype=x.data.dtype)
    values = np.asarray(r.rows(x.data).mean(axis=-1))
    return from_op(r.result(values, keepdims), (x,), lambda g: (r.back(r.column(g) * share),), "mean")


def max(x, axis=None, keepdims=False):
    r = _filled(x, axis)
    rows = r.rows(x.data)
    best = np.asarray(np.sort(rows, axis=-1)[..., -1])
    hits = np.equal(rows, best[..., None])

    def vjp(g):
        share = (r.column(g) / np.count_nonzero(hits, axis=-1, keepdims=True)).astype(g.dtype)
        return (r.back(share * hits),)

    return from_op(r.result(best, keepdims), (x,), vjp, "max")


def var(x, axis=None, keepdims=False, correction=1):
    r = _filled(x, axis)
    left = r.count - correction
    if left < 1:
        raise ValueError("not enough values")
    rows = r.rows(x.data)
    away = rows - rows.mean(axis=-1, keepdims=True)
    values = np.asarray(np.einsum("...i,...i->...", away, away) / x.data.dtype.type(left))

    def vjp(g):
        return (r.back(r.column(g) * away * g.dtype.type(2 / left)),)

    return from_op(r.result(values, keepdims), (x,), vjp, "var")


def reshape(x, shape):
    return from_op(x.data.copy().reshape(shape), (x,), lambda g: (g.copy().reshape(x.shape),), "reshape")


def transpose(x, axis0=-2, axis1=-1):
    def swap(values):
        return np.moveaxis(values, (axis0, axis1), (axis1, axis0))

    return from_op(swap(x.data), (x,), lambda g: (swap(g),), "transpose")


def permute(x, axes):
    axes = tuple(axes)
    if len({a % x.ndim for a in axes}) != x.ndim or len(axes) != x.ndim:
        raise ValueError("not a permutation")
    ends = range(x.ndim)
    return from_op(np.moveaxis(x.data, axes, ends), (x,), lambda g: (np.moveaxis(g, ends, axes),), "permute")


def _pieces(g, sizes, axis):
    g = np.moveaxis(g, axis, 0)
    start = 0
    for size in sizes:
        yield np.moveaxis(g[start : start + size], 0, axis)
        start += size


def concat(xs, axis=0):
    if len(xs) == 0:
        raise ValueError("nothing to join")
    sizes = [x.shape[axis] for x in xs]
    return from_op(
        np.concatenate([x.data for x in xs], axis=axis),
        tuple(xs),
        lambda g: _pieces(g, sizes, axis),
        "concat",
    )


def stack(xs, axis=0):
    if len(xs) == 0:
        raise ValueError("nothing to join")
    if len({x.shape for x in xs}) > 1:
        raise ValueError("shapes differ")
    at = axis if axis >= 0 else axis + xs[0].ndim + 1
    joined = np.concatenate([np.expand_dims(x.data, at) for x in xs], axis=at)
    return from_op(
        joined,
        tuple(xs),
        lambda g: [piece.squeeze(at) for piece in _pieces(g, [1] * len(xs), at)],
        "stack",
    )


def where(condition, a, b):
    yes = np.array(condition, dtype=bool)
    dtype = a.dtype if isinstance(a, Tensor) else b.dtype if isinstance(b, Tensor) else np.float32
    if not isinstance(a, Tensor):
        a = Tensor(np.asarray(a), dtype=dtype)
    if not isinstance(b, Tensor):
        b = Tensor(np.asarray(b), dtype=dtype)

    def share(g, chosen, shape):
        wide = np.zeros(g.shape, dtype=g.dtype)
        wide[chosen] = g[chosen]
        padded = (1,) * (g.ndim - len(shape)) + tuple(shape)
        axes = tuple(i for i, n in enumerate(padded) if n == 1)
        return wide.sum(axis=axes, keepdims=True).reshape(shape)

    def vjp(g):
        chosen = np.broadcast_to(yes, g.shape)
        return share(g, chosen, a.shape), share(g, np.logical_not(chosen), b.shape)

    return from_op(np.where(yes, a.data, b.data), (a, b), vjp, "where")


def _one_hot(ids, n, dtype):
    array = np.asarray(ids)
    if array.dtype.kind not in ("i", "u"):
        raise ValueError("indices are integers")
    if not all(0 <= int(i) < n for i in array.ravel()):
        raise ValueError(f"indices are from 0 to {n - 1}")
    hot = np.zeros((array.size, n), dtype=dtype)
    for place, i in enumerate(array.ravel()):
        hot[place, int(i)] = 1
    return hot.reshape((*array.shape, n))


def gather(x, index, axis=-1):
    index = np.asarray(index)
    if index.ndim != x.ndim:
        raise ValueError("an index has as many axes as the tensor")
    last = np.moveaxis(x.data, axis, -1)
    asked = np.moveaxis(index, axis, -1)
    if asked.shape[:-1] != last.shape[:-1]:
        raise ValueError("an index has the tensor's other sizes")
    hot = _one_hot(asked, last.shape[-1], x.data.dtype)
    out = np.moveaxis(np.einsum("...kn,...n->...k", hot, last), -1, axis)

    def vjp(g):
        return (np.moveaxis(np.einsum("...kn,...k->...n", hot, np.moveaxis(g, axis, -1)), -1, axis),)

    return from_op(out, (x,), vjp, "gather")


def embedding(weight, ids):
    if len(weight.shape) != 2:
        raise ValueError("an embedding is a matrix")
    hot = _one_hot(ids, weight.shape[0], weight.data.dtype)
    flat = hot.reshape(-1, weight.shape[0])
    return from_op(
        hot @ weight.data,
        (weight,),
        lambda g: (flat.T @ g.reshape(-1, weight.shape[1]),),
        "embedding",
    )


def masked_fill(x, mask, value):
    mask = np.asarray(mask, dtype=bool)
    if np.broadcast_shapes(mask.shape, x.shape) != x.shape:
        raise ValueError("the mask is larger than the tensor")
    return where(mask, float(value), x)


def _shares(values):
    """Softmax along the last axis, in float64, and the logarithm of the sum of exponentials."""
    wide = values.astype(np.float64)
    lse = np.logaddexp.reduce(wide, axis=-1, keepdims=True)
    return np.exp(wide - np.where(np.isneginf(lse), 0, lse)), lse


def softmax(x, axis=-1):
    p, _ = _shares(np.moveaxis(x.data, axis, -1))
    jacobian = np.eye(p.shape[-1]) * p[..., None] - p[..., None] * p[..., None, :]

    def vjp(g):
        back = np.einsum("...ij,...j->...i", jacobian, np.moveaxis(g, axis, -1))
        return (np.moveaxis(back, -1, axis).astype(g.dtype),)

    return from_op(np.moveaxis(p, -1, axis).astype(x.data.dtype), (x,), vjp, "softmax")


def log_softmax(x, axis=-1):
    return x - _finite(logsumexp(x, axis, keepdims=True))


def _finite(total):
    """-inf is replaced by 0: then -inf less the total is -inf, not NaN."""
    return masked_fill(total, np.isneginf(total.data), 0.0)


def logsumexp(x, axis=-1, keepdims=False):
    p, lse = _shares(np.moveaxis(x.data, axis, -1))
    lse = np.moveaxis(lse, -1, axis).astype(x.data.dtype)
    p = np.moveaxis(p, -1, axis)

    def vjp(g):
        return ((p * g.reshape(lse.shape)).astype(g.dtype),)

    return from_op(lse if keepdims else lse.squeeze(axis=axis), (x,), vjp, "logsumexp")


def dropout(x, p, training, rng):
    if math.isnan(p) or p < 0 or p >= 1:
        raise ValueError("dropout's p is a probability below 1")
    if not training or p == 0:
        return x
    draws = iter(rng.uniforms(x.data.size))
    factors = np.empty(x.data.shape, dtype=x.data.dtype)
    for place in np.ndindex(factors.shape):
        factors[place] = 0 if next(draws) < p else 1 / (1 - p)
    return x * Tensor(factors, dtype=x.data.dtype)


def matmul(a, b):
    return Tensor.__matmul__(a, b)
