"""The gradient check: it passes what is right, finds what is wrong, and leaves everything as it was."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tinyllm.num.gradcheck import GradcheckReport, gradcheck


class Leaf:
    """A parameter of nothing but data and grad."""

    def __init__(self, data: Any, dtype: Any = np.float32) -> None:
        self.data: NDArray[Any] = np.array(data, dtype=dtype)
        self.grad: NDArray[Any] | None = None


class Result:
    """One number and a backward that the test wrote by hand."""

    def __init__(self, value: Any, backward: Callable[[], None]) -> None:
        self.data = np.asarray(value)
        self.backward = backward


def sum_of_products(a: Leaf, b: Leaf, fault: float = 0.0) -> Result:
    """sum(a^2 b), with a fault in one entry of a's gradient."""

    def backward() -> None:
        a.grad = 2 * a.data * b.data
        a.grad[0, 1] *= 1 + fault
        b.grad = a.data**2

    return Result((a.data**2 * b.data).sum(), backward)


@pytest.fixture
def leaves() -> tuple[Leaf, Leaf]:
    return Leaf([[0.5, -1.5], [2.0, 1.0]]), Leaf([[1.0, 3.0], [-2.0, 0.5]])


def test_a_right_gradient_passes_and_every_entry_is_compared(leaves: tuple[Leaf, Leaf]) -> None:
    report = gradcheck(lambda: sum_of_products(*leaves), leaves)
    assert report and report.passed
    assert report.checked == 8
    assert report.excess < 0.01


@pytest.mark.parametrize("fault", [1e-3, -1e-4, 1.0, math.nan, math.inf])
def test_one_wrong_entry_fails_and_is_named(leaves: tuple[Leaf, Leaf], fault: float) -> None:
    report = gradcheck(lambda: sum_of_products(*leaves, fault=fault), leaves)
    assert not report and not report.passed
    assert (report.param, report.index) == (0, (0, 1))
    assert report.numeric == pytest.approx(2 * -1.5 * 3.0)
    assert "disagrees" in str(report) and "parameter 0 at (0, 1)" in str(report)


def test_the_excess_is_the_difference_in_units_of_the_tolerance(leaves: tuple[Leaf, Leaf]) -> None:
    report = gradcheck(lambda: sum_of_products(*leaves, fault=1.0), leaves, rtol=0.125, atol=0.5)
    assert report.excess == pytest.approx(9 / (0.5 + 0.125 * 9))


def test_a_looser_tolerance_lets_a_small_fault_pass(leaves: tuple[Leaf, Leaf]) -> None:
    assert gradcheck(lambda: sum_of_products(*leaves, fault=1e-3), leaves, rtol=1e-2)


def test_a_parameter_cut_out_of_the_graph_is_found() -> None:
    a, cut = Leaf([1.0]), Leaf([2.0])

    def f() -> Result:
        def backward() -> None:
            a.grad = cut.data.copy()

        return Result((a.data * cut.data).sum(), backward)

    report = gradcheck(f, [a, cut])
    assert not report
    assert (report.param, report.index, report.analytic) == (1, (0,), 0.0)


def test_a_parameter_without_influence_passes_without_a_gradient(leaves: tuple[Leaf, Leaf]) -> None:
    assert gradcheck(lambda: sum_of_products(*leaves), [*leaves, Leaf([1.0, 2.0])]).checked == 10


def test_numbers_of_shape_one_and_scalar_parameters_will_do() -> None:
    x = Leaf(3.0)

    def f() -> Result:
        def backward() -> None:
            x.grad = np.array(2 * x.data)

        return Result((x.data**2).reshape(1), backward)

    report = gradcheck(f, [x])
    assert report and report.index == ()


def test_an_old_gradient_is_not_mixed_in(leaves: tuple[Leaf, Leaf]) -> None:
    def accumulating() -> Result:
        done = sum_of_products(*leaves)

        def backward() -> None:
            old = [leaf.grad for leaf in leaves]
            done.backward()
            for leaf, grad in zip(leaves, old, strict=True):
                leaf.grad = leaf.grad if grad is None else leaf.grad + grad

        return Result(done.data, backward)

    leaves[0].grad = np.full((2, 2), 7.0, np.float32)
    assert gradcheck(accumulating, leaves)


@pytest.mark.parametrize("fails", [False, True])
def test_data_and_gradients_are_the_very_arrays_they_were(leaves: tuple[Leaf, Leaf], fails: bool) -> None:
    leaves[1].grad = np.ones((2, 2), np.float32)
    before = [(leaf.data, leaf.data.copy(), leaf.grad) for leaf in leaves]
    calls = 0

    def f() -> Result:
        nonlocal calls
        calls += 1
        assert all(leaf.data.dtype == np.float64 for leaf in leaves)
        if fails and calls == 5:
            raise ZeroDivisionError
        return sum_of_products(*leaves)

    if fails:
        with pytest.raises(ZeroDivisionError):
            gradcheck(f, leaves)
    else:
        gradcheck(f, leaves)
        assert calls == 2 + 2 * 8
    for leaf, (data, values, grad) in zip(leaves, before, strict=True):
        assert leaf.data is data and leaf.grad is grad
        np.testing.assert_array_equal(leaf.data, values)


def constant(value: Any) -> Callable[[], Result]:
    return lambda: Result(value, lambda: None)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.float32(1.0), "float64"),
        (np.ones(2), "one float64 number"),
        (np.array(1), "float64"),
        (np.array(math.nan), "finite"),
        (np.array(math.inf), "finite"),
    ],
)
def test_a_result_that_is_not_one_finite_float64_number_is_refused(value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gradcheck(constant(value), [Leaf([1.0])])


def test_a_result_that_differs_between_calls_is_refused() -> None:
    noise = np.random.default_rng(0)
    with pytest.raises(ValueError, match="two calls"):
        gradcheck(lambda: Result(np.array(noise.normal()), lambda: None), [Leaf([1.0])])


def test_a_gradient_of_another_shape_is_refused() -> None:
    x = Leaf([1.0, 2.0])

    def f() -> Result:
        def backward() -> None:
            x.grad = np.ones(1)

        return Result(x.data.sum(), backward)

    with pytest.raises(ValueError, match="parameter 0"):
        gradcheck(f, [x])


@pytest.mark.parametrize("params", [[], [Leaf(np.zeros((0, 3)))]])
def test_nothing_to_check_is_refused(params: list[Leaf]) -> None:
    with pytest.raises(ValueError, match="nothing to check"):
        gradcheck(constant(np.array(1.0)), params)


@pytest.mark.parametrize("settings", [{"eps": 0.0}, {"atol": 0.0}, {"rtol": -1.0}, {"eps": math.nan}])
def test_a_setting_out_of_range_is_refused(leaves: tuple[Leaf, Leaf], settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="eps > 0"):
        gradcheck(lambda: sum_of_products(*leaves), leaves, **settings)


def test_a_report_derives_its_verdict_from_its_excess() -> None:
    assert GradcheckReport(1, 0, (0,), 1.0, 1.0, 1.0).passed
    assert not GradcheckReport(1, 0, (0,), 1.0, 2.0, 1.0001).passed
