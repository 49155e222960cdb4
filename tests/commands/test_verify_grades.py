"""What `ol verify` finds of exemplar tests and given ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from tests.commands.wrong_course import TINY, Wrong, assert_caught, remove, swap

EXEMPLARS, GIVEN = "course/exemplars/A1/test_calc.py", "course/given/A1/test_calc.py"
WRONG = [
    Wrong(
        "no exemplar tests",
        TINY,
        remove(EXEMPLARS),
        "exemplars",
        "exemplars-missing",
        ("course/exemplars/A1",),
    ),
    Wrong(
        "exemplars that import what students may not",
        TINY,
        swap(EXEMPLARS, "import pytest\n", "import sys\n\nimport pytest\n"),
        "exemplars",
        "forbidden-import",
        (EXEMPLARS, "sys"),
    ),
    Wrong(
        "exemplars that reject a wheat",
        TINY,
        swap(
            EXEMPLARS,
            "with pytest.raises(ValueError):\n        mean",
            'with pytest.raises(ValueError, match="needs"):\n        mean',
        ),
        "exemplars",
        "wheat-rejects",
        ("course/exemplars/A1", "test_mean_of_nothing", "wheat w01"),
    ),
    Wrong(
        "given tests that earn the grade",
        TINY,
        lambda world: world.write(GIVEN, world.read(EXEMPLARS)),
        "exemplars",
        "given-suffice",
        ("course/given/A1", "5/5 mutants"),
    ),
    Wrong(
        "a given test that the reference fails",
        TINY,
        swap(GIVEN, "== 2.0", "== 3.0"),
        "exemplars",
        "reference-rejects",
        ("course/given/A1", "test_mean_of_two"),
    ),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.told)
def test_it_is_caught_and_the_message_names_file_and_cure(
    wrong: Wrong, tmp_path: Path, tiny_runner: SuiteRunner
) -> None:
    assert_caught(wrong, tmp_path / "course", tiny_runner)
