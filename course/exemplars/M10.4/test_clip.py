import numpy as np
import pytest

from tinyllm.optim.clip import clip_grad_norm_
from tinyllm.optim.sgd import SGD

# Work these four out on paper, from the rule in the chapter, before you write any code. One parameter has the
# gradients 1 and -3, another the gradient 4.5; the bound is 1.375, and in the step the rate is 0.5.
NORM = 5.5  # by hand: the norm of all three together
CLIPPED = [0.25, -0.75, 1.125]  # by hand: the three gradients after clipping, a list
AFTER_A_STEP = 1.4375  # by hand: where the last of them takes a parameter that starts at 2
STEP_LENGTH = 0.6875  # by hand: how far all three values together move in that step: a length


class Weight:
    """A parameter of nothing but data and grad; data starts at 2."""

    def __init__(self, *grad):
        self.data = np.full(len(grad), 2.0, dtype=np.float32)
        self.grad = np.array(grad, dtype=np.float32)


def example():
    return [Weight(1.0, -3.0), Weight(4.5)]


def gradients(params):
    return np.concatenate([p.grad for p in params]).tolist()


def test_the_norm_is_that_of_all_gradients_together():
    assert clip_grad_norm_(example(), 1000.0) == pytest.approx(NORM)


def test_the_norm_is_the_one_from_before():
    assert clip_grad_norm_(example(), 1.375) == pytest.approx(NORM)


def test_one_factor_scales_them_all():
    params = example()
    clip_grad_norm_(params, 1.375)
    assert gradients(params) == pytest.approx(CLIPPED)


def test_below_the_bound_nothing_changes():
    params = example()
    clip_grad_norm_(params, 1000.0)
    assert gradients(params) == [1.0, -3.0, 4.5]


def test_the_step_after_clipping():
    params = example()
    clip_grad_norm_(params, 1.375)
    SGD(params, lr=0.5).step()
    assert params[1].data[0] == pytest.approx(AFTER_A_STEP)
    moved = np.concatenate([p.data - 2.0 for p in params])
    assert np.sqrt(np.sum(moved**2)) == pytest.approx(STEP_LENGTH)


def test_a_parameter_without_a_gradient_counts_nothing():
    params = example()
    unused = Weight(7.0)
    unused.grad = None
    assert clip_grad_norm_([unused, *params], 1.375) == pytest.approx(NORM)
    assert unused.grad is None
    assert gradients(params) == pytest.approx(CLIPPED)


def test_a_gradient_that_is_not_a_number_stops_the_step():
    params = example()
    with pytest.raises(FloatingPointError):
        clip_grad_norm_([*params, Weight(float("nan"))], 1.375)
    assert gradients(params) == [1.0, -3.0, 4.5]
