"""The one comparison of arrays: shape and dtype first, then every value, within named tolerances."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from frozen.known_wrong import KnownWrong, failure
from frozen.returned import nothing, place_of_none

NOTHING: KnownWrong = {}


def assert_close(
    got: object, want: ArrayLike, rtol: float, atol: float, of: str = "", known_wrong: KnownWrong = NOTHING
) -> None:
    """AssertionError unless got has want's shape and dtype and |got - want| <= atol + rtol |want|.

    NaN is never close, an infinity only to itself. `of` names the array in the message, as `emb.weight`.
    `known_wrong` maps sentences to values: the failure carries the sentence whose values got is as close to.
    """
    __tracebackhide__ = True  # pytest then shows the test's line, not this one
    theirs, ours = np.asarray(got), np.asarray(want)  # bare arrays: a subclass compares as it likes
    fault = _fault(got, theirs, ours, rtol, atol)
    if fault:
        label = f"{of}: " if of else ""
        raise failure(label + fault, theirs, known_wrong, lambda wrong: _within(theirs, wrong, rtol, atol))


def assert_equal(got: object, want: ArrayLike, of: str = "", known_wrong: KnownWrong = NOTHING) -> None:
    """AssertionError unless shape, dtype and every value are the same: what a seed promises."""
    __tracebackhide__ = True
    assert_close(got, want, rtol=0.0, atol=0.0, of=of, known_wrong=known_wrong)


def _fault(got: object, theirs: NDArray[Any], ours: NDArray[Any], rtol: float, atol: float) -> str:
    """In what the bare array of got differs; "" where it does not."""
    none = place_of_none(theirs)
    if none is not None:
        return nothing(none)
    if theirs.shape != ours.shape:
        return f"shape {theirs.shape} where {ours.shape} is expected{_named(got)}"
    if theirs.dtype != ours.dtype:
        return f"dtype {theirs.dtype} where {ours.dtype} is expected{_named(got)}"
    far = ~_within(theirs, ours, rtol, atol)
    return _difference(theirs, ours, far, rtol, atol) if far.any() else ""


def _named(got: object) -> str:
    """What the wrong thing is, when it is no array at all: a tensor where its data are wanted, say."""
    return "" if isinstance(got, (np.ndarray, np.generic)) else f": got {got!r:.80}"


def _within(got: NDArray[Any], want: NDArray[Any], rtol: float, atol: float) -> NDArray[np.bool_]:
    same = np.asarray(got == want, dtype=bool)
    if got.dtype.kind not in "fiu" or not (rtol or atol):  # a distance in float64 rounds great integers
        return same
    size = np.abs(_wide(want))
    with np.errstate(invalid="ignore"):  # no part of an infinity
        return same | (np.isfinite(size) & (_distance(got, want) <= atol + rtol * size))


def _distance(got: NDArray[Any], want: NDArray[Any]) -> NDArray[np.float64]:
    with np.errstate(invalid="ignore"):  # an infinity less itself
        return np.abs(_wide(got) - _wide(want))


def _wide(values: NDArray[Any]) -> NDArray[np.float64]:
    return values.astype(np.float64)


def _difference(
    got: NDArray[Any], want: NDArray[Any], far: NDArray[np.bool_], rtol: float, atol: float
) -> str:
    first = tuple(int(i) for i in np.argwhere(far)[0])
    place = f" at {list(first)}" if first else ""
    lines = [f"{int(far.sum())} of {far.size} values differ (rtol {rtol:g}, atol {atol:g})"]
    if got.dtype.kind in "fiu":
        lines.append(f"greatest difference: {_greatest(got, want)}")
    lines.append(f"first bad value{place}: got {got[first]!r}, expected {want[first]!r}")
    return "\n".join(lines)


def _greatest(got: NDArray[Any], want: NDArray[Any]) -> str:
    """`0.5 absolute, 0.25 relative`; of integers, which may be mere names, the first alone."""
    distance = _distance(got, want)
    if got.dtype.kind != "f":
        return f"{np.max(distance):.3g} absolute"
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(distance == 0, 0.0, distance / np.abs(_wide(want)))
    return f"{np.max(distance):.3g} absolute, {np.max(relative):.3g} relative"
