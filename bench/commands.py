"""What a student waits for: `ol tests` and `ol check --cached` against plain pytest, `ol --help` and `ol status`.

The workspace is that of a student who has gone the whole way on L2.2: red, green, checked once, on a copy of the
course that is locked (without a lock nothing is remembered of course tests).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from machine import machine
from scratch import MODULE, NO_AUTOLOAD, ROOT, UNIT, catalog, ol, pytest, tests_of, tree
from sides import command, in_turns, told

ROUNDS = 7


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        course = locked(scratch)
        made = travelled(scratch, course)
        bare = tree(scratch, "bare", catalog().reference(UNIT))
        course_tests = course / "course" / "tests" / MODULE
        frozen = {**NO_AUTOLOAD, "OL_COURSE_ROOT": str(course)}
        sides = {
            "pytest": lambda: pytest(bare, course_tests, frozen, path=str(course_tests.parent)),
            "tests": lambda: ol(made, scratch, "tests", MODULE, "--plain", course=course),
            "own": lambda: pytest(bare, tests_of(made)),
            "cached": lambda: ol(made, scratch, "check", MODULE, "--cached", "--plain", course=course),
            "pass": lambda: command([sys.executable, "-c", "pass"], made, os.environ),
            "help": lambda: ol(made, scratch, "--help", course=course),
            "status": lambda: ol(made, scratch, "status", "--plain", course=course),
        }
        costs = in_turns(sides, ROUNDS)
    cost = {name: each.wall_s for name, each in costs.items()}
    print(machine("click", "msgspec", "rich"))
    each = (f"{name} {each.wall_s * 1e3:.0f} ms ({each.cpu_s * 1e3:.0f})" for name, each in costs.items())
    print(f"time, and CPU time in brackets: {', '.join(each)}")
    print(told("`ol tests` against pytest on the course tests", cost["tests"] / cost["pytest"], at_most=1.2))
    print(told("`ol check --cached` against one such run", cost["cached"] / cost["pytest"], at_most=0.5))
    print(told("`ol --help` against `python -c pass`", cost["help"] / cost["pass"], at_most=6))
    print(told("`ol status` against `python -c pass`", cost["status"] / cost["pass"], at_most=8))


def locked(scratch: Path) -> Path:
    """A copy of the course with a lock of today's files."""
    course = scratch / "course"
    for name in ("course", "oracle"):
        shutil.copytree(ROOT / name, course / name, ignore=shutil.ignore_patterns("__pycache__"))
    (course / "course" / "course.lock").write_bytes(catalog(course).lock_of_today().text().encode("utf-8"))
    return course


def travelled(scratch: Path, course: Path) -> Path:
    """Started, red on the stub, green on the reference as the student's own code, and checked."""
    made = scratch / "workspace"
    made.mkdir()
    ol(made, scratch, "start", MODULE, "--ref-deps", course=course)
    for file in catalog().exemplars(catalog().course.module(MODULE)):
        (tests_of(made) / file.name).write_bytes(file.content)
    ol(made, scratch, "tdd", "red", MODULE, course=course)
    (made / "python" / "tinyllm" / UNIT).write_text(catalog().reference(UNIT), encoding="utf-8")
    ol(made, scratch, "tdd", "green", MODULE, course=course)
    ol(made, scratch, "check", MODULE, course=course)
    return made


if __name__ == "__main__":
    main()
