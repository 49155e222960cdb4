"""One comparison with torch: shapes and dtypes first, then values.

`agree` compares an op, a loss or a layer, forward and backward; `steps_agree` an optimiser, step after step. Both
run in float32 and float64, on contiguous and on strided arrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tinyllm.autograd.tensor import Tensor

Array = NDArray[Any]

# What two right float32 results of a few hundred terms may differ by; in float64 a wrong formula cannot hide.
TOLERANCES: dict[Any, dict[str, Any]] = {
    np.float32: {"rtol": 1e-5, "atol": 1e-6},
    np.float64: {"rtol": 1e-9, "atol": 1e-12},
}


def agree(ours: Callable[..., Tensor], theirs: Callable[..., Any], *inputs: ArrayLike) -> None:
    """ours(*tensors) against theirs(torch, *tensors): the result, and the gradient of every input."""
    for dtype, tolerance in TOLERANCES.items():
        for layout in (np.array, _strided):
            arrays = [layout(np.asarray(x, dtype=dtype)) for x in inputs]
            found, wanted = _run_ours(ours, arrays), _run_theirs(theirs, arrays)
            for what, (a, b) in enumerate(zip(found, wanted, strict=True)):
                _same(f"gradient of input {what - 1}" if what else "result", a, b, tolerance)


def steps_agree(
    ours: Callable[[list[Tensor]], Callable[[], Any]],
    theirs: Callable[[Any, list[Any]], Callable[[], Any]],
    steps: int = 12,
) -> None:
    """What ours(params) and theirs(torch, params) give is called after each new gradient: both return the same,
    and leave the same gradients and weights behind.

    The parameters are a matrix, a vector, a number and nothing. A gradient is missing now and then, so that
    buffers begin late and rest, and is once 0, once huge and once tiny.
    """
    import torch

    for dtype, tolerance in TOLERANCES.items():
        for layout in (np.array, _strided):
            values = [layout(_upstream(shape, dtype)) for shape in _PARAMETERS]
            mine = [Tensor(x, requires_grad=True, dtype=x.dtype) for x in values]
            for p, x in zip(mine, values, strict=True):
                p.data = x.copy() if layout is np.array else layout(x)
            twins = [torch.nn.Parameter(torch.from_numpy(x.copy())) for x in values]
            pair = ours(mine), theirs(torch, twins)
            for t in range(steps):
                _give_gradients(torch, t, mine, twins)
                told, wanted = (step() for step in pair)
                if wanted is not None:
                    np.testing.assert_allclose(told, float(wanted), **tolerance, err_msg=f"step {t}")
                for i, (p, q) in enumerate(zip(mine, twins, strict=True)):
                    _same(f"parameter {i} after step {t}", p.data, q.detach().numpy(), tolerance)
                    if q.grad is not None:
                        _same(f"gradient {i} after step {t}", p.grad, q.grad.numpy(), tolerance)


_PARAMETERS = [(4, 3), (5,), (), (0, 2)]
_SCALES = {3: 0.0, 5: 1e4, 7: 1e-30}


def _give_gradients(torch: Any, t: int, mine: list[Tensor], twins: list[Any]) -> None:
    rng = np.random.default_rng(t)
    for i, (p, q) in enumerate(zip(mine, twins, strict=True)):
        g = np.asarray(_SCALES.get(t, 1.0) * rng.standard_normal(p.shape)).astype(p.dtype)
        missing = (t + i) % 4 == 0
        p.grad, q.grad = (None, None) if missing else (g.copy(), torch.from_numpy(g.copy()))


def _strided(x: Array) -> Array:
    """The same values, every other element of a larger array."""
    if x.ndim == 0:
        return x
    larger = np.full((*x.shape[:-1], 2 * x.shape[-1]), np.nan, dtype=x.dtype)
    larger[..., ::2] = x
    return larger[..., ::2]


def _upstream(shape: tuple[int, ...], dtype: Any) -> Array:
    return np.asarray(np.random.default_rng(5).standard_normal(shape)).astype(dtype)


def _run_ours(op: Callable[..., Tensor], arrays: list[Array]) -> list[Array | None]:
    leaves = [Tensor(x, requires_grad=True, dtype=x.dtype) for x in arrays]
    for leaf, x in zip(leaves, arrays, strict=True):
        leaf.data = x  # the constructor's copy is not strided
    with np.errstate(all="ignore"):
        out = op(*leaves)
        out.backward(_upstream(out.shape, out.dtype))
    return [out.data, *(leaf.grad for leaf in leaves)]


def _run_theirs(op: Callable[..., Any], arrays: list[Array]) -> list[Array | None]:
    import torch

    leaves = [torch.from_numpy(x).requires_grad_() for x in arrays]
    out = op(torch, *leaves)
    out.backward(torch.from_numpy(_upstream(tuple(out.shape), out.detach().numpy().dtype)))
    return [out.detach().numpy(), *(None if leaf.grad is None else leaf.grad.numpy() for leaf in leaves)]


def _same(what: str, found: Array | None, wanted: Array | None, tolerance: dict[str, Any]) -> None:
    assert found is not None and wanted is not None, f"{what}: {found} for {wanted}"
    assert found.shape == wanted.shape, f"{what} has shape {found.shape}, torch {wanted.shape}"
    assert found.dtype == wanted.dtype, f"{what} has dtype {found.dtype}, torch {wanted.dtype}"
    np.testing.assert_allclose(found, wanted, **tolerance, err_msg=what)
