"""L0.5, your tests: work out each blank by hand, write it in place of the dots, then build until all pass."""

import numpy as np
import pytest

from tinyllm.autograd.tensor import Tensor
from tinyllm.lm.bigram import BigramLM
from tinyllm.nn.module import Module
from tinyllm.num.rng import PCG32
from tinyllm.optim.sgd import SGD
from tinyllm.train.loop import DataLoader, evaluate, train_step

WEIGHT_AFTER_A_STEP = ...  # by hand: the line's w after one step at a rate of 0.05 on the row x = 3, y = -4
CLIPPED_WEIGHT = ...  # by hand: its w after that step under a clip of 6
LAST_BATCH = ...  # by hand: the list of rows in the last batch of 11, by fours, none dropped
HELD_OUT_LOSS = ...  # by hand: the line's mean loss over x = 1, 1, 1, 1 and y = 3, 3, 3, -7, by threes
PROBABILITY = ...  # by hand: P(1 | 1) after the text 0 1 1 0 2 1 0, with four tokens and alpha 0.25


class Line(Module):
    """w x, which starts at w = 1."""

    def __init__(self):
        self.w = Tensor([1.0], requires_grad=True)

    def forward(self, x):
        return self.w * x


def squares(model, batch):
    """The mean of (prediction - y)^2."""
    r = model(batch["x"]) - batch["y"]
    return (r @ r) / len(r)


def batch_of(x, y):
    return {"x": np.array(x, dtype=np.float32), "y": np.array(y, dtype=np.float32)}


def after_a_step(clip=None):
    line = Line()
    report = train_step(line, batch_of([3], [-4]), squares, SGD(line.parameters(), 0.05), clip=clip)
    return float(line.w.data[0]), report


def test_one_step():
    weight, report = after_a_step()
    assert report == {"loss": pytest.approx(49)}
    assert weight == pytest.approx(WEIGHT_AFTER_A_STEP, rel=1e-6)


def test_a_clipped_step():
    weight, report = after_a_step(clip=6.0)
    assert report == {"loss": pytest.approx(49), "grad_norm": pytest.approx(42)}
    assert weight == pytest.approx(CLIPPED_WEIGHT, rel=1e-6)


def test_a_step_forgets_the_gradient_of_the_one_before():
    line, batch = Line(), batch_of([1, 2], [3, 2])
    opt = SGD(line.parameters(), 0.25)
    train_step(line, batch, squares, opt)
    train_step(line, batch, squares, opt)
    assert float(line.w.data[0]) == pytest.approx(1.375, rel=1e-6)


def test_the_last_rows_come_on_request():
    loader = DataLoader({"x": np.arange(11)}, 4, shuffle=False, rng=None, drop_last=False)
    assert [batch["x"].tolist() for batch in loader][-1] == LAST_BATCH
    assert len(loader) == 3


def test_a_shuffle_keeps_the_columns_together():
    rows = {"x": np.arange(12), "y": np.arange(12) ** 2}
    for batch in DataLoader(rows, 5, shuffle=True, rng=PCG32(2)):
        assert (batch["y"] == batch["x"] ** 2).all()


def test_an_evaluation_weights_every_row_the_same():
    rows = batch_of([1, 1, 1, 1], [3, 3, 3, -7])
    report = evaluate(Line(), DataLoader(rows, 3, shuffle=False, rng=None, drop_last=False), squares)
    assert report["loss"] == pytest.approx(HELD_OUT_LOSS, rel=1e-6)


def test_a_probability_is_smoothed():
    model = BigramLM(4, alpha=0.25).fit([0, 1, 1, 0, 2, 1, 0])
    assert np.exp(model.logprobs(1)[1]) == pytest.approx(PROBABILITY, rel=1e-6)
    assert np.exp(model.logprobs(1)).sum() == pytest.approx(1)
