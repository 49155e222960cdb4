import numpy as np

from tinyllm.num.gradcheck import gradcheck

# Work these five out on paper, from the chapter, before you write any code. Halves and quarters come out exactly.
CUBE_SLOPE = 27.0625  # by hand: (f(x + eps) - f(x - eps)) / (2 eps) of x^3 at 3 with eps = 1/4
KINK_SLOPE = 0.75  # by hand: the same of |x| at 3/8 with eps = 1/2, which reaches over the kink at 0
EXCESS = 2.4  # by hand: gradient 8 where the slope is 5, with rtol = 0.2 and atol = 0.25
CALLS = 22  # by hand: how often f runs for parameters of shapes (2, 3) and (4,)
WORST = [1, 5, 3]  # by hand: [param, row, column] of the entry that test_the_worst_entry_is_named must name


class Leaf:
    """A parameter of nothing but data and grad."""

    def __init__(self, values):
        self.data = np.array(values, dtype=np.float32)
        self.grad = None


class Result:
    """One number, and a backward that leaves these gradients in these parameters."""

    def __init__(self, value, leaves, grads):
        self.data, self.leaves, self.grads = np.asarray(value), leaves, grads

    def backward(self):
        for leaf, grad in zip(self.leaves, self.grads, strict=True):
            leaf.grad = grad


def test_the_slope_of_a_cube():
    """Its gradient is 27: a central difference is off by eps^2."""
    x = Leaf([3.0])
    report = gradcheck(lambda: Result((x.data**3).sum(), [x], [3 * x.data**2]), [x], eps=0.25)
    assert report.numeric == CUBE_SLOPE
    assert report.analytic == 27.0


def test_the_slope_over_a_kink():
    """The gradient is 1. A step that reaches over a kink measures something else."""
    x = Leaf([0.375])
    report = gradcheck(lambda: Result(np.abs(x.data).sum(), [x], [np.sign(x.data)]), [x], eps=0.5)
    assert report.numeric == KINK_SLOPE
    assert not report


def test_the_excess_is_in_units_of_the_tolerance():
    x = Leaf([1.0])
    report = gradcheck(
        lambda: Result((5 * x.data).sum(), [x], [0 * x.data + 8]), [x], eps=0.5, rtol=0.2, atol=0.25
    )
    assert abs(report.excess - EXCESS) < 1e-9


def test_f_runs_twice_and_twice_for_every_entry():
    a, b, calls = Leaf(np.ones((2, 3))), Leaf(np.ones(4)), []

    def f():
        calls.append(1)
        return Result(a.data.sum() + b.data.sum(), [a, b], [np.ones((2, 3)), np.ones(4)])

    assert gradcheck(f, [a, b])
    assert len(calls) == CALLS


def test_the_worst_entry_is_named():
    """Three gradients are off: by 1 where the slope is 2000, by 0.1 where it is 50, by 0.01 where it is 1."""
    a, b = Leaf([[1, 1]]), Leaf(np.ones((7, 5)))
    slopes = [np.array([[2000.0, 1.0]]), np.ones((7, 5))]
    slopes[1].flat[0] = 50.0
    wrong = [each.copy() for each in slopes]
    wrong[0].flat[0] += 1.0
    wrong[1].flat[0] += 0.1
    wrong[1].flat[28] += 0.01

    def f():
        value = (slopes[0] * a.data).sum() + (slopes[1] * b.data).sum()
        return Result(value, [a, b], wrong)

    report = gradcheck(f, [a, b], eps=0.5)
    assert [report.param, *report.index] == WORST


def test_a_parameter_without_a_gradient_is_found():
    a, cut = Leaf([2.0]), Leaf([3.0])
    report = gradcheck(lambda: Result((a.data * cut.data).sum(), [a], [cut.data]), [a, cut])
    assert not report
    assert (report.param, report.analytic) == (1, 0.0)


def test_nothing_is_left_changed():
    x = Leaf([0.5, 1.5])
    data, x.grad = x.data, np.ones(2)
    grad = x.grad
    assert gradcheck(lambda: Result((x.data**3).sum(), [x], [3 * x.data**2]), [x])
    assert x.data is data and x.grad is grad
