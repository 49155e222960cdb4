"""Layers: shapes, initial values and the draws they take, derivatives, errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tinyllm.autograd.functional as F
from frozen.pcg32 import PCG32 as FrozenPCG32
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.init import normal_init
from tinyllm.nn.layers import (
    GELU,
    Dropout,
    Embedding,
    LayerNorm,
    Linear,
    ModuleList,
    ReLU,
    Sequential,
    Tanh,
)
from tinyllm.num.gradcheck import gradcheck
from tinyllm.num.rng import PCG32


def leaf(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(len(shape)).standard_normal(shape), requires_grad=True)


def test_linear_is_x_times_the_transpose_plus_the_bias() -> None:
    layer = Linear(3, 2)
    layer.load_state_dict({"weight": [[1, 2, 3], [4, 5, 6]], "bias": [10, 20]})
    assert layer(Tensor([[1.0, 0.0, 2.0]])).data.tolist() == [[17.0, 36.0]]
    assert layer(Tensor(np.ones((4, 5, 3)))).shape == (4, 5, 2)
    assert layer(Tensor(np.ones(3))).data.tolist() == [16.0, 35.0]
    assert [name for name, _ in layer.named_parameters()] == ["weight", "bias"]


def test_linear_without_a_bias_has_none() -> None:
    layer = Linear(3, 2, bias=False)
    assert layer.bias is None and list(layer.state_dict()) == ["weight"]
    assert layer(Tensor(np.zeros((1, 3)))).data.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("shape", [(4, 3), (3,), (2, 2, 3)])
@pytest.mark.parametrize("bias", [True, False])
def test_linear_agrees_with_central_differences(bias: bool, shape: tuple[int, ...]) -> None:
    layer, x = Linear(3, 2, bias=bias), leaf(*shape)
    report = gradcheck(lambda: F.sum(F.tanh(layer(x))), [x, *layer.parameters()])
    assert report, str(report)


def test_linear_takes_parameters_of_two_dtypes() -> None:
    layer, x = Linear(3, 2), leaf(4, 3)
    layer.weight.data = layer.weight.data.astype(np.float64)
    assert layer(x).dtype == np.float64
    layer = Linear(3, 2)
    assert layer.bias is not None
    layer.bias.data = np.ones(2)
    F.sum(layer(x)).backward()
    assert x.grad is not None and x.grad.dtype == np.float32


def test_linear_gives_a_constant_input_no_gradient() -> None:
    layer, x = Linear(3, 2), Tensor(np.ones((4, 3)))
    F.sum(layer(x)).backward()
    assert x.grad is None and layer.weight.grad is not None
    assert layer.weight.grad.tolist() == [[4.0] * 3] * 2


def test_initial_values_are_drawn_in_order_from_one_generator() -> None:
    rng, twin = PCG32(8), PCG32(8)
    table, layer = Embedding(5, 4, rng=rng), Linear(4, 9, rng=rng)
    np.testing.assert_array_equal(table.weight.data, normal_init((5, 4), 1.0, twin))
    np.testing.assert_array_equal(layer.weight.data, normal_init((9, 4), 0.5, twin))
    assert rng.state() == twin.state() and layer.bias is not None and not layer.bias.data.any()
    assert all(p.dtype == np.float32 and p.requires_grad for p in (*table.parameters(), *layer.parameters()))


def test_no_generator_means_the_first_init_stream() -> None:
    stream = PCG32(0).substream("init")
    np.testing.assert_array_equal(Linear(4, 3).weight.data, Linear(4, 3, rng=stream).weight.data)
    stream = PCG32(0).substream("init")
    np.testing.assert_array_equal(Embedding(4, 3).weight.data, Embedding(4, 3, rng=stream).weight.data)


def test_the_standard_deviation_of_linear_is_one_over_the_root_of_its_inputs() -> None:
    weight = Linear(400, 300, rng=PCG32(1)).weight.data
    assert weight.std() == pytest.approx(1 / math.sqrt(400), rel=0.02)
    assert abs(weight.mean()) < 0.001


def test_any_generator_of_the_five_methods_will_do() -> None:
    np.testing.assert_array_equal(
        Linear(4, 3, rng=FrozenPCG32(6)).weight.data, Linear(4, 3, rng=PCG32(6)).weight.data
    )
    x = Tensor(np.ones(50))
    np.testing.assert_array_equal(Dropout(0.5, FrozenPCG32(6))(x).data, Dropout(0.5, PCG32(6))(x).data)


def test_embedding_looks_rows_up_and_refuses_what_is_none() -> None:
    table = Embedding(4, 2)
    ids = np.array([[3, 0], [3, 3]])
    np.testing.assert_array_equal(table(ids).data, table.weight.data[ids])
    table(ids).backward(np.ones((2, 2, 2)))
    assert table.weight.grad is not None and table.weight.grad[:, 0].tolist() == [1.0, 0.0, 0.0, 3.0]
    with pytest.raises(ValueError):
        table([-1])


def test_layer_norm_gives_mean_zero_and_variance_one() -> None:
    layer = LayerNorm(64)
    out = layer(Tensor(np.random.default_rng(0).standard_normal((5, 64)) * 7 + 100)).data
    np.testing.assert_allclose(out.mean(axis=1), 0, atol=1e-4)
    np.testing.assert_allclose(out.var(axis=1), 1, rtol=1e-3)
    assert list(layer.state_dict()) == ["weight", "bias"]


@pytest.mark.parametrize("shape", [(3, 4), (4,), (2, 2, 4)])
def test_layer_norm_agrees_with_central_differences(shape: tuple[int, ...]) -> None:
    layer, x, weights = LayerNorm(4), leaf(*shape), np.random.default_rng(9).standard_normal(shape)
    layer.load_state_dict({"weight": [0.5, 2.0, -1.0, 1.0], "bias": [0.1, 0.2, 0.3, 0.4]})
    report = gradcheck(lambda: F.sum(layer(x) * weights), [x, *layer.parameters()])
    assert report, str(report)
    assert layer(leaf(*shape)).dtype == np.float32


def test_layer_norm_by_hand_with_an_epsilon_that_shows() -> None:
    layer = LayerNorm(2, eps=3.0)
    layer.load_state_dict({"weight": [2.0, 4.0], "bias": [10.0, 20.0]})
    assert layer(Tensor([[4.0, 6.0], [5.0, 5.0]])).data.tolist() == [[9.0, 22.0], [10.0, 20.0]]


def test_dropout_works_while_training_only() -> None:
    layer, x = Dropout(0.5), Tensor(np.ones(100))
    out = layer(x).data
    assert set(out.tolist()) == {0.0, 2.0}
    assert (layer(x).data != out).any(), "each call draws anew"
    assert layer.eval()(x) is x
    np.testing.assert_array_equal(Dropout(0.5, PCG32(0).substream("dropout"))(x).data, out)
    assert Dropout().p == 0.5 and Dropout(0.0)(x) is x


def test_nonlinearities_are_the_ops() -> None:
    x = leaf(5)
    for layer, op in ((ReLU(), F.relu), (Tanh(), F.tanh), (GELU(), F.gelu)):
        np.testing.assert_array_equal(layer(x).data, op(x).data)
    np.testing.assert_array_equal(GELU("tanh")(x).data, F.gelu(x, "tanh").data)
    assert (GELU("tanh")(x).data != GELU()(x).data).any()


def test_a_sequence_applies_its_parts_in_order() -> None:
    rng = PCG32(2)
    model = Sequential(Embedding(6, 3, rng), Linear(3, 4, rng=rng), Tanh(), Linear(4, 2, rng=rng))
    names = ["0.weight", "1.weight", "1.bias", "3.weight", "3.bias"]
    assert [name for name, _ in model.named_parameters()] == names
    by_hand: Any = np.array([1, 5])
    for part in model:
        by_hand = part(by_hand)
    np.testing.assert_array_equal(model([1, 5]).data, by_hand.data)
    assert Sequential()(3) == 3


def test_a_list_of_modules_counts_iterates_and_grows() -> None:
    parts = [Linear(1, 1) for _ in range(11)]
    modules = ModuleList(parts[:10])
    modules.append(parts[10])
    assert len(modules) == 11 and list(modules) == parts and modules[10] is modules[-1] is parts[10]
    assert [name for name, _ in modules.named_parameters()][-2:] == ["10.weight", "10.bias"]
    modules.eval()
    assert not parts[5].training
    with pytest.raises(IndexError):
        modules[11]


@pytest.mark.parametrize(
    "make", [lambda: Linear(0, 1), lambda: Linear(1, 0), lambda: Embedding(0, 1), lambda: LayerNorm(0)]
)
def test_a_size_below_one_is_an_error(make: Any) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        make()


def test_another_last_size_is_an_error() -> None:
    for layer in (Linear(3, 2), LayerNorm(3)):
        for x in (Tensor(np.ones((2, 4))), Tensor(1.0)):
            with pytest.raises(ValueError, match=r"takes \[\.\.\., 3\]"):
                layer(x)
    with pytest.raises(ValueError, match="Dropout"):
        Dropout(1.0)
