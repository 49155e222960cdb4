"""What a function returned, None told as None: numpy makes NaN of it, a number that the function never gave."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

T = TypeVar("T")


def returned(value: T | None, of: str) -> T:
    """value, to be used on before anything is compared; AssertionError for None."""
    __tracebackhide__ = True
    if value is None:
        raise AssertionError(f"{of}: {nothing(())}")
    return value


def as_array(values: Any, dtype: DTypeLike) -> NDArray[Any]:
    """values as an array of dtype; where None is among them, one of objects, in which a comparison finds it."""
    bare = np.asarray(values)
    return bare if place_of_none(bare) is not None else np.array(values, dtype=dtype)


def place_of_none(values: NDArray[Any]) -> tuple[int, ...] | None:
    """The index of the first None, () for a bare one; None where there is none."""
    if values.dtype != object:
        return None
    return next((place for place in np.ndindex(values.shape) if values[place] is None), None)


def nothing(place: tuple[int, ...]) -> str:
    """`got None at [2]: …`; no index where None is all there is."""
    at = f" at {list(place)}" if place else ""
    return f"got None{at}: the function returned nothing; is a return missing?"
