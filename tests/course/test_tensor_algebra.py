"""Properties of tensors that hold for any shapes and values: hypothesis looks for the ones where they do not.

All run in float64 on small integers, so that sums and products are exact and equality means equality.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays, basic_indices, mutually_broadcastable_shapes
from numpy.typing import NDArray

import tinyllm.autograd.functional as F
from tinyllm.autograd.tensor import Tensor

Array = NDArray[np.float64]
Op = Callable[..., Tensor]

SHAPES = array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)


def integers(shape: Any) -> st.SearchStrategy[Array]:
    return arrays(np.float64, shape, elements=st.integers(-9, 9).map(float))


def some(data: st.DataObject, shape: Any) -> Array:
    return np.asarray(data.draw(integers(shape)))


def leaf(x: Array) -> Tensor:
    return Tensor(x, requires_grad=True, dtype=np.float64)


def run(op: Op, *inputs: Array, upstream: Array | None = None) -> tuple[Array, list[Array]]:
    """The value, and the gradient of each input for this upstream gradient, or for one of ones."""
    leaves = [leaf(x) for x in inputs]
    out = op(*leaves)
    out.backward(np.ones(out.shape) if upstream is None else upstream)
    grads = [
        np.zeros(x.shape) if each.grad is None else each.grad for x, each in zip(inputs, leaves, strict=True)
    ]
    return out.data, grads


def assert_same(one: tuple[Array, list[Array]], other: tuple[Array, list[Array]]) -> None:
    """Equal values and gradients, shapes and dtypes."""
    for a, b in zip([one[0], *one[1]], [other[0], *other[1]], strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_array_equal(a, b)


def pair(data: st.DataObject) -> tuple[Array, Array, Array]:
    """Two arrays that broadcast, and an upstream gradient for the result."""
    shapes, result = data.draw(
        mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0, max_side=3)
    )
    return some(data, shapes[0]), some(data, shapes[1]), some(data, result)


@pytest.mark.parametrize("op", [operator.add, operator.mul])
@given(data=st.data())
def test_sums_and_products_commute(op: Op, data: st.DataObject) -> None:
    a, b, g = pair(data)
    assert_same(run(op, a, b, upstream=g), run(lambda a, b: op(b, a), a, b, upstream=g))


@given(data=st.data())
def test_a_difference_is_the_sum_with_the_negative(data: st.DataObject) -> None:
    a, b, g = pair(data)
    assert_same(run(operator.sub, a, b, upstream=g), run(lambda a, b: a + -b, a, b, upstream=g))


@given(data=st.data())
def test_a_factor_goes_over_a_sum(data: st.DataObject) -> None:
    a, b, g = pair(data)
    c = some(data, ())
    both = [lambda a, b, c: c * (a + b), lambda a, b, c: c * a + c * b]
    assert_same(*(run(op, a, b, c, upstream=g) for op in both))


@given(data=st.data())
def test_an_operand_that_broadcasts_is_the_same_as_its_copies(data: st.DataObject) -> None:
    """Its gradient is that of the copies, summed back into its shape."""
    a, b, g = pair(data)
    wide = np.array(np.broadcast_to(a, g.shape))
    value, (grad, grad_b) = run(operator.mul, a, b, upstream=g)
    value_of_copies, (copies, grad_b_of_copies) = run(operator.mul, wide, b, upstream=g)
    extra = g.ndim - a.ndim
    axes = (*range(extra), *(extra + i for i, n in enumerate(a.shape) if n == 1))
    summed = copies.sum(axis=axes).reshape(a.shape)
    assert_same((value, [grad, grad_b]), (value_of_copies, [summed, grad_b_of_copies]))


@given(data=st.data())
def test_backward_is_linear_in_the_gradient_it_is_given(data: st.DataObject) -> None:
    a, b, g = pair(data)
    h = some(data, g.shape)
    op: Op = lambda a, b: a * b * b - a  # noqa: E731
    (_, one), (_, two) = (run(op, a, b, upstream=each) for each in (g, h))
    _, both = run(op, a, b, upstream=g + 3 * h)
    for x, y, z in zip(one, two, both, strict=True):
        np.testing.assert_array_equal(x + 3 * y, z)


@given(data=st.data(), times=st.integers(1, 4))
def test_every_backward_adds_the_same_again(data: st.DataObject, times: int) -> None:
    a, b, g = pair(data)
    x, y = leaf(a), leaf(b)
    out = x * y + x
    _, once = run(lambda x, y: x * y + x, a, b, upstream=g)
    for _ in range(times):
        out.backward(g)
    for each, grad in zip((x, y), once, strict=True):
        assert each.grad is not None
        np.testing.assert_array_equal(each.grad, times * grad)


@given(data=st.data(), n=st.integers(0, 3), k=st.integers(0, 3), m=st.integers(0, 3))
def test_a_transposed_product_is_the_product_of_the_transposed(
    data: st.DataObject, n: int, k: int, m: int
) -> None:
    a, b, g = some(data, (n, k)), some(data, (k, m)), some(data, (m, n))
    one = run(lambda a, b: F.transpose(a @ b), a, b, upstream=g)
    assert_same(one, run(lambda a, b: F.transpose(b) @ F.transpose(a), a, b, upstream=g))


@given(data=st.data(), sizes=st.tuples(*[st.integers(0, 3)] * 4))
def test_products_associate(data: st.DataObject, sizes: tuple[int, ...]) -> None:
    n, k, m, p = sizes
    inputs = some(data, (n, k)), some(data, (k, m)), some(data, (m, p))
    g = some(data, (n, p))
    one = run(lambda a, b, c: (a @ b) @ c, *inputs, upstream=g)
    assert_same(one, run(lambda a, b, c: a @ (b @ c), *inputs, upstream=g))


@given(data=st.data(), shape=SHAPES)
def test_what_is_moved_and_moved_back_is_as_it_was(data: st.DataObject, shape: tuple[int, ...]) -> None:
    x, g = some(data, shape), some(data, shape)
    axes = data.draw(st.permutations(range(len(shape))))
    back = [axes.index(i) for i in range(len(shape))]
    same = run(lambda x: x * 1, x, upstream=g)
    assert_same(run(lambda x: F.permute(F.permute(x, axes), back), x, upstream=g), same)
    assert_same(run(lambda x: F.reshape(F.reshape(x, (x.data.size,)), shape), x, upstream=g), same)


@given(data=st.data(), shape=SHAPES, keepdims=st.booleans())
def test_a_sum_over_axes_is_the_sums_over_each(
    data: st.DataObject, shape: tuple[int, ...], keepdims: bool
) -> None:
    axes = tuple(data.draw(st.sets(st.integers(0, len(shape) - 1)))) if shape else ()
    x = some(data, shape)

    def one_by_one(x: Tensor) -> Tensor:
        for axis in sorted(axes, reverse=True):
            x = F.sum(x, axis, keepdims)
        return x * 1

    g = some(data, x.sum(axis=axes, keepdims=keepdims).shape)
    assert_same(run(lambda x: F.sum(x, axes, keepdims) * 1, x, upstream=g), run(one_by_one, x, upstream=g))


@given(data=st.data(), shape=array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4))
def test_a_slice_gives_its_gradient_back_to_where_it_was_read(
    data: st.DataObject, shape: tuple[int, ...]
) -> None:
    x = some(data, shape)
    index = data.draw(basic_indices(shape, allow_ellipsis=True, allow_newaxis=True))
    g = some(data, np.shape(x[index]))
    expected = np.zeros(shape)
    expected[index] = g
    assert_same(run(lambda x: x[index], x, upstream=g), (np.asarray(x[index]), [expected]))


@given(data=st.data(), n=st.integers(1, 4), ids=st.lists(st.integers(0, 3), max_size=9))
def test_rows_read_again_and_again_get_every_share(data: st.DataObject, n: int, ids: list[int]) -> None:
    """Indexing and embedding agree, and both with one row at a time."""
    ids = [i % n for i in ids]
    table, g = some(data, (n, 2)), some(data, (len(ids), 2))
    where = np.array(ids, dtype=np.int64)
    expected = np.zeros((n, 2))
    for i, share in zip(ids, g, strict=True):
        expected[i] += share
    for op in (lambda w: F.embedding(w, where), lambda w: w[where]):
        assert_same(run(op, table, upstream=g), (table[where], [expected]))


@given(
    data=st.data(),
    sizes=st.lists(st.integers(0, 3), min_size=1, max_size=4),
    axis=st.sampled_from([0, 1, -1]),
)
def test_what_is_joined_comes_apart_again(data: st.DataObject, sizes: list[int], axis: int) -> None:
    parts = [some(data, (n, 2) if axis == 0 else (2, n)) for n in sizes]
    g = some(data, np.concatenate(parts, axis).shape)
    value, grads = run(lambda *xs: F.concat(xs, axis), *parts, upstream=g)
    ends = np.cumsum(sizes)[:-1]
    assert_same((value, grads), (np.concatenate(parts, axis), np.split(g, ends, axis)))
