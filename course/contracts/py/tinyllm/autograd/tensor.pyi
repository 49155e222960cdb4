"""Reverse-mode automatic differentiation over numpy arrays.

Every op makes a node that keeps its parents and its vector-Jacobian product (vjp): the function from the
gradient of its result to the gradients of its parents. `backward` runs these in reverse order, from the
result to the leaves. A float32 tensor stays float32 under every op: numbers and arrays that meet it take
its dtype. Arrays that an op has read must stay as they are until its backward: numpy cannot tell that they
have changed.
Source: Baydin, Pearlmutter, Radul and Siskind, "Automatic Differentiation in Machine Learning" (JMLR 2018),
section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

class Tensor:
    """An array of floats that can have a gradient.

    data: the array; it may be replaced by one of another float dtype, which all made from it then has.
    grad: an array of data's shape and dtype that shares memory with nothing else, or None; on leaves only.
    requires_grad: set on a leaf by its maker, on the result of an op when a parent has it.
    """

    data: NDArray[Any]
    grad: NDArray[Any] | None
    requires_grad: bool

    def __init__(
        self, data: ArrayLike | Tensor, requires_grad: bool = False, dtype: DTypeLike = np.float32
    ) -> None:
        """A leaf that holds a copy of data [...] in the given dtype.

        Raises TypeError: a dtype that is no float.
        """
        ...

    @property
    def shape(self) -> tuple[int, ...]:
        """data.shape."""
        ...

    @property
    def dtype(self) -> np.dtype[Any]:
        """data.dtype."""
        ...

    @property
    def ndim(self) -> int:
        """data.ndim."""
        ...

    def __len__(self) -> int:
        """The size of the first axis. Raises TypeError: a 0-d tensor."""
        ...

    def numpy(self) -> NDArray[Any]:
        """data itself, not a copy."""
        ...

    def detach(self) -> Tensor:
        """A constant that shares data: no gradient flows through it."""
        ...

    def backward(self, grad: ArrayLike | None = None) -> None:
        """Add d(this)/d(leaf), times grad, to the grad of every leaf below that requires one.

        grad [this shape], the gradient of this tensor; None means 1, for a tensor of one element. Each node
        is visited once, after all that were made from it, without recursion. The graph stays: a second call
        adds exactly the same again. Results of ops keep no grad.
        Raises RuntimeError: this tensor requires no grad; grad None and more than one element; grad of
        another shape; a vjp that returned another number of gradients than it has parents, or one of
        another shape than its parent (the message names the op).
        """
        ...

    def __add__(self, other: ArrayLike | Tensor) -> Tensor:
        """Elementwise, with numpy's broadcasting; other is a tensor, an array or a number."""
        ...

    def __sub__(self, other: ArrayLike | Tensor) -> Tensor:
        """Elementwise, broadcasting."""
        ...

    def __mul__(self, other: ArrayLike | Tensor) -> Tensor:
        """Elementwise, broadcasting."""
        ...

    def __truediv__(self, other: ArrayLike | Tensor) -> Tensor:
        """Elementwise, broadcasting."""
        ...

    def __matmul__(self, other: ArrayLike | Tensor) -> Tensor:
        """[..., n, k] @ [..., k, m] -> [..., n, m]; a 1-D operand as in numpy.

        Raises ValueError: sizes that do not fit.
        """
        ...

    def __radd__(self, other: ArrayLike) -> Tensor:
        """other + this: also for an ndarray, whose own + leaves it to this."""
        ...

    def __rsub__(self, other: ArrayLike) -> Tensor:
        """other - this."""
        ...

    def __rmul__(self, other: ArrayLike) -> Tensor:
        """other * this."""
        ...

    def __rtruediv__(self, other: ArrayLike) -> Tensor:
        """other / this."""
        ...

    def __rmatmul__(self, other: ArrayLike) -> Tensor:
        """other @ this."""
        ...

    def __neg__(self) -> Tensor:
        """-this."""
        ...

    def __pow__(self, exponent: float) -> Tensor:
        """Elementwise, by a number; x ** 0 has gradient 0 everywhere.

        Raises TypeError: an exponent that is no number.
        """
        ...

    def __getitem__(self, index: Any) -> Tensor:
        """data[index], by anything that numpy takes. A place read k times gets the sum of its k gradients.

        Raises IndexError: as numpy does.
        """
        ...

def from_op(
    data: ArrayLike,
    parents: Sequence[Tensor],
    vjp: Callable[[NDArray[Any]], Iterable[NDArray[Any] | None]],
    op: str = "",
) -> Tensor:
    """The result of an op: the seam that every op is made with.

    data [...] is not copied and keeps its float dtype. vjp(g) gets the gradient of data, of its shape and
    dtype, and returns for each parent, in order, an array of that parent's shape or None (no gradient). It
    must not write into g, and it gives away what it returns: g itself, a view and a new array will do, an
    array that it keeps will not. It may be called more than once. op names the op in messages.
    When no parent requires a gradient, or inside no_grad(), the result is a constant and vjp is dropped.
    Raises TypeError: data that are no floats.
    """
    ...
