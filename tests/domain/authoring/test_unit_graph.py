from __future__ import annotations

import pytest

from ol.domain.authoring.unit_graph import imported_units

UNITS = ("tiny.lm.nplm", "tiny.lm", "tiny.num.rng")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import tiny.num.rng", {"tiny.num.rng"}),
        ("import tiny.num.rng as r", {"tiny.num.rng"}),
        ("from tiny.num.rng import PCG32, other", {"tiny.num.rng"}),
        ("from tiny.num import rng", {"tiny.num.rng"}),
        ("from tiny.num import rng as r, gone", {"tiny.num.rng"}),
        ("def late():\n    from tiny.num.rng import PCG32", {"tiny.num.rng"}),
        ("from tiny.lm.nplm import NPLM", {"tiny.lm.nplm", "tiny.lm"}),
        ("from tiny.number import rng\nimport tinyish.num.rng\nimport numpy as np", set()),
        ("import tiny", set()),
    ],
)
def test_a_unit_is_imported_whole_by_name_or_from_within_a_function(text: str, found: set[str]) -> None:
    assert imported_units(text, UNITS) == found
