"""L0.1 by order of making: what was made last is pulled back first, so that no search of the graph is needed."""

from __future__ import annotations

import heapq
import itertools
import numbers

import numpy as np

from tinyllm.autograd.mode import is_grad_enabled

_made = itertools.count()


class Tensor:
    __array_ufunc__ = None

    def __init__(self, data, requires_grad=False, dtype=np.float32):
        if not np.issubdtype(np.dtype(dtype), np.floating):
            raise TypeError("tensors hold floating point numbers only")
        if isinstance(data, Tensor):
            data = data.data
        self.data = np.array(data).astype(dtype)
        self._become_leaf(requires_grad)

    def _become_leaf(self, requires_grad):
        self.grad = None
        self.requires_grad = requires_grad
        self.number = next(_made)
        self.sources = None
        self.pull = None
        self.label = ""

    @property
    def shape(self):
        return self.data.shape

    @property
    def dtype(self):
        return self.data.dtype

    @property
    def ndim(self):
        return self.data.ndim

    def __len__(self):
        return len(self.data)

    def numpy(self):
        return self.data

    def detach(self):
        return _wrapped(self.data)

    def backward(self, grad=None):
        if not self.requires_grad:
            raise RuntimeError("nothing here requires a gradient")
        if grad is None:
            if self.data.size != 1:
                raise RuntimeError("more than one number: say which gradient to start from")
            grad = np.ones_like(self.data)
        start = np.array(grad, dtype=self.data.dtype)
        if start.shape != self.data.shape:
            raise RuntimeError(f"the gradient has shape {start.shape}, the tensor {self.data.shape}")
        waiting = {self.number: (self, start)}
        heap = [-self.number]
        while heap:
            tensor, total = waiting.pop(-heapq.heappop(heap))
            if tensor.sources is None:
                tensor.grad = total.copy() if tensor.grad is None else tensor.grad + total
                tensor.grad = np.asarray(tensor.grad)
                continue
            shares = list(tensor.pull(total))
            if len(shares) != len(tensor.sources):
                raise RuntimeError(f"{tensor.label}: one gradient for each parent, please")
            for source, share in zip(tensor.sources, shares, strict=True):
                if share is None or not source.requires_grad:
                    continue
                share = np.asarray(share)
                if share.shape != source.data.shape:
                    raise RuntimeError(
                        f"{tensor.label}: {share.shape} is no gradient for {source.data.shape}"
                    )
                share = share.astype(source.data.dtype, copy=False)
                if source.number in waiting:
                    _, so_far = waiting[source.number]
                    waiting[source.number] = (source, np.asarray(so_far + share))
                else:
                    waiting[source.number] = (source, share)
                    heapq.heappush(heap, -source.number)

    def _with(self, other):
        return other if isinstance(other, Tensor) else Tensor(other, dtype=self.data.dtype)

    def __add__(self, other):
        return _add(self, self._with(other))

    def __radd__(self, other):
        return _add(self._with(other), self)

    def __sub__(self, other):
        return _add(self, -self._with(other))

    def __rsub__(self, other):
        return _add(self._with(other), -self)

    def __mul__(self, other):
        return _mul(self, self._with(other))

    def __rmul__(self, other):
        return _mul(self._with(other), self)

    def __truediv__(self, other):
        return _div(self, self._with(other))

    def __rtruediv__(self, other):
        return _div(self._with(other), self)

    def __matmul__(self, other):
        return _product(self, self._with(other))

    def __rmatmul__(self, other):
        return _product(self._with(other), self)

    def __neg__(self):
        return from_op(-self.data, [self], lambda g: [-g], "minus")

    def __pow__(self, exponent):
        if not isinstance(exponent, numbers.Real) or isinstance(exponent, np.ndarray):
            raise TypeError("the exponent is one number")
        x, power = self.data, self.data.dtype.type(exponent)

        def pull(g):
            if power == 0:
                return [np.zeros_like(x)]
            return [g * power * x ** (power - 1)]

        return from_op(x**power, [self], pull, "power")

    def __getitem__(self, index):
        x = self.data

        def pull(g):
            total = np.zeros_like(x)
            np.add.at(total, index, g)
            return [total]

        return from_op(x[index], [self], pull, "item")


def _wrapped(data):
    tensor = object.__new__(Tensor)
    tensor.data = data
    tensor._become_leaf(False)
    return tensor


def from_op(data, parents, vjp, op=""):
    values = np.asarray(data)
    if not np.issubdtype(values.dtype, np.floating):
        raise TypeError("an op gives floating point numbers")
    tensor = _wrapped(values)
    if is_grad_enabled():
        for parent in parents:
            if parent.requires_grad:
                tensor.requires_grad = True
                tensor.sources, tensor.pull, tensor.label = list(parents), vjp, f"op {op}"
                break
    return tensor


def _shrunk(g, shape):
    while g.ndim > len(shape):
        g = g.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1 and g.shape[axis] != 1:
            g = g.sum(axis=axis, keepdims=True)
    return g


def _add(a, b):
    return from_op(a.data + b.data, [a, b], lambda g: [_shrunk(g, a.shape), _shrunk(g, b.shape)], "plus")


def _mul(a, b):
    x, y = a.data, b.data
    return from_op(x * y, [a, b], lambda g: [_shrunk(g * y, x.shape), _shrunk(g * x, y.shape)], "times")


def _div(a, b):
    x, y = a.data, b.data
    return from_op(
        x / y, [a, b], lambda g: [_shrunk(g / y, x.shape), _shrunk(-g * x / (y * y), y.shape)], "over"
    )


def _product(a, b):
    x, y = a.data, b.data
    out = x @ y

    def pull(g):
        rows, columns = np.atleast_2d(x), y[:, None] if y.ndim == 1 else y
        if y.ndim == 1:
            g = g[..., None]
        if x.ndim == 1:
            g = g[..., None, :]
        dx = g @ np.swapaxes(columns, -1, -2)
        dy = np.swapaxes(rows, -1, -2) @ g
        dx, dy = _shrunk(dx, rows.shape), _shrunk(dy, columns.shape)
        return [dx.reshape(x.shape), dy.reshape(y.shape)]

    return from_op(out, [a, b], pull, "product")
