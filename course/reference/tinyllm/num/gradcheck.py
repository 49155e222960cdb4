"""Checking a gradient against central differences, in float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class GradcheckReport:
    """The worst of the entries that were checked; true when even that one agrees."""

    checked: int
    param: int
    index: tuple[int, ...]
    analytic: float
    numeric: float
    excess: float

    @property
    def passed(self) -> bool:
        """Whether every entry agrees within the tolerance."""
        return self.excess <= 1.0

    def __bool__(self) -> bool:
        """The same as passed."""
        return self.passed

    def __str__(self) -> str:
        verdict = "agrees" if self.passed else "disagrees"
        return (
            f"{verdict}: the worst of {self.checked} entries, parameter {self.param} at {self.index}, "
            f"has gradient {self.analytic:.9g} and slope {self.numeric:.9g}"
        )


def gradcheck(
    f: Callable[[], Any],
    params: Iterable[Any],
    eps: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 1e-7,
) -> GradcheckReport:
    """Compare backward with (f(x + eps) - f(x - eps)) / (2 eps), for every entry x of every parameter."""
    if not (eps > 0 and rtol >= 0 and atol > 0):
        raise ValueError(f"gradcheck needs eps > 0, rtol >= 0, atol > 0, got {eps}, {rtol}, {atol}")
    params = list(params)
    with _in_float64(params):
        grads = _gradients(f, params)
        entries = [
            (i, index, float(grads[i][index]), _slope(f, p, index, eps))
            for i, p in enumerate(params)
            for index in np.ndindex(*p.data.shape)
        ]
    if not entries:
        raise ValueError("there is nothing to check: give at least one parameter that is not empty")
    excess = [_excess(analytic, numeric, rtol, atol) for _, _, analytic, numeric in entries]
    worst = max(range(len(entries)), key=excess.__getitem__)
    return GradcheckReport(len(entries), *entries[worst], excess[worst])


@contextmanager
def _in_float64(params: list[Any]) -> Iterator[None]:
    """The parameters hold float64 copies and no gradient inside the block, and afterwards what they held."""
    before = [(p.data, p.grad) for p in params]
    try:
        for p in params:
            p.data, p.grad = np.array(p.data, dtype=np.float64), None
        yield
    finally:
        for p, (data, grad) in zip(params, before, strict=True):
            p.data, p.grad = data, grad


def _gradients(f: Callable[[], Any], params: list[Any]) -> list[NDArray[Any]]:
    """What backward leaves in each parameter; zeros where it leaves nothing, so that a cut graph is seen."""
    out = f()
    if np.size(out.data) != 1 or out.data.dtype != np.float64:
        raise ValueError(f"f must give one float64 number, got {out.data.dtype} {np.shape(out.data)}")
    if not math.isfinite(out.data.item()):
        raise ValueError(f"f gave {out.data.item()}: choose values where it is finite")
    if not math.isclose(out.data.item(), f().data.item(), rel_tol=1e-9, abs_tol=1e-12):
        raise ValueError("f gave different numbers in two calls: let it start from the same seed each time")
    out.backward()
    for i, p in enumerate(params):
        if p.grad is not None and p.grad.shape != p.data.shape:
            raise ValueError(f"parameter {i} has shape {p.data.shape} and its gradient {p.grad.shape}")
    return [np.zeros_like(p.data) if p.grad is None else p.grad for p in params]


def _slope(f: Callable[[], Any], p: Any, index: tuple[int, ...], eps: float) -> float:
    """The central difference of f along one entry, which is put back exactly."""
    x = p.data[index]
    p.data[index] = x + eps
    above = float(f().data.item())
    p.data[index] = x - eps
    below = float(f().data.item())
    p.data[index] = x
    return (above - below) / (2.0 * eps)


def _excess(analytic: float, numeric: float, rtol: float, atol: float) -> float:
    """The difference in units of the tolerance; inf when either number is not finite."""
    difference = abs(analytic - numeric)
    return difference / (atol + rtol * abs(numeric)) if math.isfinite(difference) else math.inf
