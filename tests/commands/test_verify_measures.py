"""What `ol verify` finds of goldens and bars."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from tests.commands.wrong_course import (
    A1,
    B1,
    BARS,
    GOLDENS,
    LINE_MUTANTS,
    LINE_TESTS,
    MEASURED,
    TINY,
    Wrong,
    append,
    assert_caught,
    remove,
    swap,
)

WRONG = [
    Wrong(
        "a missing golden",
        MEASURED,
        remove("oracle/B1/line.safetensors"),
        "goldens",
        "golden-missing",
        ("oracle/B1/line.safetensors",),
    ),
    Wrong(
        "a program changed since",
        MEASURED,
        append("course/oracle/B1/line_made.py", "# later\n"),
        "goldens",
        "golden-program-changed",
        ("course/oracle/B1/line_made.py", GOLDENS),
    ),
    Wrong(
        "a golden that no record tells of",
        MEASURED,
        swap(GOLDENS, '"B1/line.safetensors"', '"B1/other.safetensors"'),
        "goldens",
        "golden-unrecorded",
        (GOLDENS, "B1/line.safetensors"),
    ),
    Wrong(
        "a record of no golden",
        MEASURED,
        swap(GOLDENS, '"B1/line.safetensors"', '"B1/other.safetensors"'),
        "goldens",
        "golden-undeclared",
        (B1, "B1/other.safetensors"),
    ),
    Wrong(
        "another tolerance than recorded",
        MEASURED,
        swap(B1, "atol = 1e-6", "atol = 1e-5"),
        "goldens",
        "golden-differs",
        (B1, GOLDENS, "atol"),
    ),
    Wrong(
        "a golden that no test meets",
        MEASURED,
        swap(B1, '["golden"]', '["unit"]'),
        "goldens",
        "golden-untested",
        (B1,),
    ),
    Wrong(
        "a golden test without a golden",
        TINY,
        swap(A1, '["unit", "smoke"]', '["golden"]'),
        "goldens",
        "golden-none",
        (A1, "test_mean_of_a_few"),
    ),
    Wrong("a bar without its file", MEASURED, remove(BARS), "bars", "bar-missing", (BARS, "error")),
    Wrong(
        "a bar that is not declared",
        MEASURED,
        swap(B1, 'name = "error"', 'name = "loss"'),
        "bars",
        "bar-undeclared",
        (BARS, "error", B1),
    ),
    Wrong(
        "a bar of other seeds",
        MEASURED,
        swap(BARS, "[0, 1, 2]", "[0, 1, 3]"),
        "bars",
        "bar-inconsistent",
        (BARS, "seeds [0, 1, 3]"),
    ),
    Wrong(
        "a bound moved by hand",
        MEASURED,
        swap(BARS, "upper = 0.01", "upper = 0.02"),
        "bars",
        "bar-inconsistent",
        (BARS, "upper"),
    ),
    Wrong(
        "a floor above the reference",
        MEASURED,
        swap(BARS, "lower = 0.005", "lower = 0.0075"),
        "bars",
        "bar-inconsistent",
        (BARS, "lower"),
    ),
    Wrong(
        "an upper bound that catches nothing",
        MEASURED,
        swap(LINE_MUTANTS, "range(min(steps, 1))", "range(min(steps, 39))"),
        "bars",
        "bar-catches-nothing",
        (BARS, "upper bound of error"),
    ),
    Wrong(
        "a learning test that tells no figure",
        MEASURED,
        swap(LINE_TESTS, '    record_property("error", error)\n', ""),
        "bars",
        "figure-unrecorded",
        ("course/tests/B1", "test_fit_learns_the_line"),
    ),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.told)
def test_it_is_caught_and_the_message_names_file_and_cure(
    wrong: Wrong, tmp_path: Path, tiny_runner: SuiteRunner
) -> None:
    assert_caught(wrong, tmp_path / "course", tiny_runner)
