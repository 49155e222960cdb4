"""Course tests of L0.5, the training loop: one step, evaluation, misuse. The first failure says most.

They measure with the frozen kit; losses are built from Tensor's own arithmetic. The ids s01 .. s25 name the
mutants that a test is there to catch.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, as_array, assert_close, assert_equal
from tinyllm.autograd.mode import is_grad_enabled
from tinyllm.autograd.tensor import Tensor, from_op
from tinyllm.nn.layers import Linear, Sequential
from tinyllm.nn.module import Module
from tinyllm.optim.clip import clip_grad_norm_
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, evaluate, train_step

STALE = "this step went along the sum of this batch's gradient and those of earlier steps"


class Line(Module):
    """w x, which starts at w = 1."""

    def __init__(self) -> None:
        self.w = Tensor([1.0], requires_grad=True)

    def forward(self, x: Any) -> Tensor:
        return self.w * x


class Plane(Module):
    """Three weights and a bias, [n, 3] -> [n]."""

    def __init__(self) -> None:
        self.linear = Linear(3, 1, rng=PCG32(1))

    def forward(self, x: Any) -> Tensor:
        return self.linear(Tensor(x))[:, 0]


class Watched(Line):
    """A line that notes in which mode it was called, and whether ops were recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[bool, bool]] = []

    def forward(self, x: Any) -> Tensor:
        self.seen.append((self.training, is_grad_enabled()))
        return super().forward(x)


def squares(model: Module, batch: Any) -> Tensor:
    """The mean of (prediction - y)^2."""
    r = model(batch["x"]) - batch["y"]
    return (r @ r) / len(r)


def batch_of(x: list[float], y: list[float]) -> dict[str, NDArray[Any]]:
    return {"x": np.array(x), "y": np.array(y)}


HAND = batch_of([1.0, 2.0], [3.0, 2.0])  # the worked example, from w = 1: loss 2, gradient -2


def float64(values: Any) -> NDArray[np.float64]:
    return as_array(values, np.float64)


def float32(values: Any) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def test_two_steps_by_hand() -> None:
    """The worked example: losses 2 and 1.625, weights 1.5 and 1.375. Each step has its own gradient.

    Every later training is this step, repeated. Catches s01 (gradients add up from step to step).
    """
    model = Line()
    opt = SGD(model.parameters(), 0.25)
    assert train_step(model, HAND, squares, opt) == {"loss": 2.0}
    assert_close(model.w.data, float32([1.5]), rtol=1e-6, atol=0, of="w after one step")
    assert train_step(model, HAND, squares, opt) == {"loss": 1.625}
    known = {STALE: [1.875]}
    assert_close(model.w.data, float32([1.375]), 1e-6, 0, of="w after two steps", known_wrong=known)


def test_a_gradient_left_by_others_is_forgotten() -> None:
    """What an earlier backward left behind does not move the weights. Catches s01.

    An evaluation by hand, or a first try at a prompt, leaves gradients that nobody wanted.
    """
    model = Line()
    model.w.grad = float32([16.0])
    train_step(model, HAND, squares, SGD(model.parameters(), 0.25))
    assert_close(model.w.data, float32([1.5]), 1e-6, 0, of="w", known_wrong={STALE: [-2.5]})


def test_a_clip_bounds_the_step_and_tells_the_norm_before() -> None:
    """A gradient of norm 2 under a clip of 1: the weight moves half as far, and 2 is reported.

    A log of norms after clipping says nothing. Catches s05 (clipped after the step) and s16 (norm after).
    """
    model = Line()
    report = train_step(model, HAND, squares, SGD(model.parameters(), 0.25), clip=1.0)
    known = {"the step was taken before the gradients were clipped": [1.5]}
    assert_close(model.w.data, float32([1.25]), rtol=1e-6, atol=0, of="w", known_wrong=known)
    assert set(report) == {"loss", "grad_norm"}
    known = {"this is the norm that clipping left: the one from before is asked for": 1.0}
    assert_close(float64(report["grad_norm"]), 2.0, rtol=1e-6, atol=0, of="grad_norm", known_wrong=known)
    model = Line()
    loose = train_step(model, HAND, squares, SGD(model.parameters(), 0.25), clip=5.0)
    assert_close(model.w.data, float32([1.5]), rtol=1e-6, atol=0, of="w under a loose clip")
    assert_close(float64(loose["grad_norm"]), 2.0, rtol=1e-6, atol=0, of="grad_norm below the clip")


def test_the_step_is_its_five_lines_bit_for_bit() -> None:
    """Six steps with momentum and a clip equal the loop written out: a training is repeated from its seed.

    Catches s01, s05 and s16.
    """
    rng, models = PCG32(4), (Plane(), Plane())
    opts = [SGD(model.parameters(), 0.2, momentum=0.9) for model in models]
    for _ in range(6):
        batch = {"x": rng.uniforms(24).reshape(8, 3), "y": 5 * rng.uniforms(8)}
        report = train_step(models[0], batch, squares, opts[0], clip=0.8)
        models[1].zero_grad()
        loss = squares(models[1], batch)
        loss.backward()
        norm = clip_grad_norm_(models[1].parameters(), 0.8)
        opts[1].step()
        assert report == {"loss": loss.data.item(), "grad_norm": norm}
    for (name, mine), (_, theirs) in zip(*(each.named_parameters() for each in models), strict=True):
        assert_equal(mine.data, theirs.data, of=name)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_loss_that_is_not_finite_changes_no_parameter(bad: float) -> None:
    """FloatingPointError, and the weights are those of before: one bad batch must not cost a run.

    Catches s07, which looks at the loss when the step is taken already.
    """
    model = Line()
    opt = SGD(model.parameters(), 0.25)
    with pytest.raises(FloatingPointError), np.errstate(all="ignore"):
        train_step(model, batch_of([bad], [1.0]), squares, opt)
    assert_equal(model.w.data, float32([1.0]), of="w")

    def steep(model: Any, batch: Any) -> Tensor:
        return from_op(float32(1.0), [model.w], lambda g: [float32([bad])])

    with pytest.raises(FloatingPointError):
        train_step(model, HAND, steep, opt, clip=1.0)
    assert_equal(model.w.data, float32([1.0]), of="w after a gradient that is not finite")


def test_metrics_are_handed_on() -> None:
    """A loss_fn may return its loss and metrics: both come back from a step, and as means over rows.

    Accuracy and the like are counted where the logits are. Catches s02 in the metrics too.
    """

    def with_last(model: Any, batch: Any) -> tuple[Tensor, dict[str, float]]:
        return squares(model, batch), {"last": float(batch["y"][-1])}

    model = Line()
    assert train_step(model, HAND, with_last, SGD(model.parameters(), 0.25)) == {"loss": 2.0, "last": 2.0}
    batches = [batch_of([0.0] * 3, [0.0, 0.0, 4.0]), batch_of([0.0], [8.0])]
    report = evaluate(Line(), batches, with_last)
    known = {"every batch counts the same here, whatever its number of rows": 6.0}
    assert_close(float64(report["last"]), 5.0, rtol=1e-12, atol=0, of="the mean of last", known_wrong=known)


def test_evaluation_weights_every_row_the_same() -> None:
    """Losses 0.5 over four rows and 25 over one are 5.4 in the mean: the last batch is smaller.

    Held-out losses of two batch sizes could not be compared otherwise. Catches s02.
    """
    rows = batch_of([1.0] * 5, [1.0, 1.0, 2.0, 2.0, 6.0])
    report = evaluate(Line(), DataLoader(rows, 4, False, None, drop_last=False), squares)
    known = {"every batch counts the same here, whatever its number of rows": 12.75}
    assert_close(float64(report["loss"]), 5.4, rtol=1e-6, atol=0, of="the loss", known_wrong=known)


def test_evaluation_is_in_eval_mode_without_a_graph_and_restores_the_mode() -> None:
    """Dropout is off, nothing is recorded, and afterwards the model is in the mode it had.

    Catches s03 (evaluated in training mode), s14 (a graph grows) and s15 (back to training, always).
    """
    part = Watched()
    model = Sequential(part)
    for mode in (True, False):
        model.train(mode)
        evaluate(model, [HAND, HAND], squares)
        assert (model.training, part.training) == (mode, mode), f"the model was in training mode: {mode}"
    assert [training for training, _ in part.seen] == [False] * 4, "the model was not in eval mode"
    assert [recorded for _, recorded in part.seen] == [False] * 4, "a graph was recorded"
    assert is_grad_enabled()
    assert_equal(part.w.data, float32([1.0]), of="w after evaluations")


def test_misuse_fails_at_the_call() -> None:
    """ValueError where no loop can be right: no common number of rows, no batch, several losses, no clip."""
    for arrays, batch_size, shuffle in (
        ({}, 1, False),
        ({"x": np.ones(3), "y": np.ones(4)}, 1, False),
        ({"x": np.ones(3)}, 0, False),
        ({"x": np.ones(3)}, 1, True),
    ):
        refuses(DataLoader, arrays, batch_size, shuffle, None)
    refuses(evaluate, Line(), [], squares)
    refuses(evaluate, Line(), [batch_of([], [])], lambda model, batch: Tensor(0.0))
    refuses(evaluate, Line(), [HAND], lambda model, batch: model(batch["x"]))
    model = Line()
    opt = SGD(model.parameters(), 0.25)
    refuses(train_step, model, HAND, lambda model, batch: model(batch["x"]), opt)
    for clip in (0.0, -1.0):
        refuses(train_step, model, HAND, squares, opt, clip=clip)
    assert_equal(model.w.data, float32([1.0]), of="w after refused steps")


def refuses(call: Any, *args: Any, **options: Any) -> None:
    """ValueError, and no other outcome."""
    with pytest.raises(ValueError):
        call(*args, **options)
