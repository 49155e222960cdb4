import numpy as np

from tinyllm.optim.sgd import SGD

# Work these five out on paper, from the rule in the chapter, before you write any code. Every parameter starts
# at 3, the rate is 0.25, momentum is 0.5 where there is one, and the gradients are 1.5 and then -0.5.
TWO_STEPS = 2.75  # by hand: p after both steps, without momentum
MOMENTUM = 2.5625  # by hand: p after both steps with momentum; the first b is the gradient itself
NESTEROV = 2.53125  # by hand: p after both steps along g + momentum b
DECAYED = 1.71875  # by hand: p after both steps with momentum, and weight_decay 0.5 in each gradient
AFTER_ZERO = 2.46875  # by hand: p after 1.5, 0 and -0.5 with momentum; b goes on at the 0


class Weight:
    """A parameter of nothing but data and grad."""

    def __init__(self, *values):
        self.data = np.array(values, dtype=np.float32)
        self.grad = None


def after(gradients, **settings):
    """Where a parameter that starts at 3 gets to. None stands for a step without a gradient."""
    p = Weight(3.0)
    opt = SGD([p], lr=0.25, **settings)
    for gradient in gradients:
        p.grad = None if gradient is None else np.array([gradient], dtype=np.float32)
        opt.step()
    return p.data[0]


def test_two_plain_steps():
    assert after([1.5, -0.5]) == TWO_STEPS


def test_two_steps_of_momentum():
    assert after([1.5, -0.5], momentum=0.5) == MOMENTUM


def test_two_steps_of_nesterov():
    assert after([1.5, -0.5], momentum=0.5, nesterov=True) == NESTEROV


def test_two_steps_of_weight_decay():
    assert after([1.5, -0.5], momentum=0.5, weight_decay=0.5) == DECAYED


def test_zero_is_a_gradient_and_none_is_not():
    assert after([1.5, 0.0, -0.5], momentum=0.5) == AFTER_ZERO
    assert after([1.5, None, -0.5], momentum=0.5) == MOMENTUM


def test_an_array_may_be_filled_again_with_the_next_gradient():
    p, array = Weight(3.0), np.zeros(1, dtype=np.float32)
    opt = SGD([p], lr=0.25, momentum=0.5)
    for gradient in (1.5, -0.5):
        array[0] = gradient
        p.grad = array
        opt.step()
        assert array[0] == gradient
    assert p.data[0] == MOMENTUM


def test_a_stopped_run_goes_on():
    p = Weight(3.0)
    first = SGD([p], lr=0.25, momentum=0.5, weight_decay=0.5)
    p.grad = np.array([1.5], dtype=np.float32)
    first.step()
    second = SGD([p], lr=1.0)
    second.load_state_dict(first.state_dict())
    p.grad = np.array([-0.5], dtype=np.float32)
    second.step()
    assert p.data[0] == DECAYED


def test_zero_grad_lets_everything_rest():
    p = Weight(3.0)
    opt = SGD([p], lr=0.25, momentum=0.5, weight_decay=0.5)
    p.grad = np.array([1.5], dtype=np.float32)
    opt.zero_grad()
    opt.step()
    assert p.grad is None
    assert p.data[0] == 3.0
