"""Somebody who has passed A1 of the tiny course, and an author who changes it under them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.student import TINY, Student, begun, course_in, edited, lock, tree

A1, CALC = "course/modules/A1.toml", "course/reference/tinycalc/calc.py"
CONTRACT, TESTS = "course/contracts/py/tinycalc/calc.pyi", "course/tests/A1/test_calc.py"
MUTANTS = "course/mutants/A1.toml"
RIGHT, SUM = (TINY / f"course/reference/tinycalc/{name}.py" for name in ("calc", "num"))
EXEMPLARS = (TINY / "course/exemplars/A1/test_calc.py").read_text(encoding="utf-8")
CLAMP_ENDS = "[(-2.0, 0.0), (0.5, 0.5), (3.0, 1.0)]"  # without the last, s02 is missed


def done(at: Path) -> Student:
    """All of A1: tests and code seen red, then green, checked, and a hint taken."""
    student = begun(at, tiny=True)
    lock(course_in(student.root, TINY))
    student.does("start", "A0")
    (student.root / "python/tinycalc/num.py").write_bytes(SUM.read_bytes())
    student.does("start", "A1")
    student.has_tests(EXEMPLARS).does("tdd", "red")
    student.writes(RIGHT.read_text(encoding="utf-8")).does("tdd", "green")
    student.does("hint", "A1", "s02")
    assert student.does("check").last.startswith("A1 PASSED")
    return student


def recorded(student: Student) -> dict[str, bytes]:
    """Journal, snapshots and hints: what no change of a course may touch."""
    kept = tree(student.root / "journals")
    return kept | {"hints": (student.root / ".ol/hints.jsonl").read_bytes()}


def versions(student: Student) -> list[str]:
    """Of the course, entry by entry."""
    chains = (student.root / "journals/A1").glob("*.jsonl")
    lines = [line for path in chains for line in path.read_text(encoding="utf-8").splitlines()]
    return sorted(json.loads(line)["versions"]["course"] for line in lines)


def change(student: Student, path: str, old: str, new: str) -> Student:
    edited(student.root / path, old, new)
    return student


def append(student: Student, path: str, text: str) -> Student:
    with (student.root / path).open("a", encoding="utf-8", newline="\n") as file:
        file.write(text)
    return student


def released(student: Student, version: str = "2") -> Student:
    """The changed course under a version of its own, locked, as an author's `ol verify --lock` leaves it."""
    edited(student.root / "course/course.toml", 'version = "1"', f'version = "{version}"')
    lock(student.root)
    return student


def state(student: Student) -> dict[str, Any]:
    """What `ol status` says of A1."""
    (found,) = [each for each in student.json("status", exits=0)["fields"]["modules"] if each["id"] == "A1"]
    return dict(found)


def mutation(student: Student) -> dict[str, Any]:
    (gate,) = student.ol("mutate", "A1", "--json").answer()["gates"]
    return dict(gate)
