"""M04.1 with a class for what is borrowed, and one running worst entry."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class GradcheckReport:
    checked: int
    param: int
    index: tuple[int, ...]
    analytic: float
    numeric: float
    excess: float

    @property
    def passed(self) -> bool:
        return bool(self.excess <= 1)

    def __bool__(self) -> bool:
        return bool(self.excess <= 1)


class _Loan:
    """Float64 copies in place of the parameters' arrays, until it ends."""

    def __init__(self, parameters):
        self.parameters = tuple(parameters)
        self.data = tuple(p.data for p in self.parameters)
        self.grads = tuple(p.grad for p in self.parameters)

    def __enter__(self):
        for p in self.parameters:
            p.data = np.require(p.data.copy(), dtype=np.float64, requirements=["C", "W"])
            p.grad = None
        return self.parameters

    def __exit__(self, *error):
        for p, data, grad in zip(self.parameters, self.data, self.grads, strict=True):
            p.data = data
            p.grad = grad


def gradcheck(
    f: Callable[[], Any],
    params: Iterable[Any],
    eps: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 1e-7,
) -> GradcheckReport:
    for setting, least in ((eps, "above"), (atol, "above"), (rtol, "from")):
        if math.isnan(setting) or setting < 0 or (least == "above" and setting == 0):
            raise ValueError(f"a setting of {setting}")
    worst, checked = None, 0
    with _Loan(params) as parameters:
        gradients = _analytic(f, parameters)
        for number, p in enumerate(parameters):
            for index in itertools.product(*(range(n) for n in p.data.shape)):
                checked += 1
                one = _compared(f, p, index, eps, float(gradients[number][index]), rtol, atol)
                if worst is None or one[-1] > worst[-1]:
                    worst = (number, index, *one)
    if worst is None:
        raise ValueError("not one entry")
    number, index, analytic, numeric, excess = worst
    return GradcheckReport(
        checked=checked, param=number, index=index, analytic=analytic, numeric=numeric, excess=excess
    )


def _number(result):
    array = np.asanyarray(result.data)
    if array.size != 1:
        raise ValueError("one number, please")
    if array.dtype.name != "float64":
        raise ValueError(f"float64, please, not {array.dtype}")
    number = array.flat[0]
    if math.isnan(number) or math.isinf(number):
        raise ValueError("a finite number, please")
    return number


def _analytic(f, parameters):
    result = f()
    if not math.isclose(_number(result), _number(f()), rel_tol=1e-9, abs_tol=1e-12):
        raise ValueError("two calls, two results")
    result.backward()
    for p in parameters:
        if p.grad is None:
            p.grad = np.zeros(p.data.shape)
        if p.grad.shape != p.data.shape:
            raise ValueError(f"a gradient {p.grad.shape} of {p.data.shape}")
    return [p.grad.astype(np.float64) for p in parameters]


def _compared(f, p, index, eps, analytic, rtol, atol):
    here = p.data[index].copy()
    p.data[index] = here - eps
    low = f().data.item()
    p.data[index] = here + eps
    high = f().data.item()
    p.data[index] = here
    numeric = (high - low) / (eps + eps)
    gap = abs(analytic - numeric)
    return analytic, numeric, (gap / (abs(numeric) * rtol + atol) if gap < math.inf else math.inf)
