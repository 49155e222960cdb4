"""The op library: values against formulas, derivatives against central differences, dtypes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tinyllm.autograd.functional as F
from tinyllm.autograd.tensor import Tensor
from tinyllm.num.gradcheck import gradcheck
from tinyllm.num.rng import PCG32

MASK = np.array([[True, False, False], [False, False, True]])
INDEX = np.array([[0, 0, 2], [2, 1, 1]])

OPS: dict[str, Callable[[Tensor], Tensor]] = {
    "exp": F.exp,
    "log": F.log,
    "tanh": F.tanh,
    "sigmoid": F.sigmoid,
    "relu": F.relu,
    "silu": F.silu,
    "gelu": F.gelu,
    "gelu tanh": lambda x: F.gelu(x, "tanh"),
    "sum": lambda x: F.sum(x, 0),
    "mean": lambda x: F.mean(x, 1, keepdims=True),
    "max": lambda x: F.max(x, 1),
    "var": lambda x: F.var(x, 1),
    "reshape": lambda x: F.reshape(x, (3, 2)),
    "transpose": F.transpose,
    "permute": lambda x: F.permute(x, (1, 0)),
    "concat": lambda x: F.concat([x, x * 2], 1),
    "stack": lambda x: F.stack([x, x * 2], 1),
    "where": lambda x: F.where(MASK, x, 3.0),
    "gather": lambda x: F.gather(x, INDEX),
    "embedding": lambda x: F.embedding(x, [[1, 1], [0, 1]]),
    "masked_fill": lambda x: F.masked_fill(x, MASK, 9.0),
    "softmax": F.softmax,
    "log_softmax": lambda x: F.log_softmax(x, 0),
    "logsumexp": F.logsumexp,
    "dropout": lambda x: F.dropout(x, 0.4, True, PCG32(1)),
    "matmul": lambda x: F.matmul(x, F.transpose(x)),
}


def leaf(*shape: int) -> Tensor:
    return Tensor(
        np.random.default_rng(0).permutation(math.prod(shape)).reshape(shape) * 0.3 + 0.2, requires_grad=True
    )


def grad_of(tensor: Tensor) -> Any:
    assert tensor.grad is not None
    return tensor.grad


X = np.random.default_rng(0).permutation(6).reshape(2, 3) * 0.3 + 0.2
EXPS = np.exp(X)
CUBIC = math.sqrt(2 / math.pi) * (X + 0.044715 * X**3)

VALUES: dict[str, Any] = {
    "exp": EXPS,
    "log": np.log(X),
    "tanh": np.tanh(X),
    "sigmoid": EXPS / (1 + EXPS),
    "relu": X,
    "silu": X * EXPS / (1 + EXPS),
    "gelu": X * np.vectorize(lambda x: (1 + math.erf(x / math.sqrt(2))) / 2)(X),
    "gelu tanh": X * (1 + np.tanh(CUBIC)) / 2,
    "sum": X.sum(axis=0),
    "mean": X.mean(axis=1, keepdims=True),
    "max": X.max(axis=1),
    "var": X.var(axis=1, ddof=1),
    "reshape": X.reshape(3, 2),
    "transpose": X.T,
    "permute": X.T,
    "concat": np.concatenate([X, 2 * X], axis=1),
    "stack": np.stack([X, 2 * X], axis=1),
    "where": np.where(MASK, X, 3.0),
    "gather": np.take_along_axis(X, INDEX, axis=1),
    "embedding": X[[[1, 1], [0, 1]]],
    "masked_fill": np.where(MASK, 9.0, X),
    "softmax": EXPS / EXPS.sum(axis=1, keepdims=True),
    "log_softmax": np.log(EXPS / EXPS.sum(axis=0)),
    "logsumexp": np.log(EXPS.sum(axis=1)),
    "dropout": np.where(PCG32(1).uniforms(6).reshape(2, 3) >= 0.4, X / 0.6, 0.0),
    "matmul": X @ X.T,
}


@pytest.mark.parametrize("name", OPS)
def test_every_op_gives_what_its_formula_gives(name: str) -> None:
    x = leaf(2, 3)
    np.testing.assert_allclose(x.data, X, rtol=1e-6)
    np.testing.assert_allclose(OPS[name](x).data, VALUES[name], rtol=1e-5)


def test_ops_of_more_axes_agree_with_central_differences() -> None:
    x, y = leaf(2, 3, 2), Tensor(np.ones((3, 1)), requires_grad=True)
    mask = np.arange(12).reshape(2, 3, 2) % 3 == 0
    weights = np.random.default_rng(1).standard_normal((2, 3, 2))
    ops: list[Callable[[], Tensor]] = [
        lambda: F.where(mask, y, x * x),
        lambda: F.transpose(F.permute(x * x, (-2, -1, 0)), 0, -1) * 1.0,
        lambda: (
            F.concat([x[:, :1] * y[0], x[:, 1:2] * x[:, :1], x[:, 2:]], 1)
            * F.stack([x, x * x, x], -1)[..., 1]
        ),
        lambda: F.log_softmax(x, 1) * F.log_softmax(x, -1),
        lambda: x - F.sum(x * x, (0, -1), keepdims=True) + F.max(x, 1, keepdims=True),
        lambda: F.softmax(x, 1) + F.logsumexp(x * x, 0),
    ]
    for op in ops:
        report = gradcheck(lambda op=op: F.sum(F.reshape(op(), (2, 3, 2)) * weights), [x, y])
        assert report, str(report)


@pytest.mark.parametrize("op", OPS.values(), ids=OPS.keys())
def test_every_derivative_agrees_with_central_differences(op: Callable[[Tensor], Tensor]) -> None:
    x = leaf(2, 3)
    weights = np.random.default_rng(1).standard_normal(op(x).shape)
    report = gradcheck(lambda: F.sum(op(x) * weights), [x])
    assert report, str(report)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("op", OPS.values(), ids=OPS.keys())
def test_every_op_keeps_the_dtype_and_adds_up_twice(op: Callable[[Tensor], Tensor], dtype: Any) -> None:
    x = leaf(2, 3)
    x.data = x.data.astype(dtype)
    out = op(x)
    out.backward(np.ones(out.shape))
    first = grad_of(x).copy()
    assert out.dtype == dtype and first.dtype == dtype and first.shape == x.shape
    out.backward(np.ones(out.shape))
    np.testing.assert_array_equal(grad_of(x), 2 * first)


ON_NUMBERS = ["exp", "log", "tanh", "sigmoid", "relu", "silu", "gelu", "gelu tanh", "dropout"]


@pytest.mark.parametrize("op", [OPS[name] for name in ON_NUMBERS], ids=ON_NUMBERS)
def test_a_single_number_stays_float32(op: Callable[[Tensor], Tensor]) -> None:
    x = Tensor(0.7, requires_grad=True)
    out = op(x)
    out.backward()
    assert (out.dtype, out.shape) == (np.float32, ())
    assert (grad_of(x).dtype, grad_of(x).shape) == (np.float32, ())
