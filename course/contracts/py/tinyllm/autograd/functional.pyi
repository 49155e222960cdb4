"""The op library, imported as F.

Every op takes and gives a Tensor and keeps its dtype. A negative axis counts from the end, and an axis of
None means all of them. `keepdims` leaves each reduced axis with size 1. Source of names and conventions,
where an op names no other: torch.nn.functional, with numpy's `axis` and `keepdims`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from tinyllm.autograd.tensor import Tensor

def exp(x: Tensor) -> Tensor:
    """e^x, elementwise, [...] -> [...]."""
    ...

def log(x: Tensor) -> Tensor:
    """The natural logarithm, elementwise, [...] -> [...]; -inf at 0 and NaN below, as numpy."""
    ...

def tanh(x: Tensor) -> Tensor:
    """The hyperbolic tangent, elementwise, [...] -> [...]."""
    ...

def sigmoid(x: Tensor) -> Tensor:
    """1 / (1 + e^-x), elementwise, [...] -> [...]; no overflow, and small values keep their precision."""
    ...

def relu(x: Tensor) -> Tensor:
    """max(x, 0), elementwise, [...] -> [...]; the derivative at 0 is 0."""
    ...

def silu(x: Tensor) -> Tensor:
    """x sigmoid(x), elementwise, [...] -> [...]. Source: Elfwing, Uchibe and Doya (2018)."""
    ...

def gelu(x: Tensor, approximate: str = "none") -> Tensor:
    """x Phi(x), Phi the normal distribution function, elementwise, [...] -> [...].

    approximate "none" is exact; "tanh" takes 1/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) for Phi, as
    GPT-2 does.
    Raises ValueError: another approximate. Source: Hendrycks and Gimpel (2016).
    """
    ...

def sum(x: Tensor, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """The sum over the axes; 0 over no values."""
    ...

def mean(x: Tensor, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """The mean over the axes. Raises ValueError: over no values."""
    ...

def max(x: Tensor, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Tensor:
    """The maximum over the axes; k equal maxima get 1/k of the gradient each. Raises ValueError: over no
    values.

    Source: torch.amax.
    """
    ...

def var(
    x: Tensor, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, correction: int = 1
) -> Tensor:
    """The sum of (x - mean)^2 over the axes, divided by n - correction, n the number of values summed.

    Raises ValueError: n - correction below 1.
    """
    ...

def reshape(x: Tensor, shape: int | Sequence[int]) -> Tensor:
    """The same values in row-major order in another shape; one size may be -1.

    Raises ValueError: sizes that do not fit.
    """
    ...

def transpose(x: Tensor, axis0: int = -2, axis1: int = -1) -> Tensor:
    """Two axes exchanged: [..., n, m] -> [..., m, n] when they are not given."""
    ...

def permute(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Axis i of the result is axis axes[i] of x. Raises ValueError: axes that are no permutation."""
    ...

def concat(xs: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Joined along an axis, the other sizes equal. Raises ValueError: none, or sizes that do not fit."""
    ...

def stack(xs: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Joined along a new axis, all shapes equal. Raises ValueError: none, or shapes that differ."""
    ...

def where(condition: ArrayLike, a: Tensor | ArrayLike, b: Tensor | ArrayLike) -> Tensor:
    """a where the condition is true, else b; the three broadcast. An array or number takes the tensor's
    dtype.

    What was not chosen gets gradient 0, whatever it is.
    """
    ...

def gather(x: Tensor, index: ArrayLike, axis: int = -1) -> Tensor:
    """One value for each index along an axis: out[i, j] = x[i, index[i, j]] for a matrix along its last
    axis.

    index integer, of x's shape but along the axis -> its shape. An index that occurs k times gets the sum
    of k gradients.
    Raises ValueError: an index that is no integer, that is negative or too large, or of another shape.
    Source: numpy.take_along_axis.
    """
    ...

def embedding(weight: Tensor, ids: ArrayLike) -> Tensor:
    """The row of the table for each id: weight [n, d], ids integer [...] -> [..., d].

    The gradient of a row is the sum over all places that read it. Raises ValueError: a weight that is no
    matrix, ids that are no integers, an id outside 0 .. n-1 (-1 too: numpy would read the last row).
    """
    ...

def masked_fill(x: Tensor, mask: ArrayLike, value: float) -> Tensor:
    """value where the mask is true, else x: x [...], mask boolean, broadcast to x's shape -> x's shape.

    Filled places get gradient 0. Raises ValueError: a mask that does not broadcast to x's shape.
    """
    ...

def softmax(x: Tensor, axis: int = -1) -> Tensor:
    """e^x / sum e^x along the axis, [...] -> [...], without overflow.

    Where every x is -inf (a fully masked row), all 0, with gradient 0.
    """
    ...

def log_softmax(x: Tensor, axis: int = -1) -> Tensor:
    """x - logsumexp(x) along the axis, [...] -> [...], without overflow; all -inf where every x is -inf."""
    ...

def logsumexp(x: Tensor, axis: int = -1, keepdims: bool = False) -> Tensor:
    """ln sum e^x along the axis, without overflow; -inf, with gradient 0, where every x is -inf."""
    ...

def dropout(x: Tensor, p: float, training: bool, rng: Any) -> Tensor:
    """While training, 0 with probability p, else x / (1 - p), elementwise, [...] -> [...].

    One rng.uniforms(x.size), in row-major order: a value is kept where its uniform is at least p. When not
    training, or at p = 0, x itself, and nothing is drawn. Raises ValueError: p outside [0, 1).
    Source: Srivastava et al., "Dropout" (JMLR 2014), scaled while training.
    """
    ...

def matmul(a: Tensor, b: Tensor) -> Tensor:
    """a @ b."""
    ...
