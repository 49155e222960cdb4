"""Tensors: leaves, arithmetic and the dtype it keeps, indexing."""

from __future__ import annotations

import operator
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

import tinyllm.autograd.functional as F
from tinyllm.autograd.tensor import Tensor, from_op
from tinyllm.num.gradcheck import gradcheck

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv]


def leaf(*shape: int, seed: int = 0) -> Tensor:
    return Tensor(np.random.default_rng(seed).uniform(0.5, 2.0, shape), requires_grad=True)


def grad_of(tensor: Tensor) -> Any:
    assert tensor.grad is not None
    return tensor.grad


def test_a_leaf_holds_a_float32_copy() -> None:
    source = np.ones(3, dtype=np.float32)
    x = Tensor(source)
    source[0] = 5
    assert x.data.tolist() == [1, 1, 1]
    assert (x.dtype, x.shape, x.ndim, len(x)) == (np.float32, (3,), 1, 3)
    assert x.grad is None and not x.requires_grad
    assert Tensor([1, 2]).dtype == np.float32
    assert Tensor(np.zeros(2, dtype=np.float64)).dtype == np.float32
    assert Tensor([1, 2], dtype=np.float64).dtype == np.float64


def test_a_leaf_made_from_a_tensor_is_a_copy_too() -> None:
    x = Tensor([1.0], requires_grad=True)
    y = Tensor(x)
    y.data[0] = 7
    assert x.data.tolist() == [1] and not y.requires_grad


def test_a_tensor_holds_floats_only() -> None:
    with pytest.raises(TypeError, match="int64"):
        Tensor([1, 2], dtype=np.int64)
    with pytest.raises(TypeError, match="bool"):
        from_op(np.array([True]), (), lambda g: ())


def test_a_number_has_no_length() -> None:
    with pytest.raises(TypeError):
        len(Tensor(1.0))


def test_numpy_gives_the_array_itself_and_detach_shares_it() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    assert x.numpy() is x.data
    constant = x.detach()
    assert constant.data is x.data and not constant.requires_grad
    (x * constant).backward([1.0, 1.0])
    assert grad_of(x).tolist() == [1.0, 2.0]


def test_numpy_refuses_to_read_a_tensor_in_silence() -> None:
    x = Tensor([1.0], requires_grad=True)
    for misuse in (
        np.asarray,
        np.exp,
        lambda t: np.matmul(np.ones((1, 1)), t),
        lambda t: np.concatenate([t, t]),
    ):
        with pytest.raises(TypeError):
            misuse(x)


def test_a_copied_leaf_is_independent() -> None:
    x = Tensor([1.0, 2.0], requires_grad=True)
    y = deepcopy(x)
    y.data[0] = 9
    assert x.data.tolist() == [1.0, 2.0] and y.requires_grad


@pytest.mark.parametrize("op", [*ARITHMETIC, operator.matmul])
def test_an_array_on_either_side_gives_a_tensor(op: Callable[[Any, Any], Any]) -> None:
    array = np.array([[1.0, 2.0], [3.0, 4.0]])
    x = leaf(2, 2)
    for a, b in ((x, array), (array, x), (array.astype(np.float32), x)):
        out = op(a, b)
        assert isinstance(out, Tensor)
        expected = op(
            *(np.asarray(side.data if isinstance(side, Tensor) else side, np.float32) for side in (a, b))
        )
        np.testing.assert_allclose(out.data, expected, rtol=1e-6)
        assert out.dtype == np.float32


@pytest.mark.parametrize("number", [2, 2.5, np.float64(2.5), np.float32(2.5), np.int64(2), np.array(2.5)])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_no_number_takes_float32_away(number: Any, shape: tuple[int, ...]) -> None:
    x = leaf(*shape)
    for op in ARITHMETIC:
        for out in (op(x, number), op(number, x)):
            assert out.dtype == np.float32 and out.shape == shape
    x.grad = None
    out = x**2 * number / number - number + x ** np.float64(0.5)
    out.backward(np.ones(shape))
    assert (out.dtype, grad_of(x).dtype) == (np.float32, np.float32)


def test_float64_arrays_in_leaves_make_everything_float64() -> None:
    a, b = leaf(3, 4), leaf(4, seed=1)
    a.data = a.data.astype(np.float64)
    out = (a * 2 + np.ones(4)) @ b
    assert out.dtype == np.float64
    out.backward(np.ones(3))
    assert grad_of(a).dtype == np.float64
    assert grad_of(b).dtype == np.float32, "a gradient has the dtype of its own leaf"


@pytest.mark.parametrize("op", ARITHMETIC)
def test_arithmetic_agrees_with_central_differences(op: Callable[[Any, Any], Any]) -> None:
    a, b = leaf(2, 3), leaf(3, seed=1)
    weights = np.arange(6.0).reshape(2, 3)
    for left, right in ((a, b), (b, a), (a, a), (a, 3.0), (3.0, a)):
        report = gradcheck(lambda left=left, right=right: F.sum(op(left, right) * weights), [a, b])
        assert report, str(report)


SHAPES = [
    ((3, 4), (4, 2)),
    ((4,), (4,)),
    ((4,), (4, 2)),
    ((3, 4), (4,)),
    ((4,), (2, 4, 3)),
    ((2, 3, 4), (4,)),
    ((2, 1, 3, 4), (3, 4, 2)),
]


@pytest.mark.parametrize(("left", "right"), SHAPES)
def test_matmul_agrees_with_numpy_and_with_central_differences(
    left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    a, b = leaf(*left), leaf(*right, seed=1)
    out = a @ b
    np.testing.assert_allclose(out.data, a.data @ b.data, rtol=1e-6)
    weights = np.random.default_rng(3).standard_normal(out.shape)
    report = gradcheck(lambda: F.sum((a @ b) * weights), [a, b])
    assert report, str(report)


@pytest.mark.parametrize("shapes", [((3, 4), (3, 4)), ((2,), (3,)), ((), (3,))])
def test_sizes_that_do_not_fit_are_an_error(shapes: tuple[tuple[int, ...], ...]) -> None:
    a, b = (leaf(*shape) for shape in shapes)
    with pytest.raises(ValueError):
        a @ b


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, -1, 0.5, -1.5])
def test_signs_and_powers_agree_with_numpy_and_with_central_differences(exponent: float) -> None:
    x = leaf(4)
    np.testing.assert_allclose((-(x**exponent)).data, -(x.data**exponent), rtol=1e-6)
    report = gradcheck(lambda: F.sum(-(x**exponent) * np.array([1.0, -2.0, 3.0, 0.5])), [x])
    assert report, str(report)


@given(st.data())
def test_a_broadcast_operand_gets_the_sum_over_its_copies(data: st.DataObject) -> None:
    shapes, result = data.draw(
        mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0, max_side=3)
    )
    a, b = leaf(*shapes[0]), leaf(*shapes[1], seed=1)
    (a * b).backward(np.ones(result))
    spread = np.broadcast_to(b.data, result)
    extra = len(result) - a.ndim
    axes = tuple(range(extra)) + tuple(extra + i for i, n in enumerate(a.shape) if n == 1)
    np.testing.assert_allclose(grad_of(a), spread.sum(axis=axes).reshape(a.shape), rtol=1e-5)


def test_a_power_needs_a_number_for_its_exponent() -> None:
    x = leaf(2)
    for exponent in (x, Tensor(2.0), np.ones(2), np.ones(1), [1, 2], "2", None):
        with pytest.raises(TypeError):
            x**exponent


def test_a_power_of_zero_is_constant_even_at_zero() -> None:
    x = Tensor([0.0, 2.0], requires_grad=True)
    (x**0).backward([1.0, 1.0])
    assert grad_of(x).tolist() == [0, 0]


@pytest.mark.parametrize(
    "index", [1, -1, slice(0, 2), (slice(None), 1), [0, 0, 1], ([0, 0, 0], [1, 1, 2]), ...]
)
def test_each_read_of_a_place_counts(index: Any) -> None:
    x = leaf(3, 4)
    out = x[index]
    np.testing.assert_array_equal(out.data, x.data[index])
    upstream = np.random.default_rng(1).standard_normal(out.shape).astype(np.float32)
    out.backward(upstream)
    expected = np.zeros((3, 4), dtype=np.float32)
    np.add.at(expected, index, upstream)
    np.testing.assert_allclose(grad_of(x), expected, rtol=1e-6)


def test_an_index_out_of_range_is_an_index_error_and_ends_iteration() -> None:
    x = leaf(3)
    with pytest.raises(IndexError):
        x[3]
    assert [float(each.data) for each in x] == x.data.tolist()
