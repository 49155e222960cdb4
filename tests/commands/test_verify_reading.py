"""What `ol verify` finds by reading alone: needs, imports, contracts."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from tests.commands.wrong_course import (
    A0,
    A1,
    CALC,
    NUM,
    PROMISE,
    TINY,
    Wrong,
    append,
    assert_caught,
    both,
    swap,
)

WRONG = [
    Wrong(
        "an import outside the needs",
        TINY,
        both(swap(A1, 'needs = ["A0"]', "needs = []"), swap(A0, '["A1"]', "[]")),
        "needs",
        "need-undeclared",
        (CALC, "tinycalc.num of A0", A1),
    ),
    Wrong(
        "a need that nothing imports",
        TINY,
        both(swap(CALC, "from tinycalc.num import total\n", ""), swap(CALC, "total(values)", "sum(values)")),
        "needs",
        "need-unused",
        (A1, "A0"),
    ),
    Wrong(
        "a used_by of none",
        TINY,
        swap(A1, "used_by = []", 'used_by = ["A0"]'),
        "needs",
        "used-by-wrong",
        (A1, "A0"),
    ),
    Wrong(
        "reading that is not there",
        TINY,
        append(A0, 'reading = ["A9"]\n'),
        "needs",
        "reading-unknown",
        (A0, "A9"),
        "A0",
    ),
    Wrong(
        "a unit that imports what students may not",
        TINY,
        append(NUM, "import sys\n"),
        "needs",
        "forbidden-import",
        (NUM, "sys"),
        "A0",
    ),
    Wrong(
        "a promised parameter of another name",
        TINY,
        swap(PROMISE, "low: float, high: float", "lo: float, high: float"),
        "contract",
        "signature-differs",
        (CALC, "clamp"),
    ),
    Wrong(
        "a public function beyond the contract",
        TINY,
        append(CALC, "\n\ndef median(values):\n    return sorted(values)[len(values) // 2]\n"),
        "contract",
        "not-promised",
        (CALC, "median", PROMISE),
    ),
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.told)
def test_it_is_caught_and_the_message_names_file_and_cure(
    wrong: Wrong, tmp_path: Path, tiny_runner: SuiteRunner
) -> None:
    assert_caught(wrong, tmp_path / "course", tiny_runner)
