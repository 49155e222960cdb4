"""A figure held to what was printed, and to its bar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ol.domain.authoring.bar_record import BarRecord
from ol.domain.milestone.judged import Judgement
from ol.domain.milestone.milestone import Figure
from ol.domain.report import Reason


def figure_faults(
    figure: Figure,
    judged: Judgement,
    printed: Mapping[str, Any],
    bars: Mapping[str, BarRecord],
    smoke: bool,
) -> Iterator[Reason]:
    """The printed figure is believed nowhere: what was recomputed meets the bar, or does not."""
    if judged.figure is None:
        told = f"{figure.name} cannot be computed from what was saved: {judged.raised or judged.wrong}"
        yield Reason("figure-unreadable", told, "Save the model as its contract says.")
        return
    value, said = judged.figure, printed.get(figure.metric)
    if not _near(said, value, figure.agree):
        told = f"{figure.step}: it printed {figure.metric} {said!r:.60}, and the saved model has {value:.6g}"
        cure = "Print what your model gives on the whole of the text, to at least four digits."
        yield Reason("figure-false", told, cure)
    if not smoke:
        yield from _bar_faults(figure, value, bars)


def _bar_faults(figure: Figure, value: float, bars: Mapping[str, BarRecord]) -> Iterator[Reason]:
    bar = bars[figure.bar]
    if figure.within:
        if not _near(value, bar.mean, figure.within):
            yield _missed(figure, value, f"expected {bar.mean:.4f} within {figure.within:.1%}")
        return
    if value > bar.upper:
        yield _missed(figure, value, f"expected at most {bar.upper:.4f}")
    if value < bar.lower:
        yield _missed(figure, value, f"and no honest model goes below {bar.lower:.4f}")
    if figure.below and not value < bars[figure.below].mean:
        yield _missed(figure, value, f"expected below {figure.below}, {bars[figure.below].mean:.4f}")


def _missed(figure: Figure, value: float, expected: str) -> Reason:
    return Reason("bar-missed", f"{figure.name} is {value:.4f}, {expected}", figure.advice)


def _near(got: Any, expected: float, relative: float) -> bool:
    """Compared, never subtracted: a printed integer may be greater than any float."""
    is_number = isinstance(got, (int, float)) and not isinstance(got, bool)
    slack = relative * abs(expected)
    return is_number and expected - slack <= got <= expected + slack
