"""The op library, imported as F: each op is one node with its derivative in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor, from_op

Array = NDArray[Any]
Axis = int | tuple[int, ...] | None

_erf = np.frompyfunc(math.erf, 1, 1)  # numpy has no erf of its own


def exp(x: Tensor) -> Tensor:
    y = np.exp(x.data)
    return _elementwise("exp", x, y, lambda: y)


def log(x: Tensor) -> Tensor:
    values = x.data
    return _elementwise("log", x, np.log(values), lambda: 1 / values)


def tanh(x: Tensor) -> Tensor:
    y = np.tanh(x.data)
    return _elementwise("tanh", x, y, lambda: 1 - y * y)


def sigmoid(x: Tensor) -> Tensor:
    y = _sigmoid(x.data)
    return _elementwise("sigmoid", x, y, lambda: y * (1 - y))


def relu(x: Tensor) -> Tensor:
    values = x.data
    y = np.maximum(values, 0, dtype=values.dtype)
    return from_op(y, (x,), lambda g: (np.where(values > 0, g, 0),), "relu")  # inf * 0 would be NaN


def silu(x: Tensor) -> Tensor:
    values, s = x.data, _sigmoid(x.data)
    return _elementwise("silu", x, values * s, lambda: s * (1 + values * (1 - s)))


def gelu(x: Tensor, approximate: str = "none") -> Tensor:
    if approximate not in ("none", "tanh"):
        raise ValueError(f"gelu knows approximate 'none' and 'tanh', not {approximate!r}")
    values = x.data
    below, density = _gauss_tanh(values) if approximate == "tanh" else _gauss(values)
    return _elementwise("gelu", x, values * below, lambda: below + values * density)


def sum(x: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    shape = x.shape

    def vjp(g: Array) -> tuple[Array]:
        return (np.broadcast_to(_keep(g, shape, axis), shape),)

    return from_op(x.data.sum(axis=axis, keepdims=keepdims), (x,), vjp, "sum")


def mean(x: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    return sum(x, axis, keepdims) / _count(x, axis, "mean")


def max(x: Tensor, axis: Axis = None, keepdims: bool = False) -> Tensor:
    values, top = x.data, x.data.max(axis=axis, keepdims=True)

    def vjp(g: Array) -> tuple[Array]:
        hits = values == top
        share = _keep(g, values.shape, axis) / hits.sum(axis=axis, keepdims=True, dtype=values.dtype)
        return (np.where(hits, share, 0),)

    return from_op(top if keepdims else np.squeeze(top, axis), (x,), vjp, "max")


def var(x: Tensor, axis: Axis = None, keepdims: bool = False, correction: int = 1) -> Tensor:
    n = _count(x, axis, "var") - correction
    if n <= 0:
        raise ValueError(f"var with correction {correction} needs more than {n + correction} values")
    centred = x - mean(x, axis, keepdims=True)
    return sum(centred * centred, axis, keepdims) / n


def reshape(x: Tensor, shape: int | Sequence[int]) -> Tensor:
    before = x.shape
    return from_op(x.data.reshape(shape), (x,), lambda g: (g.reshape(before),), "reshape")


def transpose(x: Tensor, axis0: int = -2, axis1: int = -1) -> Tensor:
    return from_op(x.data.swapaxes(axis0, axis1), (x,), lambda g: (g.swapaxes(axis0, axis1),), "transpose")


def permute(x: Tensor, axes: Sequence[int]) -> Tensor:
    inverse = np.argsort([axis % x.ndim for axis in axes])
    return from_op(x.data.transpose(axes), (x,), lambda g: (g.transpose(inverse),), "permute")


def concat(xs: Sequence[Tensor], axis: int = 0) -> Tensor:
    joined = np.concatenate([x.data for x in xs], axis=axis)
    ends = np.cumsum([x.shape[axis] for x in xs])[:-1]
    return from_op(joined, xs, lambda g: np.split(g, ends, axis=axis), "concat")


def stack(xs: Sequence[Tensor], axis: int = 0) -> Tensor:
    return from_op(np.stack([x.data for x in xs], axis=axis), xs, lambda g: np.moveaxis(g, axis, 0), "stack")


def where(condition: ArrayLike, a: Tensor | ArrayLike, b: Tensor | ArrayLike) -> Tensor:
    mask = np.array(condition, dtype=bool)
    dtype = next((x.dtype for x in (a, b) if isinstance(x, Tensor)), np.float32)
    a, b = (x if isinstance(x, Tensor) else Tensor(x, dtype=dtype) for x in (a, b))
    shape_a, shape_b = a.shape, b.shape

    def vjp(g: Array) -> tuple[Array, Array]:
        return _sum_to(np.where(mask, g, 0), shape_a), _sum_to(np.where(mask, 0, g), shape_b)

    return from_op(np.where(mask, a.data, b.data), (a, b), vjp, "where")


def gather(x: Tensor, index: ArrayLike, axis: int = -1) -> Tensor:
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"gather has no axis {axis} in a tensor of shape {x.shape}")
    axis %= x.ndim
    ids = _ids(index, x.shape[axis], "gather")
    if ids.ndim != x.ndim or ids.shape != (*x.shape[:axis], ids.shape[axis], *x.shape[axis + 1 :]):
        raise ValueError(f"gather along axis {axis} of shape {x.shape} got an index of shape {ids.shape}")
    places = list(np.ogrid[tuple(slice(n) for n in ids.shape)])
    places[axis] = ids
    return x[tuple(places)]


def embedding(weight: Tensor, ids: ArrayLike) -> Tensor:
    if weight.ndim != 2:
        raise ValueError(f"embedding needs a table [n, d], not one of shape {weight.shape}")
    table, rows = weight.data, _ids(ids, weight.shape[0], "embedding")
    taken = table.take(rows, axis=0)
    return from_op(taken, (weight,), lambda g: (_add_rows(table, rows.ravel(), g),), "embedding")


def masked_fill(x: Tensor, mask: ArrayLike, value: float) -> Tensor:
    return where(np.broadcast_to(np.asarray(mask, dtype=bool), x.shape), value, x)


def softmax(x: Tensor, axis: int = -1) -> Tensor:
    p, _, _ = _softmax(x.data, axis)
    return from_op(p, (x,), lambda g: (p * (g - (g * p).sum(axis=axis, keepdims=True)),), "softmax")


def log_softmax(x: Tensor, axis: int = -1) -> Tensor:
    p, top, rest = _softmax(x.data, axis)
    logs = x.data - top - np.where(rest == -np.inf, 0, rest)
    return from_op(logs, (x,), lambda g: (g - p * g.sum(axis=axis, keepdims=True),), "log_softmax")


def logsumexp(x: Tensor, axis: int = -1, keepdims: bool = False) -> Tensor:
    p, top, rest = _softmax(x.data, axis)
    lse = top + rest
    out = lse if keepdims else np.squeeze(lse, axis)
    return from_op(out, (x,), lambda g: (p * _keep(g, p.shape, axis),), "logsumexp")


def dropout(x: Tensor, p: float, training: bool, rng: Any) -> Tensor:
    if not 0 <= p < 1:
        raise ValueError(f"dropout needs 0 <= p < 1, not {p}")
    if not training or p == 0:
        return x
    kept = np.asarray(rng.uniforms(x.data.size)).reshape(x.shape) >= p
    scale = kept * x.dtype.type(1 / (1 - p))
    return from_op(x.data * scale, (x,), lambda g: (g * scale,), "dropout")


def matmul(a: Tensor, b: Tensor) -> Tensor:
    return a @ b


def _elementwise(op: str, x: Tensor, y: Array, slope: Callable[[], Array]) -> Tensor:
    """A node in x's dtype: for a single number numpy 1 gives float64."""
    return from_op(np.asarray(y, dtype=x.dtype), (x,), lambda g: (g * slope(),), op)


def _sigmoid(x: Array) -> Array:
    small = np.exp(-np.abs(x))  # at most 1, so that neither end overflows
    y: Array = np.where(x >= 0, 1, small) / (1 + small)
    return y


def _gauss(x: Array) -> tuple[Array, Array]:
    """The normal distribution function at x, and its derivative."""
    below = 0.5 * (1 + np.asarray(_erf(x * math.sqrt(0.5)), dtype=x.dtype))
    return below, np.exp(-0.5 * x * x) * (1 / math.sqrt(2 * math.pi))


def _gauss_tanh(x: Array) -> tuple[Array, Array]:
    """The tanh approximation of the normal distribution function, and its derivative."""
    scale = math.sqrt(2 / math.pi)
    t = np.tanh(scale * (x + 0.044715 * x**3))
    return 0.5 * (1 + t), 0.5 * (1 - t * t) * scale * (1 + 3 * 0.044715 * x * x)


def _axes(shape: tuple[int, ...], axis: Axis) -> set[int]:
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    return {a % len(shape) for a in axes}


def _keep(g: Array, shape: tuple[int, ...], axis: Axis) -> Array:
    """The gradient of a reduction of `shape`, with the reduced axes back as 1."""
    axes = _axes(shape, axis)
    return g.reshape([1 if i in axes else n for i, n in enumerate(shape)])


def _count(x: Tensor, axis: Axis, op: str) -> int:
    n = math.prod(x.shape[a] for a in _axes(x.shape, axis))
    if n == 0:
        raise ValueError(f"{op} over no values: shape {x.shape}, axis {axis}")
    return n


def _sum_to(g: Array, shape: tuple[int, ...]) -> Array:
    """Undo broadcasting: sum over the axes that were added or stretched."""
    added = g.ndim - len(shape)
    stretched = tuple(added + i for i, n in enumerate(shape) if n == 1)
    total: Array = g.sum(axis=(*range(added), *stretched))
    return total.reshape(shape)


def _ids(ids: ArrayLike, n: int, op: str) -> NDArray[np.intp]:
    """A copy of the ids, each an integer in [0, n): numpy alone would wrap -1 to the last row."""
    array = np.asarray(ids)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{op} needs integer ids, not {array.dtype}")
    copy = array.astype(np.intp)
    if copy.size and copy.view(np.uintp).max() >= n:  # as unsigned, a negative id is huge
        raise ValueError(f"{op} got ids from {array.min()} to {array.max()}, outside 0 .. {n - 1}")
    return copy


def _add_rows(table: Array, rows: NDArray[np.intp], g: Array) -> Array:
    """Zeros like the table, each row of g added at its row."""
    n, d = table.shape
    g = g.reshape(rows.size, d)
    if n <= 4 * rows.size:  # a small table: count straight into all of it
        places = (rows * d)[:, None] + np.arange(d)
        return np.bincount(places.ravel(), weights=g.ravel(), minlength=n * d).reshape(n, d).astype(g.dtype)
    out = np.zeros_like(table)
    if rows.size:
        order = np.argsort(rows, kind="stable")
        used, starts = np.unique(rows[order], return_index=True)
        out[used] = np.add.reduceat(g[order], starts, axis=0)
    return out


def _softmax(x: Array, axis: int) -> tuple[Array, Array, Array]:
    """The softmax, 0 for a fully masked row, and the logsumexp in two parts: what was taken off, and the rest.

    Together the two would lose, beside a great logit, the cost of a likely choice.
    """
    greatest = x.max(axis=axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isinf(greatest), 0, greatest)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # +inf gives NaN
        exps = np.exp(x - top)
        total = exps.sum(axis=axis, keepdims=True)
        return exps / np.where(total == 0, 1, total), top, np.log(total)
