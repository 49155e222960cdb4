from __future__ import annotations

from dataclasses import replace

import pytest

from ol.domain.authoring.bar_record import BarRecord, bar_faults, bars_text
from ol.domain.course import Bar, ModuleId

ID, BAR = ModuleId("B1"), Bar("loss", (0, 1, 2))
RIGHT = BarRecord.of("the recipe", (0, 1, 2), (2.0, 3.0, 4.0), 1.0)


def told(record: BarRecord | None) -> list[str]:
    return [reason.text for reason in bar_faults(ID, BAR, record)]


def test_a_bar_is_the_mean_and_three_deviations_of_the_sample() -> None:
    assert (RIGHT.mean, RIGHT.sd, RIGHT.upper, RIGHT.lower) == (3.0, 1.0, 6.0, 1.0)
    assert RIGHT.told == "2.0000 3.0000 4.0000; mean 3.0000, sd 1.0000, upper 6.0000, lower 1.0000"
    assert told(RIGHT) == []


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        (None, "has no bar loss"),
        (replace(RIGHT, seeds=(0, 1, 3)), "[0, 1, 3], where the manifest declares [0, 1, 2]"),
        (replace(RIGHT, figures=(2.0, 4.0)), "2 figures"),
        (replace(RIGHT, mean=3.1), "mean is 3.1, and the figures give 3.0"),
        (replace(RIGHT, sd=0.9), "sd is 0.9"),
        (replace(RIGHT, upper=9.0), "upper is 9.0, and the figures give 6.0"),
        (replace(RIGHT, lower=2.0), "lower is 2.0, and the reference itself reaches 2.0"),
        (replace(RIGHT, lower=float("nan")), "lower is nan"),
    ],
)
def test_what_does_not_follow_from_the_figures_is_told(wrong: BarRecord | None, word: str) -> None:
    (text,) = told(wrong)
    assert text.startswith("course/bars/B1.toml")
    assert word in text


def test_the_file_says_who_wrote_it_and_repeats_every_figure_to_the_bit() -> None:
    text = bars_text(ID, {"loss": BarRecord.of('a "recipe"', (0, 1), (0.1 + 0.2, 1e-17), 0.0)})
    assert text.startswith("# Written by `ol calibrate B1`")
    assert '[loss]\nrecipe = "a \\"recipe\\""\nseeds = [0, 1]\nfigures = [0.30000000000000004, 1e-17]' in text
