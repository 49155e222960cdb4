"""Probes of M04.1: what the check finds in functions that nobody has seen before, for a comparison elsewhere.

Parameters, their shapes and the faults in their gradients are drawn from the seed by the frozen PCG32. All functions
are products of all entries: of degree one in each, so that a step of 1/4 gives the slope without an error.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen import PCG32
from tinyllm.num.gradcheck import GradcheckReport, gradcheck

Arrays = dict[str, ArrayLike]
Array = NDArray[Any]
Spoil = Callable[[list[Array]], object]


class Leaf:
    """A parameter of nothing but data and grad."""

    def __init__(self, values: ArrayLike) -> None:
        self.data: Array = np.array(values, dtype=np.float32)
        self.grad: Array | None = None


class Result:
    """A value, and a backward that adds to the gradients that are there."""

    def __init__(self, value: Any, leaves: Sequence[Leaf], grads: Sequence[Array]) -> None:
        self.data, self.leaves, self.grads = np.asarray(value), leaves, grads

    def backward(self) -> None:
        for leaf, grad in zip(self.leaves, self.grads, strict=True):
            leaf.grad = np.array(grad) if leaf.grad is None else leaf.grad + grad


def drawn(rng: PCG32) -> list[Leaf]:
    """Three parameters of drawn shapes, with values from 0.8 to 1.3."""
    shapes = [tuple(1 + rng.below(3) for _ in range(axes)) for axes in (0, 1, 2)]
    rng.shuffle(shapes)
    return [Leaf(0.8 + 0.5 * rng.uniforms(int(np.prod(shape))).reshape(shape)) for shape in shapes]


def product(leaves: Sequence[Leaf], spoil: Spoil | None = None) -> Result:
    value = np.prod([np.prod(leaf.data) for leaf in leaves])
    grads = [np.asarray(value / leaf.data) for leaf in leaves]
    if spoil:
        spoil(grads)
    return Result(value, leaves, grads)


def spoiler(rng: PCG32, leaves: Sequence[Leaf], factors: Sequence[float]) -> Spoil:
    """Multiplies drawn entries by these factors."""
    places = []
    for factor in factors:
        param = rng.below(len(leaves))
        places.append((param, tuple(rng.below(n) for n in leaves[param].data.shape), factor))

    def spoil(grads: list[Array]) -> None:
        for param, index, factor in places:
            grads[param][index] *= factor

    return spoil


def checked(leaves: Sequence[Leaf], spoil: Spoil | None = None, **settings: float) -> GradcheckReport:
    """The check of the product, its parameters given one by one."""
    return gradcheck(lambda: product(leaves, spoil), iter(leaves), **settings)


def told(name: str, report: GradcheckReport) -> Arrays:
    """Which entry of how many is the worst, and whether that will do."""
    which = [report.checked, report.param, *report.index]
    return {f"{name} which": np.array(which), f"{name} passed": np.array([report.passed, bool(report)])}


def measured(name: str, report: GradcheckReport) -> Arrays:
    return {f"{name} numbers": np.array([report.analytic, report.numeric, report.excess])}


def probe_report(seed: int) -> Arrays:
    """One fault, then three of which one is by far the worst, and a curved function at two steps."""
    rng, found = PCG32(seed), {}
    for name, factors in (("one", [1.01]), ("three", [1.01, 1.5, 0.99])):
        leaves = drawn(rng)
        report = checked(leaves, spoiler(rng, leaves, factors), eps=0.25, rtol=1e-4, atol=1e-6)
        found |= {**told(name, report), **measured(name, report)}
    x = Leaf([1 + rng.uniform()])
    for name, eps in (("wide", 0.25), ("narrow", 0.0625)):
        report = gradcheck(lambda: Result((x.data**3).sum(), [x], [3 * x.data**2]), [x], eps=eps)
        found |= {**told(name, report), **measured(name, report)}
    large, slopes = Leaf([1 + rng.uniform(), 1 + rng.uniform()]), np.array([1e6, 1.0])
    wrong = slopes + np.array([1.0, 1e-3])
    report = gradcheck(lambda: Result((slopes * large.data).sum(), [large], [wrong]), [large], eps=0.25)
    return {**found, **told("scales", report), **measured("scales", report)}


def probe_verdicts(seed: int) -> Arrays:
    """Right gradients, and gradients with a small fault, at the settings nobody gave; reports around the limit."""
    rng, found = PCG32(seed), {}
    for name, factors in (("right", []), ("nearly", [1 + 1e-7]), ("wrong", [1.001])):
        leaves = drawn(rng)
        report = checked(leaves, spoiler(rng, leaves, factors))
        found[name] = np.array([report.checked, report.passed, bool(report)])
        if factors and factors[0] == 1.001:
            found |= told(name, report)
    limits = [GradcheckReport(1, 0, (0,), 1.0, 2.0, excess) for excess in (0.5, 1.0, 1.0 + rng.uniform())]
    return {**found, "limits": np.array([[each.passed, bool(each)] for each in limits])}


def probe_no_gradient(seed: int) -> Arrays:
    """A parameter cut out of the graph, and gradients of NaN and infinity."""
    rng = PCG32(seed)
    cut, rest = Leaf([1 + rng.uniform()]), drawn(rng)

    def f() -> Result:
        whole = product([cut, *rest])
        return Result(whole.data, rest, whole.grads[1:])

    report = gradcheck(f, [*rest, cut], eps=0.25)
    found = {**told("cut", report), **measured("cut", report)}
    for name, factor in (("nan", np.nan), ("inf", np.inf)):
        leaves = drawn(rng)
        report = checked(leaves, spoiler(rng, leaves, [factor]), eps=0.25)
        found |= {**told(name, report), f"{name} excess": np.float64(report.excess)}
    return found


def probe_borrowed(seed: int) -> Arrays:
    """What f sees while the check runs, and what the parameters hold after it, and after an exception."""
    rng = PCG32(seed)
    return {**borrowed("whole", drawn(rng), 0), **borrowed("cut short", drawn(rng), 4)}


def borrowed(name: str, leaves: list[Leaf], last: int) -> Arrays:
    """One check, cut short by an exception at the call `last`."""
    sums: list[list[float]] = []
    wide: list[bool] = []
    leaves[0].grad = np.full(leaves[0].data.shape, 7.0)
    held = [(leaf.data, leaf.grad) for leaf in leaves]

    def f() -> Result:
        sums.append([float(leaf.data.sum()) for leaf in leaves])
        wide.append(all(leaf.data.dtype == np.float64 for leaf in leaves))
        if len(sums) == last:
            raise KeyError
        return product(leaves)

    passed = False
    with contextlib.suppress(KeyError):
        passed = bool(gradcheck(f, leaves, eps=0.25))
    same = [leaf.data is data and leaf.grad is grad for leaf, (data, grad) in zip(leaves, held, strict=True)]
    found: Arrays = {"passed": np.array(passed), "same": np.array(same), "wide": np.array(wide)}
    found |= {f"data {i}": leaf.data for i, leaf in enumerate(leaves)}
    if not last:
        found["calls"] = np.sort(np.array(sums), axis=0)  # whichever side is looked at first
    return {f"{name} {key}": values for key, values in found.items()}


def probe_refused(seed: int) -> Arrays:
    """Which of these are refused: noise, too many numbers, float32, NaN, a gradient too long, nothing, settings."""
    rng = PCG32(seed)
    leaf = Leaf(1 + rng.uniforms(2))
    total, ones = (lambda: Result(leaf.data.sum(), [leaf], [np.ones(2)])), np.ones(2)
    tries: list[tuple[Any, list[Leaf], dict[str, float]]] = [
        (lambda: Result(rng.uniform(), [leaf], [ones]), [leaf], {}),
        (lambda: Result(leaf.data * 1, [leaf], [ones]), [leaf], {}),
        (lambda: Result(np.float32(leaf.data.sum()), [leaf], [ones]), [leaf], {}),
        (lambda: Result(np.nan, [leaf], [ones]), [leaf], {}),
        (lambda: Result(leaf.data.sum(), [leaf], [np.ones(3)]), [leaf], {}),
        (total, [], {}), (total, [leaf], {"eps": 0.0}), (total, [leaf], {"atol": 0.0}),
        (total, [leaf], {"rtol": -0.5}), (total, [leaf], {"rtol": 0.0}), (total, [leaf], {}),
    ]  # fmt: skip
    return {"refused": np.array([refused(*each) for each in tries])}


def refused(f: Callable[[], Any], params: list[Leaf], settings: dict[str, float]) -> bool:
    try:
        gradcheck(f, params, **settings)
    except ValueError:
        return True
    return False
