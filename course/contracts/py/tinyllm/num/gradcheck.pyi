"""Checking a gradient against central differences, in float64.

Nothing of an autograd is imported: a parameter is any object with `data` and `grad`, a result any object with
`data` and `backward`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

@dataclass(frozen=True)
class GradcheckReport:
    """What a check found: its worst entry, the one whose difference is greatest in units of the tolerance.

    checked is the number of entries compared; param and index say which parameter, by its place, and which of
    its entries is the worst; analytic is backward's value there and numeric the central difference; excess is
    |analytic - numeric| / (atol + rtol |numeric|), or inf when that is not finite.
    """

    checked: int
    param: int
    index: tuple[int, ...]
    analytic: float
    numeric: float
    excess: float

    @property
    def passed(self) -> bool:
        """Whether every entry agrees within the tolerance: excess <= 1."""
        ...

    def __bool__(self) -> bool:
        """The same as passed."""
        ...

def gradcheck(
    f: Callable[[], Any],
    params: Iterable[Any],
    eps: float = 1e-6,
    rtol: float = 1e-5,
    atol: float = 1e-7,
) -> GradcheckReport:
    """Compare every entry of every parameter's gradient with (f at x + eps - f at x - eps) / (2 eps).

    f() computes one number from the parameters as they are and returns an object with `data`, float64 with
    one element, and `backward()`, which fills each parameter's grad. It is called twice, and twice for every
    entry: give small parameters, away from kinks (at relu's 0 the difference is 1/2 and the gradient 0). An
    entry agrees when its difference is at most atol + rtol |numeric|. A grad of None after backward counts as
    zeros: a parameter cut out of the graph is found, not skipped. While it runs each `data` is a float64
    copy; afterwards data and grad are the very arrays they were, also when an exception was raised.
    Raises ValueError: nothing to check; eps or atol not above 0, rtol < 0; f's result is not one finite
    float64 number, or differs between two calls (dropout that is not reseeded); a grad of another shape than
    its data.
    Source: Nocedal and Wright, Numerical Optimization, section 8.1; a central difference errs by about eps^2
    / 6 times the third derivative, and by 1e-16 |f| / eps through rounding.
    """
    ...
