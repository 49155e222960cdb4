"""Course tests of M10.2, stochastic gradient descent: the first failure says most.

A parameter is here anything with `data` and `grad`. The worked example starts at 1 and gets the gradients 1, 1
and -2, whatever has become of the parameter; every number in it is exact in float32. The ids s01 .. s19 name
the mutants that a test is there to catch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, assert_close, assert_equal, golden
from tinyllm.optim.sgd import SGD

Array = NDArray[Any]

HAND = [1.0, 1.0, -2.0]  # the gradients of the worked example
CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    "decay": {"weight_decay": 0.1},
    "momentum": {"momentum": 0.9},
    "momentum_decay": {"momentum": 0.9, "weight_decay": 0.1},
    "nesterov": {"momentum": 0.9, "nesterov": True},
    "nesterov_decay": {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
}
NAMES = ("matrix", "vector", "number")
NO_MOMENTUM = "this is descent without momentum: nothing is remembered from step to step"
DAMPENED = "each gradient went into b with the factor 1 - momentum: b is a sum here, not a mean"
HEAVY_BALL = "these are the heavy ball's steps, along b: Nesterov's go along g + momentum b"
UPHILL = "weight decay was subtracted from the gradient: it makes the parameter grow"
DECOUPLED = "weight decay went past b, straight to the parameter: here it is part of the gradient that b sums"
RATE_INSIDE = "the rate was taken into b: a step of another rate then repeats old rates"
KEPT = {"b is the gradient's own array, and was updated in it: b must be a copy": [1.5, 1.5]}


class Weight:
    """A parameter of nothing but data and grad."""

    def __init__(self, data: Any) -> None:
        self.data: Array = np.array(data, dtype=np.float32)
        self.grad: Array | None = None


def float32(values: Any) -> Array:
    return np.array(values, dtype=np.float32)


def drawn(seed: int, *shape: int) -> Array:
    """Values in (-1, 1)."""
    values = 2 * PCG32(seed).uniforms(int(np.prod(shape))) - 1
    return values.reshape(shape).astype(np.float32)


def descent(opt: SGD, p: Any, gradients: list[Any]) -> Array:
    """p after each of these gradients, in turn."""
    seen = []
    for gradient in gradients:
        p.grad = None if gradient is None else np.full_like(p.data, gradient)
        opt.step()
        seen.append(p.data.copy())
    return np.stack(seen)


def hand_steps(**settings: Any) -> Array:
    """The worked example's parameter after each step."""
    p = Weight([1.0])
    return descent(SGD([p], lr=0.5, **settings), p, HAND)[:, 0]


def test_plain_steps_by_hand() -> None:
    """p - lr g, three times: 0.5, 0, 1. All else is built on this line."""
    uphill = {"the step went along the gradient, where the loss rises: subtract": [1.5, 2.0, 1.0]}
    assert_equal(hand_steps(), float32([0.5, 0.0, 1.0]), of="p", known_wrong=uphill)


def test_momentum_by_hand() -> None:
    """b is 1, 1.5, -1.25, and p goes against b: every later optimizer has such a memory.

    Catches s05, gradients that go into b with the factor 1 - momentum.
    """
    wrong = {NO_MOMENTUM: [0.5, 0.0, 1.0], DAMPENED: [0.5, 0.0, 0.25]}
    wrong["b began with 0 and the factor 1 - momentum"] = [0.75, 0.375, 0.6875]
    assert_equal(hand_steps(momentum=0.5), float32([0.5, -0.25, 0.375]), of="p", known_wrong=wrong)


def test_nesterov_by_hand() -> None:
    """The step goes along g + momentum b, with the new b: one look further down the valley.

    Catches s04, a nesterov that is taken and never used.
    """
    want = float32([0.25, -0.625, 0.6875])
    wrong = {HEAVY_BALL: [0.5, -0.25, 0.375], NO_MOMENTUM: [0.5, 0.0, 1.0]}
    assert_equal(hand_steps(momentum=0.5, nesterov=True), want, of="p", known_wrong=wrong)


def test_weight_decay_by_hand() -> None:
    """weight_decay p is added to the gradient before b sums it: torch's SGD, and not AdamW's way.

    Catches s02 (subtracted) and s03 (past b, straight to p).
    """
    want = float32([0.25, -0.6875, 0.015625])
    wrong = {UPHILL: [0.75, 0.3125, 1.171875], DECOUPLED: [0.25, -0.5625, 0.203125]}
    wrong["nothing decays here: weight_decay was not used"] = [0.5, -0.25, 0.375]
    assert_equal(hand_steps(momentum=0.5, weight_decay=0.5), want, of="p", known_wrong=wrong)
    assert_equal(hand_steps(weight_decay=0.5), float32([0.25, -0.3125, 0.765625]), of="p without momentum")


@pytest.mark.parametrize("case", CASES)
def test_golden_torch(case: str) -> None:
    """Twelve steps of torch's SGD, the rate falling, gradients missing here and there: torch is the oracle.

    Catches s02, s03, s04 and s05 (other directions), s06 (the rate inside b), s07 (a step without a gradient)
    and s08 (a buffer of another parameter).
    """
    expected = golden("M10.2/sgd.safetensors")
    tensors = expected.tensors
    near: Any = {"rtol": expected.rtol, "atol": expected.atol}
    params = [Weight(tensors[f"start/{name}"]) for name in NAMES]
    opt, seen = SGD(params, lr=9.0, **CASES[case]), []
    for step, rate in enumerate(tensors["lr"]):
        opt.lr = float(rate)
        for i, (p, name) in enumerate(zip(params, NAMES, strict=True)):
            p.grad = np.array(tensors[f"grads/{name}"][step]) if tensors["given"][step, i] else None
        opt.step()
        seen.append([p.data.copy() for p in params])
    for i, name in enumerate(NAMES):
        assert_close(np.stack([row[i] for row in seen]), tensors[f"{case}/{name}"], **near, of=name)


def test_a_valley_is_left_at_the_rate_of_its_curvature() -> None:
    """With gradient a p every step multiplies p by 1 - lr a: it converges below lr = 2 / a and not above.

    With momentum and a gradient that stays, the steps grow to lr / (1 - momentum) gradients.
    """
    for rate, factor in ((0.05, 0.5), (0.15, -0.5), (0.2, -1.0), (0.25, -1.5)):
        p = Weight([1.0])
        opt = SGD([p], lr=rate)
        for _ in range(8):
            p.grad = 10.0 * p.data
            opt.step()
        assert_close(p.data, float32([factor**8]), rtol=1e-5, atol=0, of=f"p after 8 steps at {rate}")
    p = Weight([0.0])
    positions = descent(SGD([p], lr=0.5, momentum=0.75), p, [1.0] * 60)[:, 0]
    assert_close(positions[-1] - positions[-2], np.float32(-2.0), rtol=1e-4, atol=0, of="the last step")


def test_gradients_are_never_kept_and_never_written() -> None:
    """A loop may fill one array with each new gradient: b must be a copy, and grad only read.

    Catches s01, a b that is the gradient's own array, and s10, decay added into the gradient.
    """
    both: list[dict[str, Any]] = [{"momentum": 0.75}, {"momentum": 0.75, "nesterov": True}]
    for settings in both:
        p, q = Weight([1.0, 2.0]), Weight([1.0, 2.0])
        opt, own, seen = SGD([p], lr=0.5, **settings), np.zeros(2, np.float32), []
        for gradient in HAND:
            own[...] = gradient
            p.grad = own
            opt.step()
            want = np.full_like(own, gradient)
            assert_equal(own, want, of="the gradient, which step only reads", known_wrong=KEPT)
            seen.append(p.data.copy())
        assert_equal(np.stack(seen), descent(SGD([q], lr=0.5, **settings), q, HAND), of="p")
    p = Weight([1.0, 2.0])
    p.grad = float32([3.0, 4.0])
    SGD([p], lr=0.5, weight_decay=0.5).step()
    summed = {"weight_decay p was added into the gradient's own array": [3.5, 5.0]}
    assert_equal(p.grad, float32([3.0, 4.0]), of="the gradient after a step", known_wrong=summed)


def test_data_changes_in_place_and_keeps_its_dtype() -> None:
    """Whoever holds the array sees the step, and a rate that is a numpy number makes nothing float64, b neither.

    Catches s09, a new array for every step.
    """
    for settings in CASES.values():
        weight = Weight([[1.0, 2.0]])
        held = weight.data
        opt = SGD([weight], lr=0.5, **settings)
        opt.lr = np.float64(0.5)
        weight.grad = float32([[1.0, -1.0]])
        opt.step()
        assert_equal(held, weight.data, of="the array that data was before the step")
        assert weight.data is held and held.dtype == np.float32
        assert held[0, 0] < 1.0
    number = Weight(1.0)
    opt = SGD([number], lr=0.5, momentum=0.5, weight_decay=0.5)
    descent(opt, number, [1.0, 1.0])
    assert_equal(opt.state_dict()["buffers"][0], np.array(1.875, np.float32), of="b of a 0-d parameter")


def test_a_parameter_without_a_gradient_rests() -> None:
    """None is not 0: no decay, no momentum, and b waits. Frozen and unused parameters rely on it.

    Catches s07, None taken for zeros, and s08, buffers numbered among the parameters that have a gradient.
    """
    p, other = Weight([1.0]), Weight([5.0])
    opt = SGD([p, other], lr=0.5, momentum=0.5)
    other.grad = float32([2.0])
    zeros = {"the step went on along b, as if the missing gradient were 0": [0.5, 0.25, -0.375]}
    foreign = {"after the rest, b was another parameter's": [0.5, 0.5, -0.625]}
    seen = descent(opt, p, [1.0, None, 1.0])[:, 0]
    assert_equal(seen, float32([0.5, 0.5, -0.25]), of="p", known_wrong={**zeros, **foreign})
    assert_equal(other.data, float32([0.75]), of="the parameter that always had a gradient")
    resting = Weight([3.0])
    SGD([resting], lr=0.5, weight_decay=0.5).step()
    decayed = {"a parameter without a gradient has decayed": [2.25]}
    assert_equal(resting.data, float32([3.0]), of="a parameter that no loss reached", known_wrong=decayed)


def test_a_gradient_of_zeros_is_a_gradient() -> None:
    """With 0 the ball rolls on: b = momentum b. Catches s18, zeros passed over as if they were None."""
    p = Weight([1.0])
    seen = descent(SGD([p], lr=0.5, momentum=0.5), p, [1.0, 0.0, 0.0])[:, 0]
    stopped = {"a gradient of zeros was passed over": [0.5, 0.5, 0.5]}
    assert_equal(seen, float32([0.5, 0.25, 0.125]), of="p", known_wrong=stopped)


def test_zero_grad_leaves_none() -> None:
    """What no loss reaches then rests, where zeros would let it decay. Catches s11, zeros."""
    p, unused = Weight([1.0]), Weight([2.0])
    opt = SGD([p, unused], lr=0.5, weight_decay=0.5)
    p.grad, unused.grad = float32([1.0]), float32([1.0])
    opt.zero_grad()
    assert p.grad is None and unused.grad is None, f"grad is {p.grad} where None is expected"
    opt.step()
    assert_equal(float32([p.data[0], unused.data[0]]), float32([1.0, 2.0]), of="both without a gradient")


def test_a_schedule_sets_the_rate_between_steps() -> None:
    """b holds gradients and no rate: a new lr counts at once, and for all of b.

    Catches s06, the rate taken into b, as Sutskever and others write it.
    """
    p = Weight([1.0])
    opt, seen = SGD([p], lr=0.5, momentum=0.5), []
    for rate in (0.5, 0.25, 0.125):
        opt.lr = rate
        seen.append(descent(opt, p, [1.0])[0, 0])
    wrong = {RATE_INSIDE: [0.5, 0.0, -0.375], "lr was read once, at the start": [0.5, -0.25, -1.125]}
    assert_equal(float32(seen), float32([0.5, 0.125, -0.09375]), of="p", known_wrong=wrong)


def test_a_resumed_run_is_the_same_bit_for_bit() -> None:
    """A training of many hours is stopped and goes on. Settings and buffers are all it takes.

    Catches s14 (buffers not saved) and s15 (the rate not taken over).
    """
    for case, settings in CASES.items():
        gradients = [drawn(seed, 3) for seed in range(8)]
        p, q = Weight(drawn(90, 3)), Weight(drawn(90, 3))
        whole = descent(SGD([p], lr=0.25, **settings), p, gradients)
        first = SGD([q], lr=0.25, **settings)
        descent(first, q, gradients[:5])
        state = first.state_dict()
        assert set(state) == {"lr", "momentum", "nesterov", "weight_decay", "buffers"}
        wrong = {"b began anew: the saved buffers are not in use": cold_start(state, q, gradients[5:])}
        second = SGD([q], lr=4.0)
        second.load_state_dict(state)
        assert_equal(descent(second, q, gradients[5:]), whole[5:], of=case, known_wrong=wrong)


def cold_start(state: dict[str, Any], p: Weight, gradients: list[Any]) -> Array:
    """The steps of a run that goes on with the settings alone, on a copy of the parameter."""
    twin = Weight(p.data)
    opt = SGD([twin], lr=1.0)
    opt.load_state_dict({**state, "buffers": [None]})
    return descent(opt, twin, gradients)


def test_a_saved_state_is_a_copy_both_ways() -> None:
    """The run must not change what was saved, nor a second run from it, nor the other way round.

    Catches s12 (saved buffers are the live ones) and s13 (loaded buffers are the state's).
    """
    p, q = Weight([1.0]), Weight([1.0])
    opt, other = SGD([p], lr=0.5, momentum=0.5), SGD([q], lr=0.5, momentum=0.5)
    descent(opt, p, [1.0, 1.0])
    state = opt.state_dict()
    descent(opt, p, [-2.0])
    live = {"the buffer in the state went on with the run: save a copy": [-1.25]}
    assert_equal(state["buffers"][0], float32([1.5]), of="b in the saved state", known_wrong=live)
    other.load_state_dict(state)
    descent(other, q, [-2.0])
    taken = {"the run that loaded the state works in the state's own array: load a copy": [-1.25]}
    assert_equal(state["buffers"][0], float32([1.5]), of="b in the loaded state", known_wrong=taken)


def test_a_state_that_does_not_fit_is_refused_whole() -> None:
    """Half a state loaded is neither run: everything is checked before anything is taken over."""
    p, q = Weight([1.0, 2.0]), Weight(3.0)
    opt = SGD([p, q], lr=0.5, momentum=0.5)
    p.grad, q.grad = float32([1.0, 1.0]), float32(2.0)
    opt.step()
    good = opt.state_dict()
    for buffers in ([good["buffers"][0]], [*good["buffers"], None], good["buffers"][::-1]):
        with pytest.raises(ValueError):
            opt.load_state_dict({**good, "lr": 9.0, "buffers": buffers})
    for missing in good:
        with pytest.raises(KeyError):
            opt.load_state_dict({key: 9.0 if key == "lr" else good[key] for key in good if key != missing})
    assert (opt.lr, opt.momentum, opt.nesterov, opt.weight_decay) == (0.5, 0.5, False, 0.0)
    opt.step()
    assert_equal(p.data, float32([-0.25, 0.75]), of="p, a step later")


def test_a_gradient_of_another_shape_is_refused_before_anything_changes() -> None:
    """numpy would broadcast [1] over [2], and a first parameter would have moved by then.

    Catches s16 (no check) and s17 (each parameter checked just before its own update).
    """
    first, second = Weight([1.0]), Weight([1.0, 2.0])
    opt = SGD([first, second], lr=0.5, momentum=0.5)
    first.grad, second.grad = float32([1.0]), float32([1.0])
    with pytest.raises(ValueError):
        opt.step()
    moved = {"the parameter before the wrong one was updated already": [0.5]}
    assert_equal(first.data, float32([1.0]), of="the first parameter", known_wrong=moved)
    assert_equal(second.data, float32([1.0, 2.0]), of="the second parameter")
    assert opt.state_dict()["buffers"] == [None, None]


def test_settings_out_of_range_are_refused() -> None:
    """A caller's mistake fails where it is made. A negative rate climbs, and a run of it costs a night.

    Catches s19, NaN let through: it is not below 0, nor is it at least 0.
    """
    p = Weight([1.0])
    wrong: list[dict[str, Any]] = [{"lr": -0.1}, {"lr": float("nan")}, {"lr": 0.1, "momentum": -0.5}]
    wrong += [{"lr": 0.1, "weight_decay": -0.1}, {"lr": 0.1, "momentum": float("nan")}]
    wrong += [{"lr": 0.1, "nesterov": True}]
    for settings in wrong:
        with pytest.raises(ValueError):
            SGD([p], **settings)
    for params in ([], [p, p]):
        with pytest.raises(ValueError):
            SGD(params, lr=0.1)
    assert SGD(iter([p]), lr=0.0).params == [p]
