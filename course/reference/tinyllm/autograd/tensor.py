"""Reverse-mode automatic differentiation over numpy: a graph of ops, each with its own backward step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tinyllm.autograd.mode import is_grad_enabled

Array = NDArray[Any]
Vjp = Callable[[Array], Iterable["Array | None"]]


class Tensor:
    """An array and, when it needs a gradient, how it was made."""

    __slots__ = ("_op", "_parents", "_vjp", "data", "grad", "requires_grad")
    __array_ufunc__ = None  # numpy then leaves `ndarray + Tensor` to __radd__

    data: Array
    grad: Array | None
    requires_grad: bool
    _parents: tuple[Tensor, ...]
    _vjp: Vjp | None
    _op: str

    def __init__(
        self, data: ArrayLike | Tensor, requires_grad: bool = False, dtype: DTypeLike = np.float32
    ) -> None:
        values = np.array(data.data if isinstance(data, Tensor) else data, dtype=dtype)
        self.data, self.grad, self.requires_grad = _floats(values), None, requires_grad
        self._parents, self._vjp, self._op = (), None, "leaf"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.data.dtype

    @property
    def ndim(self) -> int:
        return self.data.ndim

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"Tensor({self.data!r}, requires_grad={self.requires_grad}, op={self._op!r})"

    def __array__(self, *args: Any, **kwargs: Any) -> Array:
        """Refuse: numpy would read the values and silently cut the graph."""
        raise TypeError("a Tensor is not an array: use an op of F, or .data for its bare values")

    def numpy(self) -> Array:
        return self.data

    def detach(self) -> Tensor:
        return from_op(self.data, (), lambda g: (), "detach")

    def backward(self, grad: ArrayLike | None = None) -> None:
        pending = {self: _seed(self, grad)}
        summed: set[Tensor] = set()  # whose pending gradient is a sum made here, so that it may be added into
        stored: set[int] = set()
        for node in _consumers_first(self):
            upstream = pending.pop(node, None)
            if upstream is None:  # every vjp above said so
                continue
            if node._vjp is None:
                _store(node, upstream, stored)
                continue
            for parent, part in _pull_back(node, tuple(node._vjp(upstream))):
                if parent not in pending:
                    pending[parent] = part
                elif parent in summed:
                    pending[parent] += part
                else:
                    pending[parent] = np.asarray(pending[parent] + part)
                    summed.add(parent)

    def __add__(self, other: ArrayLike | Tensor) -> Tensor:
        a, b = self, _operand(other, self)
        return _binary("add", a.data + b.data, a, b, lambda g: g, lambda g: g)

    def __sub__(self, other: ArrayLike | Tensor) -> Tensor:
        a, b = self, _operand(other, self)
        return _binary("sub", a.data - b.data, a, b, lambda g: g, lambda g: -g)

    def __mul__(self, other: ArrayLike | Tensor) -> Tensor:
        a, b = self, _operand(other, self)
        x, y = a.data, b.data
        return _binary("mul", x * y, a, b, lambda g: g * y, lambda g: g * x)

    def __truediv__(self, other: ArrayLike | Tensor) -> Tensor:
        a, b = self, _operand(other, self)
        y, quotient = b.data, a.data / b.data
        return _binary("div", quotient, a, b, lambda g: g / y, lambda g: -g * quotient / y)

    def __matmul__(self, other: ArrayLike | Tensor) -> Tensor:
        return _matmul(self, _operand(other, self))

    def __radd__(self, other: ArrayLike) -> Tensor:
        return _operand(other, self) + self

    def __rsub__(self, other: ArrayLike) -> Tensor:
        return _operand(other, self) - self

    def __rmul__(self, other: ArrayLike) -> Tensor:
        return _operand(other, self) * self

    def __rtruediv__(self, other: ArrayLike) -> Tensor:
        return _operand(other, self) / self

    def __rmatmul__(self, other: ArrayLike) -> Tensor:
        return _operand(other, self) @ self

    def __neg__(self) -> Tensor:
        return from_op(-self.data, (self,), lambda g: (-g,), "neg")

    def __pow__(self, exponent: float) -> Tensor:
        if not isinstance(exponent, (int, float, np.integer, np.floating)):
            raise TypeError(f"a Tensor's exponent is a number, not {exponent!r:.80}")
        x, n = self.data, float(exponent)  # a numpy float64 would upcast the result
        return from_op(x**n, (self,), lambda g: (g * (n * x ** (n - 1) if n else 0.0),), "pow")

    def __getitem__(self, index: Any) -> Tensor:
        x = self.data
        return from_op(x[index], (self,), lambda g: (_scatter(x, index, g),), "getitem")


def from_op(data: ArrayLike, parents: Sequence[Tensor], vjp: Vjp, op: str = "") -> Tensor:
    """The result of an op, recorded when a parent needs a gradient and this thread records."""
    recorded = is_grad_enabled() and any([parent.requires_grad for parent in parents])
    out = Tensor.__new__(Tensor)
    out.data, out.grad, out.requires_grad = _floats(np.asarray(data)), None, recorded
    out._parents, out._vjp, out._op = (tuple(parents), vjp, op) if recorded else ((), None, op)
    return out


def _floats(values: Array) -> Array:
    if values.dtype.kind != "f":
        raise TypeError(f"a Tensor holds floats, not {values.dtype}: keep ids and masks as numpy arrays")
    return values


def _operand(value: ArrayLike | Tensor, like: Tensor) -> Tensor:
    """Numbers and arrays take the tensor's dtype, so that float32 stays float32."""
    return value if isinstance(value, Tensor) else Tensor(value, dtype=like.dtype)


def _seed(root: Tensor, grad: ArrayLike | None) -> Array:
    """The gradient that backward starts from."""
    if not root.requires_grad:
        raise RuntimeError("backward on a tensor that requires no grad: none that it was made from does")
    if grad is None and root.data.size != 1:
        raise RuntimeError(
            f"backward on a tensor of shape {root.shape}: pass grad, or reduce it to one number"
        )
    seed = np.array(1.0 if grad is None else grad, dtype=root.dtype)
    if grad is None:
        seed = seed.reshape(root.shape)
    if seed.shape != root.shape:
        raise RuntimeError(f"backward got a grad of shape {seed.shape} for a tensor of shape {root.shape}")
    return seed


def _consumers_first(root: Tensor) -> list[Tensor]:
    """Every tensor that needs a gradient, after all made from it; without recursion, for long chains."""
    order, seen = [], {root}
    path = [(root, iter(root._parents))]
    while path:
        node, parents = path[-1]
        for parent in parents:
            if parent.requires_grad and parent not in seen:
                seen.add(parent)
                path.append((parent, iter(parent._parents)))
                break
        else:
            order.append(node)
            path.pop()
    return order[::-1]


def _pull_back(node: Tensor, parts: Sequence[Array | None]) -> list[tuple[Tensor, Array]]:
    """What the node's vjp gave to each parent that needs it, checked, in that parent's dtype."""
    parents, op = node._parents, node._op
    if len(parts) != len(parents):
        raise RuntimeError(f"the vjp of op {op!r} must return {len(parents)} gradients, not {len(parts)}")
    due = []
    for parent, part in zip(parents, parts, strict=True):
        if part is not None and parent.requires_grad:
            data = parent.data
            grad = np.asarray(part, dtype=data.dtype)
            if grad.shape != data.shape:
                raise RuntimeError(f"the vjp of op {op!r} gave {grad.shape} for a parent of {data.shape}")
            due.append((parent, grad))
    return due


def _store(leaf: Tensor, grad: Array, stored: set[int]) -> None:
    """Keep the array itself unless another leaf may hold it: clipping scales a gradient in place."""
    if leaf.grad is not None:
        leaf.grad = np.asarray(leaf.grad + grad)
    else:
        leaf.grad = grad.copy() if grad.base is not None or id(grad) in stored else grad
        stored.add(id(leaf.grad))


def _sum_to(grad: Array, shape: tuple[int, ...]) -> Array:
    """Undo broadcasting: sum over the axes that were added or stretched."""
    if grad.shape == shape:
        return grad
    added = grad.ndim - len(shape)
    stretched = tuple(added + i for i, n in enumerate(shape) if n == 1)
    total: Array = np.add.reduce(grad, axis=(*range(added), *stretched))
    return total.reshape(shape)


def _binary(
    op: str, data: Array, a: Tensor, b: Tensor, to_a: Callable[[Array], Array], to_b: Callable[[Array], Array]
) -> Tensor:
    """A node for a broadcasting op with these two partial derivatives, each worked out only when needed."""

    def vjp(g: Array) -> tuple[Array | None, Array | None]:
        return (
            _sum_to(to_a(g), a.shape) if a.requires_grad else None,
            _sum_to(to_b(g), b.shape) if b.requires_grad else None,
        )

    return from_op(data, (a, b), vjp, op)


def _matmul(a: Tensor, b: Tensor) -> Tensor:
    """`a @ b` as in numpy: a 1-D operand is a row on the left, a column on the right."""
    out = a.data @ b.data
    x = a.data[None, :] if a.ndim == 1 else a.data
    y = b.data[:, None] if b.ndim == 1 else b.data
    shape = (*out.shape[: out.ndim - (a.ndim > 1) - (b.ndim > 1)], x.shape[-2], y.shape[-1])

    def to_b(g: Array) -> Array:
        columns: Array = x.swapaxes(-1, -2) @ g.reshape(shape)
        return columns[..., 0] if b.ndim == 1 else columns

    return _binary("matmul", out, a, b, lambda g: g.reshape(shape) @ y.swapaxes(-1, -2), to_b)


def _scatter(like: Array, index: Any, grad: Array) -> Array:
    """Add grad into zeros at the places that `like[index]` read, however often it read them."""
    keys = index if isinstance(index, tuple) else (index,)
    if all(key is None or key is Ellipsis or isinstance(key, (int, slice, np.integer)) for key in keys):
        out = np.zeros_like(like)
        out[index] = grad  # such an index reads no place twice
        return out
    places = np.arange(like.size).reshape(like.shape)[index]
    sums = np.bincount(places.ravel(), weights=grad.ravel(), minlength=like.size)
    return sums.astype(like.dtype).reshape(like.shape)
