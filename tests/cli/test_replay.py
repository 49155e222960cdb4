"""`ol check --replay` as CI calls it: the student's code, tests and journals, and a course elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ol.domain.journal.line import read, sha256, written
from tests.cli.student import TINY, Student, gates, slugs, words_of

RIGHT = (TINY / "course/reference/tinycalc/calc.py").read_text(encoding="utf-8")
EXEMPLARS = (TINY / "course/exemplars/A1/test_calc.py").read_text(encoding="utf-8")
DONE = "5/5 course tests, journal complete, 2 entries replayed, 5/5 mutants (1.00 ≥ 0.70), s01 killed"


def finished(student: Student) -> Student:
    student.has_tests(EXEMPLARS).does("tdd", "red")
    student.writes(RIGHT).does("tdd", "green")
    return student


def test_an_honest_journal_is_replayed_far_from_where_it_was_written(calc: Student, tmp_path: Path) -> None:
    there = finished(calc).abroad(tmp_path / "ci", TINY)
    told = there.does("check", "A1", "--ref-deps", "--no-cache", "--replay", "--plain")
    assert told.last == f"A1 PASSED — {DONE} [assisted: A0 from the reference]"
    assert "replay: 2 runs\n" in told.err
    assert "replayed" not in there.does("check", "A1", "--ref-deps").out


def test_a_forged_line_fails_the_check_and_is_told_in_full(calc: Student, tmp_path: Path) -> None:
    finished(calc)
    (chain,) = (calc.root / "journals/A1").glob("*.jsonl")
    red, green = (read(line) for line in chain.read_bytes().splitlines())
    passing = replace(red, units={**red.units, "tinycalc.calc": green.units["tinycalc.calc"]})
    first = written(passing)
    chain.write_bytes(first + b"\n" + written(replace(green, previous=sha256(first))) + b"\n")

    there = calc.abroad(tmp_path / "ci", TINY)
    told = there.ol("check", "A1", "--ref-deps", "--replay")
    assert told.code == 1
    assert told.last.startswith("A1 FAILED — 1/2 entries replayed, 1 forged")
    assert "on record: failed on the stub; found: passed" in told.out
    gate = gates(there.json("check", "A1", "--ref-deps", "--replay", exits=1))["replay"]
    assert slugs(gate) == ["replay-forged"]
    assert "git log -p journals/A1" in words_of(gate)
    assert (gate["fields"]["held"], gate["fields"]["forged"]) == (1, 1)
