"""The training loop: batches, one step, evaluation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from frozen.pcg32 import PCG32 as FrozenPCG32
from tinyllm.autograd.losses import cross_entropy, mse
from tinyllm.autograd.mode import is_grad_enabled
from tinyllm.autograd.tensor import Tensor
from tinyllm.nn.layers import Dropout, Linear, Sequential
from tinyllm.nn.module import Module
from tinyllm.num.rng import PCG32
from tinyllm.optim.clip import clip_grad_norm_
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, evaluate, train_step

ROWS = {"x": np.arange(10), "y": np.arange(10) * 10}


class Line(Module):
    """y = w x, which starts at w = 1."""

    def __init__(self) -> None:
        self.w = Tensor([1.0], requires_grad=True)

    def forward(self, x: Any) -> Tensor:
        return self.w * x


def squares(model: Module, batch: Any) -> Tensor:
    return mse(model(batch["x"]), batch["y"])


def batch_of(x: list[float], y: list[float]) -> dict[str, Any]:
    return {"x": np.array(x), "y": np.array(y)}


def test_batches_keep_their_rows_together_and_in_order() -> None:
    loader = DataLoader(ROWS, 4, shuffle=False, rng=None)
    batches = list(loader)
    assert len(loader) == len(batches) == 2
    assert [b["x"].tolist() for b in batches] == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert [b["y"].tolist() for b in batches] == [[0, 10, 20, 30], [40, 50, 60, 70]]


def test_the_last_rows_are_kept_on_request() -> None:
    loader = DataLoader(ROWS, 4, shuffle=False, rng=None, drop_last=False)
    assert [len(b["x"]) for b in loader] == [4, 4, 2] and len(loader) == 3
    assert len(DataLoader(ROWS, 5, shuffle=False, rng=None, drop_last=False)) == 2
    assert len(DataLoader(ROWS, 11, shuffle=False, rng=None)) == 0


def test_each_epoch_is_the_next_shuffle_of_the_first_order() -> None:
    loader, twin = DataLoader(ROWS, 5, shuffle=True, rng=PCG32(3)), FrozenPCG32(3)
    for _ in range(3):
        order = np.arange(10)
        twin.shuffle(order)
        batches = list(loader)
        assert np.concatenate([b["x"] for b in batches]).tolist() == order.tolist()
        assert np.concatenate([b["y"] for b in batches]).tolist() == (order * 10).tolist()


def test_a_batch_is_a_copy() -> None:
    x = np.zeros((4, 2))
    for shuffle in (False, True):
        next(iter(DataLoader({"x": x}, 2, shuffle, PCG32(0))))["x"][:] = 1
    assert not x.any()


@pytest.mark.parametrize(
    ("arrays", "batch_size", "shuffle", "match"),
    [
        ({}, 1, False, "common number"),
        ({"x": np.ones(3), "y": np.ones(4)}, 1, False, "common number"),
        ({"x": np.ones(3)}, 0, False, "batch_size"),
        ({"x": np.ones(3)}, 1, True, "rng"),
    ],
)
def test_batches_that_cannot_be_made_are_an_error(
    arrays: Any, batch_size: int, shuffle: bool, match: str
) -> None:
    with pytest.raises(ValueError, match=match):
        DataLoader(arrays, batch_size, shuffle, None)


def test_a_step_by_hand() -> None:
    model = Line()  # loss (w x - y)^2 at x = 2, y = 6: 16, slope 2 · (-4) · 2 = -16
    report = train_step(model, batch_of([2.0], [6.0]), squares, SGD(model.parameters(), 0.125))
    assert report == {"loss": 16.0}
    assert model.w.data.tolist() == [3.0]


def test_gradients_of_earlier_steps_are_forgotten() -> None:
    model = Line()
    model.w.grad = np.array([1e6], dtype=np.float32)
    train_step(model, batch_of([2.0], [6.0]), squares, SGD(model.parameters(), 0.125))
    assert model.w.data.tolist() == [3.0]


def test_a_clip_bounds_the_step_and_reports_the_norm() -> None:
    model = Line()
    report = train_step(model, batch_of([2.0], [6.0]), squares, SGD(model.parameters(), 0.125), clip=8.0)
    assert report == {"loss": 16.0, "grad_norm": 16.0}
    assert model.w.data.tolist() == [2.0]
    assert (
        train_step(model, batch_of([0.0], [0.0]), squares, SGD(model.parameters(), 0.1), clip=1.0)[
            "grad_norm"
        ]
        == 0
    )


def test_metrics_are_passed_on_and_never_hide_the_loss() -> None:
    model = Line()
    report = train_step(
        model,
        batch_of([2.0], [6.0]),
        lambda m, b: (squares(m, b), {"hits": 3.0, "loss": -1.0}),
        SGD(model.parameters(), 0.1),
    )
    assert report == {"hits": 3.0, "loss": 16.0}


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_loss_that_is_not_finite_changes_no_parameter(bad: float) -> None:
    model = Line()
    opt = SGD(model.parameters(), 0.1, momentum=0.9)
    train_step(model, batch_of([2.0], [6.0]), squares, opt)
    before, state = model.state_dict(), opt.state_dict()
    with pytest.raises(FloatingPointError, match=str(bad)):
        train_step(model, batch_of([bad], [1.0]), squares, opt)
    assert model.state_dict() == before
    np.testing.assert_equal(opt.state_dict(), state)


def test_a_gradient_that_is_not_finite_changes_no_parameter_when_clipping() -> None:
    class Spike(Line):
        def forward(self, x: Any) -> Tensor:
            return (self.w - 1.0) ** 0.5 * x  # 0, with an infinite slope

    model = Spike()
    with pytest.raises(FloatingPointError), np.errstate(divide="ignore"):
        train_step(
            model, batch_of([2.0], [6.0]), lambda m, b: m(b["x"]), SGD(model.parameters(), 0.1), clip=1.0
        )
    assert model.w.data.tolist() == [1.0]


def test_a_loss_of_several_elements_is_an_error() -> None:
    model = Line()
    with pytest.raises(ValueError, match="one element"):
        train_step(
            model, batch_of([1.0, 2.0], [1.0, 2.0]), lambda m, b: m(b["x"]), SGD(model.parameters(), 0.1)
        )


def test_the_loop_is_the_five_steps_bit_for_bit() -> None:
    rng = np.random.default_rng(0)
    batches = [{"x": rng.standard_normal((8, 3)), "y": rng.integers(0, 4, 8)} for _ in range(6)]
    models = [Sequential(Linear(3, 5, rng=PCG32(1)), Linear(5, 4, rng=PCG32(2))) for _ in range(2)]
    opts = [SGD(model.parameters(), 0.2, momentum=0.9) for model in models]

    def loss_of(model: Module, batch: Any) -> Tensor:
        return cross_entropy(model(Tensor(batch["x"])), batch["y"])

    for batch in batches:
        report = train_step(models[0], batch, loss_of, opts[0], clip=0.7)
        models[1].zero_grad()
        loss = loss_of(models[1], batch)
        loss.backward()
        norm = clip_grad_norm_(models[1].parameters(), 0.7)
        opts[1].step()
        assert report == {"loss": loss.data.item(), "grad_norm": norm}
    for a, b in zip(*(model.parameters() for model in models), strict=True):
        np.testing.assert_array_equal(a.data, b.data)


def test_evaluation_weights_every_row_the_same() -> None:
    loader = DataLoader(
        {"x": np.ones(5), "y": np.array([1.0, 1.0, 2.0, 2.0, 6.0])}, 4, False, None, drop_last=False
    )
    report = evaluate(Line(), loader, lambda m, b: (squares(m, b), {"last": float(b["y"][-1])}))
    assert report == {"loss": (0 + 0 + 1 + 1 + 25) / 5, "last": (4 * 2 + 6) / 5}


def test_evaluation_is_in_eval_mode_without_a_graph_and_restores_the_mode() -> None:
    model = Sequential(Dropout(0.5))
    seen: list[tuple[bool, bool]] = []

    def loss(model: Module, batch: Any) -> Tensor:
        seen.append((model.training, is_grad_enabled()))
        return mse(model(Tensor(batch["x"])), batch["x"])

    for mode in (True, False):
        model.train(mode)
        assert evaluate(model, [{"x": np.ones(4)}], loss)["loss"] == 0.0
        assert model.training is mode and model[0].training is mode
    assert seen == [(False, False)] * 2
    model.train()
    with pytest.raises(ZeroDivisionError):
        evaluate(model, [{"x": np.ones(4)}], lambda m, b: 1 // 0)
    assert model.training and is_grad_enabled()


def test_evaluation_of_nothing_is_an_error_and_nan_is_shown() -> None:
    with pytest.raises(ValueError, match="no rows"):
        evaluate(Line(), [], squares)
    with pytest.raises(ValueError, match="no rows"):
        evaluate(Line(), [batch_of([], [])], squares)
    assert math.isnan(evaluate(Line(), [batch_of([np.nan], [1.0])], squares)["loss"])
