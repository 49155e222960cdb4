"""Course tests of M04.1, the gradient check: the first failure says most.

A parameter here is an object with data and grad and nothing else, and every backward is written out: the check must
work for any autograd, so none is used. The ids s01 .. s15 name the mutants that a test is there to catch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from frozen import PCG32, as_array, assert_close, assert_equal
from tinyllm.num.gradcheck import GradcheckReport, gradcheck

Array = NDArray[Any]
Spoil = Callable[[list[Array]], object]


class Leaf:
    """A parameter of nothing but data and grad, float32 as weights are."""

    def __init__(self, data: Any) -> None:
        self.data: Array = np.array(data, dtype=np.float32)
        self.grad: Array | None = None


class Result:
    """A value, and a backward that adds to the gradients that are there, as a tape does."""

    def __init__(self, value: Any, leaves: Sequence[Leaf] = (), grads: Sequence[Array | None] = ()) -> None:
        self.data = np.asarray(value)
        self._shares = list(zip(leaves, grads, strict=True))

    def backward(self) -> None:
        for leaf, grad in self._shares:
            if grad is not None:
                leaf.grad = np.array(grad) if leaf.grad is None else leaf.grad + grad


def product(leaves: Sequence[Leaf], spoil: Spoil | None = None) -> Result:
    """The product of all entries of all leaves: of degree one in each, so that any step gives the exact slope.

    `spoil` may change the gradients, which are right when it gets them.
    """
    value = np.prod([np.prod(leaf.data) for leaf in leaves])
    grads = [np.asarray(value / leaf.data) for leaf in leaves]
    if spoil:
        spoil(grads)
    return Result(value, leaves, grads)


def cubes(leaf: Leaf) -> Result:
    return Result((leaf.data**3).sum(), [leaf], [3 * leaf.data**2])


def leaves_of(*values: Any) -> list[Leaf]:
    return [Leaf(each) for each in values]


def close(got: float, want: float, of: str, rtol: float = 1e-9, **known_wrong: Any) -> None:
    assert_close(as_array(got, np.float64), np.float64(want), rtol=rtol, atol=1e-12, of=of, **known_wrong)


def test_hand_example() -> None:
    """x^3 at 2 with a step of 1/2: slope 12.25, gradient 12, and an excess in units of the tolerance.

    Every later check reads its verdict from these three. Catches s04 (the difference taken to one side) and s05
    (divided by one step instead of two).
    """
    x = Leaf([2.0])
    report = gradcheck(lambda: cubes(x), [x], eps=0.5, rtol=0.0, atol=0.5)
    wrong = {
        "this is the difference to one side: look on both sides of x, at x + eps and x - eps": 15.25,
        "this is divided by eps: from x - eps to x + eps it is two of them": 24.5,
    }
    close(report.numeric, 12.25, of="the slope", known_wrong=wrong)
    close(report.analytic, 12.0, of="the gradient")
    close(report.excess, 0.5, of="the excess, 0.25 in units of 0.5")
    assert report.passed is True and bool(report) is True
    strict = gradcheck(lambda: cubes(x), [x], eps=0.5, rtol=0.01, atol=0.0025)
    close(strict.excess, 2.0, of="the excess, 0.25 in units of 0.0025 + 0.01 * 12.25")
    assert strict.passed is False and bool(strict) is False
    assert (strict.checked, strict.param, strict.index) == (1, 0, (0,))


def test_one_wrong_entry_is_found_and_named() -> None:
    """One entry of nine is off by a thousandth: the report says which, and what the two numbers are.

    Catches s03, where only the first entry of each parameter is looked at.
    """
    leaves = leaves_of([[0.5, -1.5, 2.0], [1.0, -0.5, 4.0]], [2.0, -1.0], 3.0)
    assert gradcheck(lambda: product(leaves), leaves), "right gradients are found wrong"

    def spoil(grads: list[Array]) -> None:
        grads[0][1, 2] *= 1.001

    report = gradcheck(lambda: product(leaves, spoil), leaves)
    assert not report and not report.passed, "an entry that is off by a thousandth is not found"
    assert (report.param, report.index) == (0, (1, 2))
    right = float(product(leaves).data) / 4.0
    close(report.numeric, right, of="the slope", rtol=1e-7)
    close(report.analytic, right * 1.001, of="the gradient")
    close(report.excess, 0.001 * abs(right) / (1e-7 + 1e-5 * abs(right)), of="the excess", rtol=1e-4)


def test_every_entry_is_compared_with_the_others_where_they_were() -> None:
    """f runs twice, then twice for each entry, and each entry is back in its place before the next moves.

    Catches s07: with a step of 1/2, an entry left moved changes all slopes that follow. And s03.
    """
    leaves, calls = leaves_of([[1.25, -1.5], [2.0, 1.0]], [3.0, -2.0]), []

    def f() -> Result:
        calls.append(1)
        return product(leaves)

    report = gradcheck(f, leaves, eps=0.5)
    assert report.checked == 6, f"{report.checked} entries of 6 are compared"
    assert report.passed, f"with the others where they were every slope is exact, but one is {report.numeric}"
    assert len(calls) == 2 + 2 * 6


def test_a_parameter_cut_out_of_the_graph_is_found() -> None:
    """A grad of None counts as zeros where the slope is not zero: it is the fault most worth finding.

    A layer that reads `.data` trains without it in silence. Catches s01, parameters that are left out.
    """
    a, cut = leaves_of([1.5], [2.0, 3.0])
    report = gradcheck(
        lambda: Result(a.data[0] * cut.data.sum(), [a], [np.array([cut.data.sum()])]), [a, cut]
    )
    assert report.checked == 3, f"{report.checked} entries of 3 are compared"
    assert not report, "a parameter that got no gradient is not found"
    assert report.param == 1 and report.analytic == 0.0
    close(report.numeric, 1.5, of="the slope", rtol=1e-7)
    idle = Leaf([4.0])
    assert gradcheck(lambda: product([a]), [a, idle]), "a parameter without influence needs no gradient"


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_gradient_that_is_no_number_fails(value: float, place: int) -> None:
    """NaN is not close to anything, wherever it stands; its excess is inf.

    Comparisons with NaN are false, and so it slips through a maximum. Catches s02.
    """
    leaf = Leaf([1.0, 2.0, 3.0])

    def spoil(grads: list[Array]) -> None:
        grads[0][place] = value

    report = gradcheck(lambda: product([leaf], spoil), [leaf])
    assert not report, f"a gradient of {value} passes"
    assert report.index == (place,) and report.excess == math.inf


def test_the_worst_is_the_worst_in_units_of_its_tolerance() -> None:
    """A difference of 1 in a million passes, one of a thousandth in 1 does not: the second is the worst.

    Catches s06, the greatest difference: it names the first, and lets the whole check pass.
    """
    large, small = leaves_of([1e6], [1.0])

    def f() -> Result:
        value = large.data[0] ** 2 / 2 + small.data[0]
        return Result(value, [large, small], [large.data + 1.0, small.data + 1e-3])

    report = gradcheck(f, [large, small], eps=0.5, rtol=1e-5, atol=1e-7)
    assert not report, "the difference of a thousandth is hidden behind a greater one that is allowed"
    assert (report.param, report.index) == (1, (0,))
    assert gradcheck(f, [large, small], eps=0.5, rtol=1e-2), "a looser tolerance lets both pass"


def test_all_runs_in_float64() -> None:
    """f sees float64 copies of float32 parameters: in float32 a step of a millionth is lost in rounding.

    Catches s11, parameters that stay float32.
    """
    leaves = leaves_of([[0.1, 0.7], [1.3, -0.4]], [1.7])
    seen: set[Any] = set()

    def f() -> Result:
        seen.update(leaf.data.dtype for leaf in leaves)
        return product(leaves)

    report = gradcheck(f, leaves)
    assert seen == {np.dtype(np.float64)}
    assert report.excess < 0.1, f"right gradients are {report.excess:.3g} tolerances away"


def test_an_old_gradient_is_not_mixed_in() -> None:
    """What an earlier backward left is put aside, and not added to: a check may come in the middle of a training.

    Catches s08, a gradient that is checked together with the one before it.
    """
    leaves = leaves_of([[0.5, -1.5]], [2.0])
    leaves[0].grad = np.full((1, 2), 7.0, dtype=np.float32)
    report = gradcheck(lambda: product(leaves), leaves)
    assert report, f"the gradient {report.analytic} has the old one in it"


@pytest.mark.parametrize("fails", [False, True])
def test_data_and_gradients_are_the_very_arrays_they_were(fails: bool) -> None:
    """After the check, and after an exception in f, each parameter holds the arrays it held: an optimizer may too.

    Catches s09 (nothing is put back after an exception) and s10 (a copy is put back).
    """
    leaves, calls = leaves_of([[0.5, -1.5]], [2.0, 3.0]), []
    leaves[1].grad = np.ones(2, dtype=np.float32)
    before = [(leaf.data, leaf.data.copy(), leaf.grad) for leaf in leaves]

    def f() -> Result:
        calls.append(1)
        if fails and len(calls) == 5:
            raise ZeroDivisionError
        return product(leaves)

    if fails:
        with pytest.raises(ZeroDivisionError):
            gradcheck(f, leaves)
    else:
        assert gradcheck(f, leaves)
    for leaf, (data, values, grad) in zip(leaves, before, strict=True):
        assert leaf.data is data, "data is another array than before"
        assert leaf.grad is grad, "grad is another array than before"
        assert_equal(leaf.data, values, of="the data")


def test_parameters_may_come_one_by_one() -> None:
    """model.parameters() is a generator in many libraries, and can be walked through once only.

    Catches s13, where nothing is left of it for the second walk.
    """
    leaves = leaves_of([0.5], [2.0, 3.0])
    assert gradcheck(lambda: product(leaves), iter(leaves)).checked == 3


@pytest.mark.parametrize("seed", range(4))
def test_random_faults_are_found_where_they_are(seed: int) -> None:
    """Drawn shapes and values: right gradients pass, and one drawn fault of a ten-thousandth is named.

    Your models have parameters of every shape. Catches s03, which looks at one entry of each.
    """
    rng = PCG32(seed)
    shapes = [tuple(1 + rng.below(3) for _ in range(rng.below(3))) for _ in range(3)]
    leaves = [Leaf(0.8 + 0.5 * rng.uniforms(int(np.prod(shape))).reshape(shape)) for shape in shapes]
    param = rng.below(3)
    index = tuple(rng.below(n) for n in shapes[param])

    def spoil(grads: list[Array]) -> None:
        grads[param][index] *= 1.0001

    assert gradcheck(lambda: product(leaves), leaves)
    report = gradcheck(lambda: product(leaves, spoil), leaves)
    assert not report and (report.param, report.index) == (param, index)
    assert report.checked == sum(leaf.data.size for leaf in leaves)


def test_a_result_that_cannot_be_checked_is_refused() -> None:
    """One finite float64 number, the same at each call; else the slope is noise, and so would the verdict be.

    Dropout that draws anew is the usual case. Catches s12, two calls that are not compared.
    """
    x, calls = leaves_of([1.0]), []

    def noisy() -> Result:
        calls.append(1)
        return Result(1.0 + 1e-3 * len(calls))

    refuses(noisy, x)
    for value in (np.float32(1.0), np.ones(2), np.array(1), math.nan, math.inf):
        refuses(partial(Result, value), x)
    assert gradcheck(lambda: Result(np.ones((1, 1))), x), "one element of any shape will do"


@pytest.mark.parametrize("shape", [(3,), (1,), (2, 2), ()])
def test_a_gradient_of_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    """A gradient with more entries than its parameter passes entry by entry, and fails in the optimizer.

    Catches s14.
    """
    leaf = Leaf([1.0, 1.0])
    refuses(lambda: Result(leaf.data.sum(), [leaf], [np.ones(shape)]), [leaf])


def test_settings_out_of_range_and_nothing_to_check_are_refused() -> None:
    """A check of nothing would pass: it is the test that asserts nothing. And so would one with a tolerance of NaN."""
    leaves = leaves_of([0.5], [2.0])
    for wrong in ({"eps": 0.0}, {"eps": -1e-6}, {"atol": 0.0}, {"rtol": -1.0}, {"rtol": math.nan}):
        refuses(lambda: product(leaves), leaves, **wrong)
    refuses(lambda: Result(1.0), [])
    refuses(lambda: Result(1.0), leaves_of(np.zeros((0, 3))))
    assert gradcheck(lambda: product(leaves), leaves, rtol=0.0, atol=1e-6)


def refuses(f: Callable[[], Any], params: Sequence[Leaf], **settings: float) -> None:
    """ValueError, and no other outcome."""
    with pytest.raises(ValueError):
        gradcheck(f, params, **settings)


def test_a_report_derives_its_verdict_from_its_excess() -> None:
    """At an excess of 1 it just passes: |difference| = atol + rtol |slope| is within the tolerance.

    Catches s15, a limit that is not allowed itself.
    """
    for excess, passes in ((0.0, True), (1.0, True), (1.0001, False), (math.inf, False)):
        report = GradcheckReport(1, 0, (0,), 1.0, 2.0, excess)
        assert (report.passed, bool(report)) == (passes, passes)
    assert (report.checked, report.param, report.index) == (1, 0, (0,))
    assert (report.analytic, report.numeric, report.excess) == (1.0, 2.0, math.inf)
