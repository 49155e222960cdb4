"""A survey of faults: what a review may say of a survivor, and the page of it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

from faults.fault import Fault  # noqa: E402
from faults.reviewed import Reason, reviewed  # noqa: E402
from faults.survey import Survey  # noqa: E402
from faults.survey_page import written  # noqa: E402
from faults.verdict import Fate, Verdict  # noqa: E402

ENTRY = """
[[survivor]]
unit = "u.py"
function = "f"
before = "a"
after = ["b", "c"]
kind = "speed"
reason = "only slower"
"""


def test_one_reason_may_cover_several_changes_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "L0.1.toml"
    assert reviewed(path) == {}
    path.write_text(ENTRY, encoding="utf-8")
    assert {place[3] for place in reviewed(path)} == {"b", "c"}
    path.write_text(ENTRY + ENTRY, encoding="utf-8")
    with pytest.raises(SystemExit, match="has a reason already"):
        reviewed(path)
    path.write_text(ENTRY.replace('"speed"', '"luck"'), encoding="utf-8")
    with pytest.raises(SystemExit, match="Invalid enum value 'luck'"):
        reviewed(path)


FATES = (Fate.WRONG, Fate.RAISED, Fate.STOPPED, Fate.TRIVIAL, Fate.SURVIVED, Fate.OPEN)


def surveyed(*explained: int) -> Survey:
    """One fault of each fate, on lines 0 to 5, with reasons for those on some of them."""
    faults = [Fault("u.py", line, "f", f"a{line}", f"b{line}", "") for line in range(len(FATES))]
    reasons = {faults[line].place: Reason("speed", "only slower") for line in explained}
    return Survey("L0.1", faults, list(map(Verdict, FATES)), reasons)


def test_a_survivor_needs_a_reason_and_a_reason_a_survivor() -> None:
    assert list(surveyed(4, 5).wrong()) == []
    (survives,) = surveyed(4).wrong()
    assert survives == "u.py:5 f survives:\n  - a5\n  + b5"
    (idle,) = surveyed(0, 4, 5).wrong()
    assert idle == "course/survivors/L0.1.toml: u.py f, 'b0', is no survivor: take it out."


def test_the_page_has_the_shares_and_every_survivor_under_its_reason() -> None:
    """Three of five are killed; without what is only slower three of four, here with one reason given."""
    page = written([surveyed(4)], "Python 3.11")
    assert "| L0.1 | 5 | 1 | 1 | 1 | 2 | 60.0% | 75.0% | 33.3% |" in page
    assert "Only slower *(speed)*.\n\n```diff\n@@ u.py:4 f\n-a4\n+b4\n```" in page


@pytest.mark.parametrize(
    "path", sorted((ROOT / "course" / "survivors").glob("*.toml")), ids=lambda path: path.stem
)
def test_every_reason_speaks_of_lines_that_stand_in_the_reference(path: Path) -> None:
    """What needs mutmut, whether the fault still survives, `bench/survey.py` tells."""
    reasons = reviewed(path)
    assert reasons
    for unit, function, before, _ in reasons:
        text = (ROOT / "course" / "reference" / "tinyllm" / unit).read_text(encoding="utf-8")
        lines = " ".join(line.strip() for line in text.splitlines())
        assert before in lines, f"{unit} has no line {before!r}"
        for name in function.split("."):
            assert f"def {name}(" in text or f"class {name}" in text, f"{unit} has no {function}"
