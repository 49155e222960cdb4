"""What `ol verify` finds of mutants and their witnesses."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from tests.commands.wrong_course import CALC_MUTANTS, TINY, Wrong, assert_caught, swap

WRONG = [
    Wrong(
        "a mutant that ends the run",
        TINY,
        swap(CALC_MUTANTS, 'replace = "self._sum = value"', 'replace = "__import__(\\"os\\")._exit(0)"'),
        "mutants",
        "mutant-inconclusive",
        (CALC_MUTANTS, "s05", "left early with exit code 0"),
    ),
    Wrong(
        "a witness that does not run",
        TINY,
        swap(CALC_MUTANTS, "out = clamp(7.0, 0.0, 1.0)", "out = clamp(7.0)"),
        "witnesses",
        "witness-fails",
        (CALC_MUTANTS, "s02", "TypeError"),
    ),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.told)
def test_it_is_caught_and_the_message_names_file_and_cure(
    wrong: Wrong, tmp_path: Path, tiny_runner: SuiteRunner
) -> None:
    assert_caught(wrong, tmp_path / "course", tiny_runner)
