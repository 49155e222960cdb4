"""M04.1 by flat arrays: all slopes of a parameter first, then all differences at once."""

from __future__ import annotations

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
        return not self.excess > 1

    def __bool__(self) -> bool:
        return self.passed


def _value(result):
    value = np.asarray(result.data)
    if value.dtype != np.dtype(float) or value.size != 1 or not np.all(np.isfinite(value)):
        raise ValueError("the function has to give one finite float64 number")
    return float(value.reshape(-1)[0])


def _slopes(f, parameter, eps):
    slopes = np.empty(parameter.data.size)
    for k in range(slopes.size):
        sides = []
        for step in (-eps, eps):
            moved = parameter.data.copy()
            kept, parameter.data = parameter.data, moved
            moved.reshape(-1)[k] += step
            try:
                sides.append(float(np.asarray(f().data).reshape(-1)[0]))
            finally:
                parameter.data = kept
        slopes[k] = (sides[1] - sides[0]) / (2 * eps)
    return slopes


def gradcheck(
    f: Callable[[], Any],
    params: Iterable[Any],
    eps: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 1e-7,
) -> GradcheckReport:
    if not eps > 0 or not rtol >= 0 or not atol > 0:
        raise ValueError("steps and tolerances are positive")
    borrowed = [(each, each.data, each.grad) for each in params]
    if sum(data.size for _, data, _ in borrowed) == 0:
        raise ValueError("nothing is checked")
    try:
        for each, data, _ in borrowed:
            each.data = np.array(data).astype(np.float64)
            each.grad = None
        first = f()
        value, again = _value(first), _value(f())
        if abs(value - again) > 1e-9 * max(abs(value), abs(again)) + 1e-12:
            raise ValueError("the function is not the same from call to call")
        first.backward()
        best = None
        count = 0
        for place, (each, data, _) in enumerate(borrowed):
            grad = np.zeros(data.shape) if each.grad is None else each.grad
            if np.shape(grad) != data.shape:
                raise ValueError("a gradient has another shape than its parameter")
            grad = np.array(grad, dtype=np.float64).reshape(-1)
            slopes = _slopes(f, each, eps)
            with np.errstate(invalid="ignore"):
                apart = np.abs(grad - slopes) / (atol + rtol * np.abs(slopes))
            apart[~np.isfinite(grad) | ~np.isfinite(slopes) | ~np.isfinite(apart)] = np.inf
            count += apart.size
            if apart.size:
                k = int(np.argmax(apart))
                if best is None or apart[k] > best[-1]:
                    index = tuple(int(i) for i in np.unravel_index(k, data.shape))
                    best = (place, index, float(grad[k]), float(slopes[k]), float(apart[k]))
    finally:
        for each, data, grad in borrowed:
            each.data, each.grad = data, grad
    return GradcheckReport(count, *best)
