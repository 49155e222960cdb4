"""A course whose rules change in mid-term: what it costs a student who has passed, and what is never lost."""

from __future__ import annotations

import pytest

from tests.cli.student import Student, gates, lock, slugs, words_of
from tests.cli.term import (
    A1,
    CALC,
    CONTRACT,
    EXEMPLARS,
    append,
    change,
    recorded,
    released,
    state,
    versions,
)

DOUBLE = '''

def double(x: float) -> float:
    """Twice x."""
    {}
'''


# ---- the version


def test_the_version_stands_in_the_lock_in_every_journal_entry_and_in_every_report(passed: Student) -> None:
    assert (passed.root / "course/course.lock").read_text(encoding="utf-8").startswith('version = "1"\n')
    assert versions(passed) == ["1", "1"]
    released(passed)
    assert (passed.root / "course/course.lock").read_text(encoding="utf-8").startswith('version = "2"\n')
    assert passed.json("check", exits=0)["course_version"] == "2"
    passed.has_tests(EXEMPLARS + "\n\ndef test_more():\n    assert mean([5.0]) == 4.0\n").does("tdd", "red")
    assert versions(passed) == ["1", "1", "2"]


def test_a_new_version_alone_costs_a_run_and_takes_nothing_away(passed: Student) -> None:
    before = recorded(passed)
    report = released(passed).json("check", "--replay", exits=0)
    assert gates(report)["replay"]["summary"] == "2 entries replayed"
    assert recorded(passed) == before


# ---- the contract


def test_a_name_that_the_contract_gains_is_named_appended_and_written(passed: Student) -> None:
    before, unit = recorded(passed), passed.unit.read_text(encoding="utf-8")
    append(passed, CONTRACT, DOUBLE.format("..."))
    released(append(passed, CALC, DOUBLE.format("return 2 * x")))
    gate = gates(passed.json("check", exits=1))["contract"]
    assert slugs(gate) == ["name-missing"]
    assert (
        "double" in gate["reasons"][0]["text"] and "ol start A1 --missing" in gate["reasons"][0]["next_step"]
    )
    assert "added     double" in passed.does("start", "A1", "--missing").out
    appended = passed.unit.read_text(encoding="utf-8")
    assert appended.startswith(unit) and "def double(x: float) -> float:" in appended[len(unit) :]
    assert (state(passed)["state"], state(passed)["told"]) == ("unfinished", "1 of 6 functions to write")
    head = appended.rpartition("raise NotImplementedError")[0]
    report = passed.writes(f"{head}return 2 * x\n").json("check", "--replay", exits=0)
    assert gates(report)["replay"]["summary"] == "2 entries replayed"
    assert recorded(passed) == before


def test_a_changed_signature_is_told_with_both(passed: Student) -> None:
    before = recorded(passed)
    for path in (CONTRACT, CALC):
        change(passed, path, "low: float, high: float)", "low: float, high: float = 1.0)")
    gate = gates(released(passed).json("check", exits=1))["contract"]
    assert slugs(gate) == ["signature-differs"]
    assert "high=1.0" in words_of(gate)
    assert recorded(passed) == before


@pytest.mark.parametrize(("policy", "verdict"), [("count", "passed"), ("refuse", "failed")])
def test_an_entry_that_the_rules_of_today_refuse_is_stale_and_counts_as_the_policy_says(
    policy: str, verdict: str, passed: Student
) -> None:
    """No test may import pytest any more, and every entry does."""
    before = recorded(passed)
    change(passed, "course/course.toml", 'tests_only = ["pytest"]', "tests_only = []")
    change(passed, "course/course.toml", 'stale = "count"', f'stale = "{policy}"')
    gate = gates(released(passed).json("check", "--replay", exits=1))["replay"]
    assert (gate["verdict"], gate["summary"]) == (verdict, "0/2 entries replayed, 2 stale")
    assert "course 2 (on record 1)" in words_of(gate)
    assert recorded(passed) == before


def test_without_a_version_of_its_own_a_change_of_rules_makes_honest_entries_look_forged(
    passed: Student,
) -> None:
    """Which is why `ol verify --lock` asks for one."""
    change(passed, "course/course.toml", 'tests_only = ["pytest"]', "tests_only = []")
    lock(passed.root)
    assert "2 forged" in gates(passed.json("check", "--replay", exits=1))["replay"]["summary"]


# ---- needs


def test_a_new_need_is_to_be_built_and_journal_and_grade_stand(passed: Student) -> None:
    before, root = recorded(passed), passed.root
    half = '"""Halves."""\n\n\ndef half(x: float) -> float:\n    """x / 2."""\n    {}\n'
    for path, body in (("contracts/py", "..."), ("reference", "return x / 2")):
        name = "half.pyi" if body == "..." else "half.py"
        (root / f"course/{path}/tinycalc/{name}").write_text(half.format(body), encoding="utf-8")
    manifest = (root / "course/modules/A0.toml").read_text(encoding="utf-8")
    for old, new in (('"A0"', '"A2"'), ("a0-sums", "a2-halves"), ("num.py", "half.py")):
        manifest = manifest.replace(old, new)
    (root / "course/modules/A2.toml").write_text(manifest, encoding="utf-8")
    change(passed, A1, 'needs = ["A0"]', 'needs = ["A0", "A2"]')
    change(passed, CALC, "import total\n", "import total\nfrom tinycalc.half import half as _half\n")
    found = gates(released(passed).json("check", exits=3))
    assert slugs(found["needs"]) == ["need-missing"] and "ol start A2" in words_of(found["needs"])
    assert (found["journal"]["verdict"], found["mutation"]["verdict"]) == ("passed", "passed")
    assert passed.json("check", "--ref-deps", exits=0)["assisted_by"] == ["A2"]
    passed.does("start", "A2")
    (root / "python/tinycalc/half.py").write_text(half.format("return x / 2"), encoding="utf-8")
    report = passed.json("check", "A1", "--replay", exits=0)
    assert (report["assisted_by"], gates(report)["replay"]["verdict"]) == ([], "passed")
    assert recorded(passed) == before
