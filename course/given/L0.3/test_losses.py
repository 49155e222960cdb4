import numpy as np
import pytest

from tinyllm.autograd.losses import bce_with_logits, cross_entropy, mse
from tinyllm.autograd.tensor import Tensor

# Work these five out on paper, by the formulas of the chapter, before you write any code; four digits after the
# point will do. The logits of one row are the logarithms of 3, 4 and 9; those of a second one are 0, 0 and ln 2.
ROW_COST = ...  # by hand: what the first row costs, in nats, when class 0 comes
ROW_SLOPE = ...  # by hand: the gradient at its three logits then, a list
MEAN_COST = ...  # by hand: the mean of the first row, class 0, the second, class 2, and a third, ignored
SMOOTHED_COST = ...  # by hand: what the second row costs when class 2 comes, with label smoothing 0.3
SQUARED_SLOPE = ...  # by hand: the gradient of mse at 2.2, -1.1, 4.3, for 1, 1, 4

FIRST, SECOND = np.log([3.0, 4.0, 9.0]), np.log([1.0, 1.0, 2.0])


def test_what_a_row_costs():
    assert cross_entropy(Tensor([FIRST]), [0]).data == pytest.approx(ROW_COST, rel=1e-4)


def test_the_slope_of_a_row():
    z = Tensor([FIRST], requires_grad=True)
    cross_entropy(z, [0]).backward()
    assert z.grad[0].tolist() == pytest.approx(ROW_SLOPE, rel=1e-4)
    assert z.grad.sum() == pytest.approx(0.0, abs=1e-6)


def test_the_mean_of_the_slopes_is_half_of_each():
    z = Tensor([FIRST, FIRST], requires_grad=True)
    cross_entropy(z, [0, 0]).backward()
    assert (2 * z.grad[1]).tolist() == pytest.approx(ROW_SLOPE, rel=1e-4)


def test_an_ignored_row_is_not_there():
    z = Tensor([FIRST, SECOND, FIRST], requires_grad=True)
    loss = cross_entropy(z, [0, 2, -100])
    loss.backward()
    assert loss.data == pytest.approx(MEAN_COST, rel=1e-4)
    assert not z.grad[2].any()


def test_smoothing_costs_something():
    loss = cross_entropy(Tensor([SECOND]), [2], label_smoothing=0.3)
    assert loss.data == pytest.approx(SMOOTHED_COST, rel=1e-4)


def test_a_shift_of_all_logits_changes_nothing():
    for shift in (-500.0, 500.0):
        assert cross_entropy(Tensor([FIRST + shift]), [0]).data == pytest.approx(ROW_COST, rel=1e-3)


def test_the_slope_of_the_squares():
    prediction = Tensor([2.2, -1.1, 4.3], requires_grad=True)
    target = Tensor([1.0, 1.0, 4.0], requires_grad=True)
    mse(prediction, target).backward()
    assert prediction.grad.tolist() == pytest.approx(SQUARED_SLOPE, rel=1e-4)
    assert (-target.grad).tolist() == pytest.approx(SQUARED_SLOPE, rel=1e-4)


def test_two_shapes_are_no_pair():
    for loss in (mse, bce_with_logits):
        with pytest.raises(ValueError):
            loss(Tensor([[1.0], [2.0]]), [1.0, 2.0])
