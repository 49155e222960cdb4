"""What `ol verify` finds of course tests: listed, passed by correct code, failed by the stub."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from tests.commands.wrong_course import (
    ANOTHER,
    B1,
    CALC_TESTS,
    LINE_TESTS,
    MEASURED,
    TINY,
    Wrong,
    append,
    assert_caught,
    both,
    remove,
    swap,
)

WRONG = [
    Wrong(
        "a skipped test",
        TINY,
        swap(CALC_TESTS, "def test_mean_of_a_few", "@pytest.mark.skip\ndef test_mean_of_a_few"),
        "reference",
        "test-skipped",
        (CALC_TESTS, "test_mean_of_a_few"),
    ),
    Wrong(
        "a unit called at import",
        TINY,
        swap(CALC_TESTS, "def test_mean_of_a_few", "ONE = mean([1.0])\n\n\ndef test_mean_of_a_few"),
        "stub",
        "stub-not-collected",
        (CALC_TESTS, "mean is not written yet"),
    ),
    Wrong(
        "a test that reads local names",
        MEASURED,
        both(
            remove("course/wheats/B1/w01.py"),
            swap(
                LINE_TESTS, "    error = fit", '    assert "off" in fit.__code__.co_varnames\n    error = fit'
            ),
        ),
        "correct code",
        "test-failed",
        (LINE_TESTS, "the neutral variant of seed 11"),
    ),
    Wrong(
        "cases that hang on what the code holds",
        MEASURED,
        both(
            append(B1, ANOTHER.format("test_names", "unit")),
            append(
                LINE_TESTS,
                '\n\n@__import__("pytest").mark.parametrize("name", fit.__code__.co_varnames)\n'
                "def test_names(name):\n    assert fit(0, 0) > 0\n",
            ),
        ),
        "correct code",
        "test-not-run",
        (LINE_TESTS, "test_names[rng] did not run on course/wheats/B1/w01.py"),
    ),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.told)
def test_it_is_caught_and_the_message_names_file_and_cure(
    wrong: Wrong, tmp_path: Path, tiny_runner: SuiteRunner
) -> None:
    assert_caught(wrong, tmp_path / "course", tiny_runner)
