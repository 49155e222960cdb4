"""L0.1 with a record beside each tensor, and consumers counted: a node is ready when all of them have spoken."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

import tinyllm.autograd.mode as mode


@dataclass(eq=False)
class _Record:
    parents: tuple
    vjp: Any
    name: str


def _checked(array):
    if not isinstance(array.item(0) if array.size else array.dtype.type(0).item(), float):
        raise TypeError("no floats")
    return array


class Tensor:
    __array_ufunc__ = None

    def __init__(self, data, requires_grad=False, dtype=np.float32):
        if isinstance(data, Tensor):
            data = data.data
        self.data = _checked(np.array(data, dtype=dtype, copy=True))
        self.grad, self.requires_grad, self._record = None, requires_grad, None

    shape = property(lambda self: self.data.shape)
    dtype = property(lambda self: self.data.dtype)
    ndim = property(lambda self: self.data.ndim)

    def __len__(self):
        if self.ndim == 0:
            raise TypeError("a number has no length")
        return self.shape[0]

    def numpy(self):
        return self.data

    def detach(self):
        constant = Tensor(0.0)
        constant.data = self.data
        return constant

    def backward(self, grad=None):
        if not self.requires_grad:
            raise RuntimeError("no gradient is required here")
        totals = {id(self): _start(self, grad)}
        tensors, waits = _counted(self)
        ready = [self]
        while ready:
            tensor = ready.pop()
            total = totals.pop(id(tensor), None)
            record = tensor._record
            if record is None:
                if total is not None:
                    fresh = np.array(total)
                    tensor.grad = fresh if tensor.grad is None else np.asarray(tensor.grad + fresh)
                continue
            shares = [None] * len(record.parents)
            if total is not None:
                shares = list(record.vjp(total))
                if len(shares) != len(record.parents):
                    raise RuntimeError(f"op {record.name} returned {len(shares)} gradients")
            for parent, share in zip(record.parents, shares, strict=True):
                if not parent.requires_grad:
                    continue
                if share is not None:
                    if np.shape(share) != parent.shape:
                        raise RuntimeError(f"op {record.name} returned a gradient of shape {np.shape(share)}")
                    if id(parent) in totals:
                        totals[id(parent)] = np.add(totals[id(parent)], share, dtype=parent.dtype)
                    else:
                        totals[id(parent)] = np.array(share, dtype=parent.dtype)
                waits[id(parent)] -= 1
                if waits[id(parent)] == 0:
                    ready.append(tensors[id(parent)])

    def __add__(self, other):
        other = self._like(other)
        return self._both("add", self.data + other.data, other, lambda g: g, lambda g: g)

    def __sub__(self, other):
        other = self._like(other)
        return self._both("sub", self.data - other.data, other, lambda g: g, np.negative)

    def __mul__(self, other):
        other = self._like(other)
        x, y = self.data, other.data
        return self._both("mul", x * y, other, lambda g: g * y, lambda g: g * x)

    def __truediv__(self, other):
        other = self._like(other)
        x, y = self.data, other.data
        return self._both("div", x / y, other, lambda g: g / y, lambda g: -(g / y) * (x / y))

    def __matmul__(self, other):
        other = self._like(other)
        x, y = self.data, other.data
        if x.ndim == 2 and y.ndim == 2:
            return self._both("matmul", x @ y, other, lambda g: g @ y.T, lambda g: x.T @ g)
        if x.ndim == 0 or y.ndim == 0:
            raise ValueError("a number is no matrix")
        left = x[np.newaxis] if x.ndim == 1 else x
        right = y[:, np.newaxis] if y.ndim == 1 else y
        out = left @ right
        full = out.shape
        if y.ndim == 1:
            out = out[..., 0]
        if x.ndim == 1:
            out = out[..., 0, :] if y.ndim > 1 else out[..., 0]

        def for_left(g):
            return np.einsum("...ij,...kj->...ik", g.reshape(full), right)

        def for_right(g):
            part = np.einsum("...ij,...ik->...jk", left, g.reshape(full))
            return part[..., 0] if y.ndim == 1 else part

        return self._both("matmul", np.array(out), other, for_left, for_right)

    def __radd__(self, other):
        return self._like(other).__add__(self)

    def __rsub__(self, other):
        return self._like(other).__sub__(self)

    def __rmul__(self, other):
        return self._like(other).__mul__(self)

    def __rtruediv__(self, other):
        return self._like(other).__truediv__(self)

    def __rmatmul__(self, other):
        return self._like(other).__matmul__(self)

    def __neg__(self):
        return self * -1.0

    def __pow__(self, exponent):
        if not isinstance(exponent, (int, float, np.number)):
            raise TypeError("an exponent is a number")
        n = float(exponent)
        x = self.data
        slope = np.zeros_like(x) if n == 0 else n * np.power(x, n - 1)
        return from_op(np.power(x, n), (self,), lambda g: (slope * g,), "pow")

    def __getitem__(self, index):
        x, places = self.data, np.arange(self.data.size).reshape(self.shape)

        def vjp(g):
            flat = np.zeros(x.size, dtype=np.float64)
            np.add.at(flat, places[index].ravel(), g.ravel())
            return (flat.reshape(x.shape),)

        return from_op(x[index], (self,), vjp, "getitem")

    def _like(self, value):
        return value if isinstance(value, Tensor) else Tensor(value, dtype=self.dtype)

    def _both(self, name, data, other, for_self, for_other):
        sides = ((self, self.shape, for_self), (other, other.shape, for_other))

        def vjp(g):
            for _, shape, share in sides:
                yield _folded(share(g), shape)

        return from_op(data, (self, other), vjp, name)


def from_op(data, parents, vjp, op=""):
    array = _checked(np.asarray(data))
    out = Tensor(0.0)
    out.data = array
    if mode.is_grad_enabled() and True in [parent.requires_grad for parent in parents]:
        out.requires_grad, out._record = True, _Record(tuple(parents), vjp, repr(op))
    return out


def _start(tensor, grad):
    if grad is None:
        if math.prod(tensor.shape) != 1:
            raise RuntimeError("a gradient is needed: this is more than one number")
        return np.full(tensor.shape, 1, dtype=tensor.dtype)
    array = np.array(grad, dtype=tensor.dtype)
    if array.shape != tensor.shape:
        raise RuntimeError("the gradient has another shape")
    return array


def _counted(root):
    """Every tensor below that needs a gradient, and how often each is a parent."""
    tensors, waits, stack = {id(root): root}, {}, [root]
    while stack:
        record = stack.pop()._record
        for parent in record.parents if record else ():
            if parent.requires_grad:
                waits[id(parent)] = waits.get(id(parent), 0) + 1
                if id(parent) not in tensors:
                    tensors[id(parent)] = parent
                    stack.append(parent)
    return tensors, waits


def _folded(grad, shape):
    extra = np.ndim(grad) - len(shape)
    for axis in reversed(range(np.ndim(grad))):
        if axis < extra:
            grad = np.sum(grad, axis=axis)
        elif shape[axis - extra] == 1:
            grad = np.sum(grad, axis=axis, keepdims=True)
    return grad
