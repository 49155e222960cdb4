"""The op library: defaults, edges and errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tinyllm.autograd.functional as F
from tinyllm.autograd.tensor import Tensor
from tinyllm.num.rng import PCG32


def leaf(*shape: int) -> Tensor:
    values = np.random.default_rng(0).permutation(math.prod(shape)).reshape(shape) * 0.3 + 0.2
    return Tensor(values, requires_grad=True)


def grad_of(tensor: Tensor) -> Any:
    assert tensor.grad is not None
    return tensor.grad


def test_arguments_have_their_usual_defaults() -> None:
    x = leaf(2, 3)
    assert F.concat([x, x]).shape == (4, 3) and F.stack([x, x, x]).shape == (3, 2, 3)
    for op, value in (
        (F.sum, x.data.sum()),
        (F.mean, x.data.mean()),
        (F.max, x.data.max()),
        (F.var, x.data.var(ddof=1)),
    ):
        assert op(x).shape == () and op(x).data == pytest.approx(value)
        assert op(x, keepdims=True).shape == (1, 1)
        assert op(leaf(2, 3, 4), (0, -1)).shape == (3,)
    assert F.transpose(leaf(2, 3, 4)).shape == (2, 4, 3)
    for op in (F.softmax, F.log_softmax, F.logsumexp):
        np.testing.assert_array_equal(op(leaf(2, 3, 4)).data, op(leaf(2, 3, 4), 2).data)
    index = np.arange(12).reshape(2, 3, 2) % 4
    np.testing.assert_array_equal(F.gather(leaf(2, 3, 4), index).data, F.gather(leaf(2, 3, 4), index, 2).data)
    assert F.logsumexp(x, keepdims=True).shape == (2, 1)
    np.testing.assert_array_equal(
        F.permute(leaf(2, 3, 4), (-1, 0, 1)).data, leaf(2, 3, 4).data.transpose(2, 0, 1)
    )
    np.testing.assert_array_equal(
        F.gather(x, [[0, 1, 0]], axis=0).data, np.take_along_axis(x.data, np.array([[0, 1, 0]]), 0)
    )


def test_the_derivative_of_relu_at_zero_is_zero() -> None:
    x = Tensor([-1.0, 0.0, 2.0], requires_grad=True)
    F.relu(x).backward([np.inf, np.inf, 5.0])
    assert grad_of(x).tolist() == [0.0, 0.0, 5.0]


def test_sigmoid_keeps_the_precision_of_small_values() -> None:
    assert F.sigmoid(Tensor(-60.0)).data == pytest.approx(math.exp(-60), rel=1e-5)
    assert F.sigmoid(Tensor(1000.0)).data == 1.0


def test_equal_maxima_share_the_gradient() -> None:
    x = Tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]], requires_grad=True)
    F.max(x, 1).backward([1.0, 3.0])
    assert grad_of(x).tolist() == [[0.0, 0.5, 0.5], [1.0, 1.0, 1.0]]


def test_a_fully_masked_row_is_zero_with_gradient_zero() -> None:
    rows = [[-np.inf, -np.inf], [0.0, 0.0]]
    for op, masked in ((F.softmax, [0.0, 0.0]), (F.logsumexp, -np.inf), (F.log_softmax, [-np.inf, -np.inf])):
        x = Tensor(rows, requires_grad=True)
        out = op(x)
        assert out.data[0].tolist() == masked
        if op is not F.log_softmax:
            out.backward(np.ones(out.shape))
            assert grad_of(x)[0].tolist() == [0.0, 0.0]


def test_softmax_survives_large_values() -> None:
    x = Tensor([1e30, -1e30, 1e30])
    assert F.softmax(x).data.tolist() == [0.5, 0.0, 0.5]
    assert F.logsumexp(Tensor([np.inf, 1e30, 0.0])).data == np.inf


def test_log_softmax_keeps_a_small_cost_beside_great_logits() -> None:
    logs = F.log_softmax(Tensor([1000.0, 990.0])).data
    cost = math.log1p(math.exp(-10))  # 4.5e-5: two float32 near 1000 are 6e-5 apart
    np.testing.assert_allclose(logs, [-cost, -10 - cost], rtol=2e-3)


def test_what_where_does_not_choose_gets_no_gradient_not_even_of_infinity() -> None:
    a, b = Tensor([1.0, 2.0], requires_grad=True), Tensor([np.nan, 4.0], requires_grad=True)
    out = F.where([True, False], a, b)
    assert out.data.tolist() == [1.0, 4.0]
    out.backward([np.inf, np.inf])
    assert grad_of(a).tolist() == [np.inf, 0.0] and grad_of(b).tolist() == [0.0, np.inf]


def test_where_of_two_numbers_is_float32() -> None:
    assert F.where([True, False], 1, 2.5).data.tolist() == [1.0, 2.5]
    assert F.where([True, False], 1, 2.5).dtype == np.float32


@pytest.mark.parametrize("rows", [4, 1000])
def test_embedding_adds_up_the_rows_that_were_read(rows: int) -> None:
    rng = np.random.default_rng(2)
    ids = rng.integers(0, min(rows, 20), size=(6, 5))
    upstream = rng.standard_normal((6, 5, 3)).astype(np.float32)
    weight = leaf(rows, 3)
    out = F.embedding(weight, ids)
    np.testing.assert_array_equal(out.data, weight.data[ids])
    out.backward(upstream)
    expected = np.zeros((rows, 3))
    np.add.at(expected, ids, upstream)
    np.testing.assert_allclose(grad_of(weight), expected, rtol=1e-5, atol=1e-6)
    assert not grad_of(weight)[np.setdiff1d(np.arange(rows), ids)].any(), "a row that was not read"


def test_ids_that_change_after_the_forward_do_not_matter() -> None:
    ids, weight = np.array([0, 1]), leaf(3, 2)
    out = F.embedding(weight, ids)
    ids[:] = 2
    out.backward(np.ones((2, 2)))
    assert grad_of(weight).tolist() == [[1, 1], [1, 1], [0, 0]]


@pytest.mark.parametrize(
    "ids", [[-1], [3], [0, 2, 7], [1.0], [True], [[0], [-5]], np.array([2**63 + 1], np.uint64)]
)
def test_an_id_that_is_not_a_row_is_an_error(ids: Any) -> None:
    with pytest.raises(ValueError, match="embedding"):
        F.embedding(leaf(3, 2), ids)
    with pytest.raises(ValueError, match="gather"):
        F.gather(leaf(3), np.ravel(ids))


def test_shapes_that_do_not_fit_are_an_error() -> None:
    with pytest.raises(ValueError, match="table"):
        F.embedding(leaf(3), [0])
    with pytest.raises(ValueError, match="gather along axis 1"):
        F.gather(leaf(2, 3), [[0], [0], [0]])
    with pytest.raises(ValueError, match="gather"):
        F.gather(leaf(2, 3), [0, 1])
    for shape, axis in (((2, 3), 2), ((2, 3), -3), ((), -1)):
        with pytest.raises(ValueError, match="no axis"):
            F.gather(leaf(*shape), np.zeros(shape, dtype=int), axis)
    with pytest.raises(ValueError):
        F.reshape(leaf(2, 3), (4, 2))
    with pytest.raises(ValueError):
        F.masked_fill(leaf(3), np.ones((2, 3), dtype=bool), 0.0)
    with pytest.raises(ValueError):
        F.concat([])


def test_reductions_that_mean_nothing_are_an_error() -> None:
    empty = Tensor(np.ones((2, 0)))
    for op in (F.mean, F.max, F.var):
        with pytest.raises(ValueError):
            op(empty, 1)
    assert F.var(Tensor([1.0, 3.0])).data == 2.0
    with pytest.raises(ValueError, match="more than 1 values"):
        F.var(Tensor([[1.0], [2.0]]), 1)
    with pytest.raises(ValueError, match="'sigmoid'"):
        F.gelu(empty, "sigmoid")


def test_dropout_keeps_what_its_uniforms_say_and_scales_it() -> None:
    x = Tensor(np.arange(1.0, 13.0).reshape(3, 4), requires_grad=True)
    out = F.dropout(x, 0.25, True, PCG32(9))
    kept = PCG32(9).uniforms(12).reshape(3, 4) >= 0.25
    assert 0 < kept.sum() < 12
    np.testing.assert_allclose(out.data, np.where(kept, x.data / 0.75, 0), rtol=1e-6)
    out.backward(np.ones((3, 4)))
    np.testing.assert_allclose(grad_of(x), kept / 0.75, rtol=1e-6)


def test_dropout_keeps_a_value_whose_uniform_is_p() -> None:
    class Given:
        def uniforms(self, n: int) -> list[float]:
            return [0.0, 0.25, 0.5, 0.75]

    assert F.dropout(Tensor(np.ones(4)), 0.5, True, Given()).data.tolist() == [0.0, 0.0, 2.0, 2.0]


def test_dropout_that_does_nothing_draws_nothing() -> None:
    x, rng = leaf(3), PCG32(9)
    assert F.dropout(x, 0.5, False, rng) is x
    assert F.dropout(x, 0.0, True, rng) is x
    assert rng.state() == PCG32(9).state()


@pytest.mark.parametrize("p", [-0.1, 1.0, math.nan])
def test_dropout_needs_a_probability_below_one(p: float) -> None:
    with pytest.raises(ValueError, match="dropout"):
        F.dropout(leaf(3), p, True, PCG32(0))
