"""The bars of L2.2 follow from their figures, those from the reference, and each bar catches a fault."""

from __future__ import annotations

import importlib.util
import math
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from frozen.toml_file import read_toml
from tinyllm.lm import nplm
from tinyllm.lm.ngram import NGramLM
from tinyllm.lm.nplm import NPLM

COURSE = Path(__file__).resolve().parents[2] / "course"
BARS = ["corpus_perplexity", "milestone_perplexity"]


@pytest.fixture(scope="module")
def calibration() -> Iterator[ModuleType]:
    """As `ol calibrate` runs it: the course is found by OL_COURSE_ROOT."""
    spec = importlib.util.spec_from_file_location("calibration_l2_2", COURSE / "calibration" / "L2.2.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OL_COURSE_ROOT", str(COURSE.parent))
        spec.loader.exec_module(module)
        yield module


@pytest.fixture(scope="module")
def bars() -> dict[str, Any]:
    return read_toml(COURSE / "bars" / "L2.2.toml")


@pytest.mark.parametrize("name", BARS)
def test_a_bar_follows_from_its_figures(name: str, bars: dict[str, Any], calibration: ModuleType) -> None:
    bar = bars[name]
    assert len(bar["figures"]) == len(bar["seeds"]) == 5
    assert bar["mean"] == pytest.approx(statistics.mean(bar["figures"]))
    assert bar["sd"] == pytest.approx(statistics.stdev(bar["figures"]))
    assert bar["upper"] == pytest.approx(bar["mean"] + 3 * bar["sd"])
    assert bar["lower"] == pytest.approx(getattr(calibration, f"floor_{name}")())


@pytest.mark.parametrize("name", BARS)
def test_the_reference_reaches_the_figure_recorded_for_a_seed(
    name: str, bars: dict[str, Any], calibration: ModuleType
) -> None:
    """Within the bar, not to the bit: another machine's matrix products round otherwise."""
    assert bars[name]["lower"] < getattr(calibration, f"measure_{name}")(0) < bars[name]["upper"]


def test_the_learning_bar_is_far_below_the_bigram_and_above_the_floor(bars: dict[str, Any]) -> None:
    bar = bars["corpus_perplexity"]
    assert bar["lower"] < 1.2 < min(bar["figures"])
    assert bar["upper"] < 8.52 / 3


def test_the_milestone_is_the_chapters_figure_and_lies_between_the_orders_five_and_six(
    bars: dict[str, Any], calibration: ModuleType
) -> None:
    mean = bars["milestone_perplexity"]["mean"]
    assert mean == pytest.approx(1.54, rel=0.02)
    train, validation = calibration.TRAIN, calibration.VALIDATION
    five, six = (NGramLM(n, vocab_size=256).fit(train).perplexity(validation) for n in (5, 6))
    assert six < mean < five


def test_a_run_that_stops_after_its_first_epoch_misses_the_upper_bar(
    bars: dict[str, Any], calibration: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = (50_000 - 8) // 256
    whole = calibration.train_nplm

    def stopping(*args: Any, steps: int, **named: Any) -> list[float]:
        return whole(*args, steps=min(steps, batches), **named)

    monkeypatch.setattr(calibration, "train_nplm", stopping)
    assert calibration.measure_corpus_perplexity(0) > bars["corpus_perplexity"]["upper"]


def test_copying_the_last_token_of_the_window_falls_through_the_lower_bar(
    bars: dict[str, Any], calibration: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copying(ids: np.ndarray, context: int) -> tuple[np.ndarray, np.ndarray]:
        x = np.lib.stride_tricks.sliding_window_view(ids[:-1], context)
        return x, x[:, -1]

    monkeypatch.setattr(nplm, "windows", copying)
    assert calibration.measure_corpus_perplexity(0) < bars["corpus_perplexity"]["lower"]


def test_the_mean_taken_for_a_perplexity_falls_through_the_lower_bar(
    bars: dict[str, Any], calibration: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = NPLM.perplexity
    monkeypatch.setattr(NPLM, "perplexity", lambda model, ids: math.log(whole(model, ids)))
    assert calibration.measure_corpus_perplexity(0) < bars["corpus_perplexity"]["lower"]
