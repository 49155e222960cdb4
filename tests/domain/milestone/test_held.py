"""A figure is held to what was printed and to its bar, and what was printed is believed nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from ol.domain.authoring.bar_record import BarRecord
from ol.domain.milestone.held import figure_faults
from ol.domain.milestone.judged import Judgement
from ol.domain.milestone.milestone import Figure

BARS = {
    "nplm": BarRecord("short", (0, 1), (1.5, 1.6), 1.55, 0.05, 1.7, 1.1),
    "counts": BarRecord.exact("exact", 2.0),
    "floor": BarRecord.exact("exact", 1.4),
}
NPLM = Figure("nplm", "score", "ppl", agree=0.001, bar="nplm", advice="Train on.")
COUNTS = Figure("counts", "score", "ppl", agree=0.001, bar="counts", advice="Count.", within=0.005)


def slugs(figure: Figure, value: float | None, printed: Any, smoke: bool = False) -> list[str]:
    found = figure_faults(figure, Judgement(value, raised="KeyError: emb"), {"ppl": printed}, BARS, smoke)
    reasons = list(found)
    assert all(reason.text and reason.next_step for reason in reasons)
    return [reason.slug for reason in reasons]


@pytest.mark.parametrize(("value", "missed"), [(1.5, False), (1.7, False), (1.71, True), (1.09, True)])
def test_a_bar_has_an_upper_and_a_lower_bound(value: float, missed: bool) -> None:
    assert slugs(NPLM, value, value) == ["bar-missed"] * missed


@pytest.mark.parametrize(("value", "missed"), [(2.0, False), (2.009, False), (2.011, True), (1.989, True)])
def test_an_exact_figure_is_met_within_what_is_said(value: float, missed: bool) -> None:
    assert slugs(COUNTS, value, value) == ["bar-missed"] * missed


def test_a_bar_named_below_is_not_to_be_reached() -> None:
    figure = Figure("nplm", "score", "ppl", agree=0.001, bar="nplm", advice="Train on.", below="floor")
    assert slugs(figure, 1.39, 1.39) == []
    assert slugs(figure, 1.41, 1.41) == ["bar-missed"]


@pytest.mark.parametrize(
    "printed", [1.5 * 0.9985, 1.5 * 1.0015, None, "1.5", True, float("inf"), 10**400, [1.5]]
)
def test_a_printed_figure_that_the_saved_model_does_not_have_is_false(printed: object) -> None:
    assert slugs(NPLM, 1.5, printed) == ["figure-false"]


def test_the_bar_is_held_by_what_was_recomputed_not_by_what_was_printed() -> None:
    assert slugs(NPLM, 1.8, 1.5) == ["figure-false", "bar-missed"]


def test_a_smoke_run_is_held_to_no_bar_but_must_not_lie() -> None:
    assert slugs(NPLM, 4.0, 4.0, smoke=True) == []
    assert slugs(NPLM, 4.0, 1.5, smoke=True) == ["figure-false"]


def test_a_model_that_cannot_be_read_has_no_figure() -> None:
    assert slugs(NPLM, None, 1.5) == ["figure-unreadable"]
