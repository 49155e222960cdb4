"""SGD: worked steps, torch's own steps, resuming, and what stays untouched."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tinyllm.optim.sgd import SGD, Optimizer


class Weight:
    """A parameter of nothing but data and grad."""

    def __init__(self, data: Any, dtype: Any = np.float32) -> None:
        self.data: NDArray[Any] = np.array(data, dtype=dtype)
        self.grad: NDArray[Any] | None = None


SETTINGS: list[dict[str, Any]] = [
    {},
    {"weight_decay": 0.1},
    {"momentum": 0.9},
    {"momentum": 0.9, "weight_decay": 0.1},
    {"momentum": 0.9, "nesterov": True},
    {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
]
every_setting = pytest.mark.parametrize("settings", SETTINGS, ids=lambda s: "-".join(s) or "plain")
SHAPES = [(4, 3), (5,), ()]


def gradients(seed: int, dtype: Any = np.float32) -> list[list[NDArray[Any]]]:
    """Twelve steps of gradients for SHAPES."""
    rng = np.random.default_rng(seed)
    return [[np.asarray(rng.normal(size=shape), dtype=dtype) for shape in SHAPES] for _ in range(12)]


def descend(opt: SGD, params: list[Weight], steps: list[list[NDArray[Any]]]) -> None:
    for grads in steps:
        for p, g in zip(params, grads, strict=True):
            p.grad = g.copy()
        opt.step()


def weights(dtype: Any = np.float32) -> list[Weight]:
    return [Weight(np.linspace(-1, 1, int(np.prod(shape))).reshape(shape), dtype) for shape in SHAPES]


def test_two_steps_of_momentum_by_hand() -> None:
    p = Weight([1.0])
    opt = SGD([p], lr=0.5, momentum=0.5)
    descend(opt, [p], [[np.array([2.0], np.float32)], [np.array([4.0], np.float32)]])
    assert p.data == [1.0 - 0.5 * 2 - 0.5 * (0.5 * 2 + 4)]


def test_two_steps_of_nesterov_with_weight_decay_by_hand() -> None:
    p = Weight([1.0])  # first g = 2, b = 2, p = 1 - (2 + 1) / 2; then g = 1, b = 2, p = -0.5 - (1 + 1) / 2
    opt = SGD([p], lr=0.5, momentum=0.5, nesterov=True, weight_decay=0.25)
    descend(opt, [p], [[np.array([1.75], np.float32)], [np.array([1.125], np.float32)]])
    assert p.data == [-1.5]


@every_setting
def test_data_is_updated_in_place_and_the_gradient_is_only_read(settings: dict[str, Any]) -> None:
    params = weights()
    opt = SGD(params, lr=0.1, **settings)
    arrays = [p.data for p in params]
    for grads in gradients(0):
        before = [p.data.copy() for p in params]
        for p, g in zip(params, grads, strict=True):
            p.grad = g.copy()
        opt.step()
        for p, array, old, g in zip(params, arrays, before, grads, strict=True):
            assert p.data is array and p.data.dtype == np.float32
            assert (p.data != old).all()
            np.testing.assert_array_equal(p.grad, g)


@every_setting
def test_no_buffer_shares_memory_with_gradients_or_data(settings: dict[str, Any]) -> None:
    """A loop that writes every gradient into the same array must get what a loop of fresh arrays gets."""
    reusing, copying = weights(), weights()
    opt = SGD(reusing, lr=0.1, **settings)
    own = [np.zeros_like(p.data) for p in reusing]
    for grads in gradients(1):
        for p, array, g in zip(reusing, own, grads, strict=True):
            array[...] = g
            p.grad = array
        opt.step()
        for array in own:
            array.fill(np.float32(1e6))
    descend(SGD(copying, lr=0.1, **settings), copying, gradients(1))
    for a, b in zip(reusing, copying, strict=True):
        np.testing.assert_array_equal(a.data, b.data)


@every_setting
def test_a_resumed_run_is_the_same_bit_for_bit(settings: dict[str, Any]) -> None:
    steps, whole, halves = gradients(2), weights(), weights()
    descend(SGD(whole, lr=0.1, **settings), whole, steps)
    first = SGD(halves, lr=0.1, **settings)
    descend(first, halves, steps[:5])
    saved = pickle.loads(pickle.dumps(first.state_dict()))
    second = SGD(halves, lr=7.0)
    second.load_state_dict(saved)
    descend(second, halves, steps[5:])
    for a, b in zip(whole, halves, strict=True):
        np.testing.assert_array_equal(a.data, b.data)


def test_a_saved_state_does_not_change_with_the_run_nor_the_run_with_it() -> None:
    params, twin = weights(), weights()
    opt, other = SGD(params, lr=0.1, momentum=0.9), SGD(twin, lr=0.1, momentum=0.9)
    descend(opt, params, gradients(3)[:2])
    state = opt.state_dict()
    kept = pickle.dumps(state)
    other.load_state_dict(state)
    descend(opt, params, gradients(3)[2:])
    descend(other, twin, gradients(4))
    assert pickle.dumps(state) == kept


def test_a_parameter_without_a_gradient_keeps_its_data_and_its_buffer() -> None:
    moving, resting = Weight([1.0]), Weight([1.0])
    opt = SGD([moving, resting], lr=0.1, momentum=0.9, weight_decay=0.5)
    one = np.ones(1, np.float32)
    descend(opt, [moving, resting], [[one, one]])
    data, buffer = resting.data.copy(), opt.state_dict()["buffers"][1]
    moving.grad, resting.grad = one, None
    opt.step()
    np.testing.assert_array_equal(resting.data, data)
    np.testing.assert_array_equal(opt.state_dict()["buffers"][1], buffer)


def test_zero_grad_leaves_no_gradient() -> None:
    params = weights()
    opt: Optimizer = SGD(params, lr=0.1)
    params[0].grad = np.ones((4, 3), np.float32)
    opt.zero_grad()
    assert [p.grad for p in params] == [None] * 3


def test_a_schedule_may_set_the_rate_even_to_a_numpy_number() -> None:
    params, twin = weights(), weights()
    opt, other = SGD(params, lr=1.0), SGD(twin, lr=1.0)
    opt.lr, other.lr = np.float64(0.1), 0.1
    descend(opt, params, gradients(7))
    descend(other, twin, gradients(7))
    for a, b in zip(params, twin, strict=True):
        assert a.data.dtype == np.float32
        np.testing.assert_array_equal(a.data, b.data)


def test_a_gradient_of_zeros_is_a_gradient() -> None:
    p = Weight([1.0])
    opt = SGD([p], lr=0.5, momentum=0.5)
    descend(opt, [p], [[np.ones(1, np.float32)], [np.zeros(1, np.float32)]])
    assert p.data == [1.0 - 0.5 - 0.5 * 0.5]


def test_parameters_may_be_an_iterator() -> None:
    params = weights()
    assert SGD(iter(params), lr=0.1).params == params


def test_a_gradient_of_another_shape_is_refused_before_anything_changes() -> None:
    params = weights()
    opt = SGD(params, lr=0.1, momentum=0.9)
    for p in params:
        p.grad = np.ones_like(p.data)
    params[1].grad = np.ones(1, np.float32)  # numpy would broadcast it
    with pytest.raises(ValueError, match="parameter 1"):
        opt.step()
    for p, fresh in zip(params, weights(), strict=True):
        np.testing.assert_array_equal(p.data, fresh.data)
    assert opt.state_dict()["buffers"] == [None] * 3


@pytest.mark.parametrize(
    "settings",
    [
        {"lr": -0.1},
        {"lr": float("nan")},
        {"lr": 0.1, "momentum": -0.5},
        {"lr": 0.1, "weight_decay": -1.0},
        {"lr": 0.1, "nesterov": True},
    ],
)
def test_a_setting_out_of_range_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        SGD(weights(), **settings)


def test_no_parameter_or_one_given_twice_is_refused() -> None:
    p = Weight([1.0])
    with pytest.raises(ValueError, match="at least one"):
        SGD([], lr=0.1)
    with pytest.raises(ValueError, match="twice"):
        SGD([p, p], lr=0.1)


def test_a_state_that_does_not_fit_is_refused_and_nothing_changes() -> None:
    params = weights()
    opt = SGD(params, lr=0.1, momentum=0.9)
    descend(opt, params, gradients(5))
    good = opt.state_dict()
    kept = pickle.dumps(good)
    for buffers in (good["buffers"][:2], [good["buffers"][1], good["buffers"][1], None]):
        with pytest.raises(ValueError):
            opt.load_state_dict({**good, "lr": 9.0, "buffers": buffers})
    for missing in good:
        lacking = {**good, "lr": 9.0}
        del lacking[missing]
        with pytest.raises(KeyError):
            opt.load_state_dict(lacking)
    assert pickle.dumps(opt.state_dict()) == kept
