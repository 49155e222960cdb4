"""Course tests of M10.4, gradient clipping: the first failure says most.

The worked example has the gradients (2, 3) of one parameter and (6) of another: together a vector of length 7.
The ids s01 .. s14 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, as_array, assert_close, assert_equal, golden
from tinyllm.optim.clip import clip_grad_norm_
from tinyllm.optim.sgd import SGD

Array = NDArray[Any]

BY_ELEMENT = "each value was cut off at the bound by itself: the gradients point elsewhere now"
BY_TENSOR = "each parameter was clipped by a norm of its own: all gradients are one vector"
UNTOUCHED = "no gradient has changed: g = g * factor makes a new array, g *= factor writes into it"
OWN_SUM = "the parameters' norms were added up: add their squares, and take the root of the sum"
NO_ROOT = "this is the sum of the squares: the norm is its root"
MEAN = "the squares were averaged: a norm is the root of their sum"


class Weight:
    """A parameter of nothing but data and grad; made of no values it has no gradient."""

    def __init__(self, *grad: float) -> None:
        self.data: Array = np.ones(max(1, len(grad)), dtype=np.float32)
        self.grad: Array | None = np.array(grad, dtype=np.float32) if grad else None


def hand() -> list[Weight]:
    return [Weight(2.0, 3.0), Weight(6.0)]


def joined(params: list[Weight]) -> Array:
    """All gradients as one vector."""
    return np.concatenate([p.grad.ravel() for p in params if p.grad is not None])


def drawn(seed: int, *shapes: tuple[int, ...]) -> list[Weight]:
    """Gradients of these shapes with values in (-1, 1)."""
    rng, params = PCG32(seed), []
    for shape in shapes:
        params.append(Weight())
        values = 2 * rng.uniforms(int(np.prod(shape))) - 1
        params[-1].grad = np.array(values.reshape(shape), dtype=np.float32)
    return params


def float32(*values: float) -> Array:
    return np.array(values, dtype=np.float32)


def assert_norm(got: float, want: float, known_wrong: dict[str, float] | None = None) -> None:
    assert isinstance(got, float), f"the norm is a {type(got).__name__}, not a float"
    assert_close(
        np.float64(got), np.float64(want), rtol=1e-9, atol=0, of="the norm", known_wrong=known_wrong or {}
    )


def test_clip_by_hand() -> None:
    """(2, 3) and (6) have norm 7; at the bound 3.5 every value is halved. One factor for all.

    Catches s01 (each value by itself), s02 (each parameter by itself), s05 (nothing is written), s08, s09 and
    s10 (other norms).
    """
    params = hand()
    clip_grad_norm_(params, 3.5)
    wrong: dict[str, Any] = {BY_ELEMENT: [2.0, 3.0, 3.5], UNTOUCHED: [2.0, 3.0, 6.0]}
    wrong[BY_TENSOR] = [2 * 3.5 / math.sqrt(13), 3 * 3.5 / math.sqrt(13), 3.5]
    for sentence, norm in ((OWN_SUM, 6 + math.sqrt(13)), (NO_ROOT, 49.0), (MEAN, 7 / math.sqrt(3))):
        wrong[sentence] = [g * 3.5 / norm for g in (2.0, 3.0, 6.0)]
    want = float32(1.0, 1.5, 3.0)
    assert_close(joined(params), want, rtol=1e-6, atol=0, of="the gradients", known_wrong=wrong)


def test_the_norm_that_comes_back_is_that_from_before() -> None:
    """Training logs watch it: a norm that is never above the bound says nothing.

    Catches s03, the norm after clipping, and s08, s09 and s10, other norms.
    """
    wrong = {OWN_SUM: 6 + math.sqrt(13), NO_ROOT: 49.0, MEAN: 7 / math.sqrt(3)}
    after = "this is the norm after clipping: return the one from before"
    for bound in (0.5, 3.5, 7.0, 100.0):
        assert_norm(clip_grad_norm_(hand(), bound), 7.0, {**wrong, after: bound})


def test_nothing_changes_at_or_below_the_bound() -> None:
    """The bound is a limit and no target. Small gradients near a minimum are right as they are.

    Catches s04, gradients scaled up to the bound.
    """
    for bound in (7.0, 7.5, 70.0, math.inf):
        params = hand()
        clip_grad_norm_(params, bound)
        grown = {"short gradients were made longer": joined(hand()) * np.float32(bound / 7)}
        assert_equal(joined(params), float32(2.0, 3.0, 6.0), of=f"gradients at {bound}", known_wrong=grown)


def test_length_and_direction_of_drawn_gradients() -> None:
    """After clipping the norm is the bound, or what it was; and every value has kept its share of the whole.

    Catches s01 and s02, by which the direction turns.
    """
    for seed in range(8):
        params, bound = drawn(seed, (3, 4), (5,), (), (2, 1, 2)), 0.5 + seed
        before = joined(params).astype(np.float64)
        length = float(np.sqrt(np.sum(before**2)))
        assert_norm(clip_grad_norm_(params, bound), length)
        want = before * min(1.0, bound / length)
        assert_close(joined(params), want.astype(np.float32), rtol=1e-6, atol=0, of="the gradients")


def test_golden_torch() -> None:
    """Norm and gradients of torch's clip at three bounds. Its epsilon is below the tolerance at such norms.

    Catches s01 and s02 (another direction), s03 (the norm after), s04 (scaled up), s05 (nothing written), s08,
    s09 and s10 (other norms).
    """
    expected = golden("M10.4/clip.safetensors")
    tensors = expected.tensors
    near: Any = {"rtol": expected.rtol, "atol": expected.atol}
    for i, bound in enumerate(tensors["bounds"]):
        params = [Weight() for _ in range(3)]
        for p, name in zip(params, ("matrix", "vector", "number"), strict=True):
            p.grad = np.array(tensors[f"grads/{name}"])
        norm = clip_grad_norm_(params, float(bound))
        assert_close(as_array(norm, np.float32), tensors["norm"][()], **near, of="the norm")
        for p, name in zip(params, ("matrix", "vector", "number"), strict=True):
            assert_close(p.grad, tensors[f"clipped {i}/{name}"], **near, of=f"{name} at the bound {bound}")


def test_the_clipped_norm_is_the_bound_without_an_epsilon() -> None:
    """A small bound on small gradients is met exactly; torch adds 1e-6 to the norm it divides by.

    Catches s06, that epsilon.
    """
    p = Weight(6e-6, 8e-6)
    clip_grad_norm_([p], 1e-6)
    epsilon = {"the norm was made greater by an epsilon before it divided": float32(6e-7, 8e-7) / 1.1}
    assert_close(p.grad, float32(6e-7, 8e-7), rtol=1e-5, atol=0, of="the gradient", known_wrong=epsilon)


def test_gradients_change_in_place_and_keep_their_dtype() -> None:
    """Whoever holds the array sees the change, a view into a larger one too; float32 stays float32.

    Catches s05, a factor that goes into a new array.
    """
    larger, params = np.arange(8, dtype=np.float32), [Weight(), Weight(6.0)]
    params[0].grad = larger[2:4]
    held = [p.grad for p in params]
    clip_grad_norm_(params, np.float64(3.5))
    want = float32(0.0, 1.0, 1.0, 1.5, 4.0, 5.0, 6.0, 7.0)
    left = {UNTOUCHED: np.arange(8.0)}
    assert_close(larger, want, rtol=1e-6, atol=0, of="the array behind the view", known_wrong=left)
    assert all(p.grad is array for p, array in zip(params, held, strict=True))
    assert_equal(params[1].grad, float32(3.0), of="the gradient of the other")
    assert_equal(params[0].data, np.ones(1, np.float32), of="data, which clipping does not touch")


def test_a_missing_gradient_is_left_out() -> None:
    """None counts nothing and stays None; without any gradient the norm is 0, and nothing divides by it."""
    params = [Weight(), *hand(), Weight()]
    assert_norm(clip_grad_norm_(params, 3.5), 7.0)
    assert params[0].grad is None and params[3].grad is None
    assert_close(joined(params), float32(1.0, 1.5, 3.0), rtol=1e-6, atol=0, of="the gradients")
    assert_norm(clip_grad_norm_([Weight()], 1.0), 0.0)
    assert_norm(clip_grad_norm_([], 1.0), 0.0)
    level = Weight(0.0, 0.0)
    assert_norm(clip_grad_norm_([level], 1.0), 0.0)
    assert_equal(level.grad, float32(0.0, 0.0), of="a gradient of zeros")


def test_parameters_may_be_an_iterator() -> None:
    """An iterator can be walked once. Catches s13, a second walk, which finds nothing left to scale."""
    params = hand()
    clip_grad_norm_(iter(params), 3.5)
    empty = {"the iterator was used up by the norm: make a list first": [2.0, 3.0, 6.0]}
    want = float32(1.0, 1.5, 3.0)
    assert_close(joined(params), want, rtol=1e-6, atol=0, of="the gradients", known_wrong=empty)


def test_squares_that_float32_cannot_hold() -> None:
    """The greatest float32 is 3.4e38: a value of 2e19 has no square there, and one of 1e-23 has the square 0.

    This is where clipping is needed most. Catches s07, squares in the gradient's own dtype.
    """
    for size in (1e30, 1e-30):
        p = Weight(3 * size, 4 * size)
        with np.errstate(over="ignore", under="ignore"):
            norm = clip_grad_norm_([p], size)
        assert_close(as_array(norm, np.float64), np.float64(5 * size), rtol=1e-6, atol=0, of="the norm")
        assert_close(p.grad, float32(0.6 * size, 0.8 * size), rtol=1e-5, atol=0, of="the gradient")


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_norm_that_is_not_finite_is_an_error_and_changes_nothing(bad: float) -> None:
    """NaN times any factor is NaN, and a factor of 0 makes all others 0: stop while the cause can be seen.

    Catches s11 (an infinity let through) and s12 (the error comes after the damage).
    """
    params = [Weight(2.0, 3.0), Weight(bad)]
    raised = False
    with np.errstate(invalid="ignore"):
        try:
            clip_grad_norm_(params, 1.0)
        except FloatingPointError:
            raised = True
    scaled = {"the other gradients were scaled by bound / infinity": [0.0, 0.0]}
    assert_equal(params[0].grad, float32(2.0, 3.0), of="the other gradient", known_wrong=scaled)
    assert raised, f"a gradient of {bad} raised no FloatingPointError"


def test_a_bound_must_be_above_zero() -> None:
    """A bound of 0 would erase every gradient, one below 0 turn them round, and NaN never clips at all.

    Catches s14, a check that only a negative bound fails.
    """
    for bound in (0.0, -1.0, math.nan, -math.inf):
        params = hand()
        with pytest.raises(ValueError):
            clip_grad_norm_(params, bound)
        assert_equal(joined(params), float32(2.0, 3.0, 6.0), of="the gradients")


def test_a_clipped_step_is_no_longer_than_the_rate_times_the_bound() -> None:
    """What clipping is for: one bad batch moves the weights by lr * max_norm and no further.

    Catches s01 (longer: each value has a bound of its own) and s02 (each parameter has).
    """
    params = drawn(3, (40,), (30,))
    for p in params:
        assert p.grad is not None
        p.data, p.grad = np.zeros_like(p.grad), p.grad * np.float32(1000.0)
    clip_grad_norm_(params, 2.0)
    SGD(params, lr=0.25).step()
    moved = np.concatenate([p.data for p in params]).astype(np.float64)
    assert_close(np.sqrt(np.sum(moved**2)), np.float64(0.5), rtol=1e-5, atol=0, of="the length of the step")
