"""Somebody at a keyboard: a workspace, a course and a home of their own, and the `ol` command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ol.adapters.course.files import CourseFiles
from tests.cli.here import run_here
from tests.cli.schema import breaches

ROOT = Path(__file__).resolve().parents[2]
TINY = ROOT / "tests" / "courses" / "tiny"
MEASURED = ROOT / "tests" / "courses" / "measured"

GIVEN = (ROOT / "course/given/L2.2/test_nplm.py").read_text(encoding="utf-8")
EXEMPLARS = (ROOT / "course/exemplars/L2.2/test_nplm.py").read_text(encoding="utf-8")
REFERENCE = (ROOT / "course/reference/tinyllm/lm/nplm.py").read_text(encoding="utf-8")

_STEERING = ("OL_COURSE", "OL_RUNNER", "NO_COLOR", "PYTHONPATH", "XDG_CACHE_HOME")
_LIMIT_S = 300.0


@dataclass(frozen=True)
class Told:
    """What one command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def last(self) -> str:
        return self.lines[-1]

    def answer(self) -> dict[str, Any]:
        """The one JSON object that `--json` printed, found to be as docs/report.schema.json says."""
        found = json.loads(self.out)
        assert breaches(found) == []
        assert found["exit_code"] == self.code
        return dict(found)


@dataclass(frozen=True)
class Student:
    """`course` None: the workspace holds the course. `home` holds the user's cache and temporary files."""

    root: Path
    home: Path
    course: Path | None
    package: str
    unit_name: str
    slug: str

    @property
    def unit(self) -> Path:
        return self.root / "python" / self.package / self.unit_name

    @property
    def tests(self) -> Path:
        return self.root / "python" / "tests" / self.slug

    @property
    def temporary(self) -> Path:
        return self.home / "tmp"

    def ol(self, *words: str, **environment: str) -> Told:
        """The command, in this process: half the time of one of its own, and the same answer."""
        return Told(*run_here(words, self.root, self.environment() | environment))

    def typed(self, *words: str, **environment: str) -> Told:
        """The command as it is typed: a process of its own, its streams and its end."""
        process = self.begin(*words, **environment)
        out, err = process.communicate(timeout=_LIMIT_S)
        return Told(process.returncode, out, err)

    def begin(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """`python -m ol`, started and not waited for."""
        return subprocess.Popen(
            [sys.executable, "-m", "ol", *words],
            cwd=self.root,
            env=self.environment() | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def environment(self) -> dict[str, str]:
        self.temporary.mkdir(parents=True, exist_ok=True)
        ours = {name: value for name, value in os.environ.items() if name not in _STEERING}
        ours |= {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        ours |= {"HOME": str(self.home), "XDG_CACHE_HOME": str(self.home / "cache")}
        ours |= {"LOCALAPPDATA": str(self.home / "cache"), "TMPDIR": str(self.temporary)}
        return ours | ({"OL_COURSE": str(self.course)} if self.course else {})

    def json(self, *words: str, exits: int) -> dict[str, Any]:
        """A command's answer as `--json` has it, and the exit code that was expected."""
        told = self.ol(*words, "--json")
        assert told.code == exits, told.out + told.err
        return told.answer()

    def does(self, *words: str) -> Told:
        """A command that succeeds."""
        told = self.ol(*words)
        assert told.code == 0, told.out + told.err
        return told

    def writes(self, unit: str) -> Student:
        self.unit.write_text(unit, encoding="utf-8", newline="\n")
        return self

    def has_tests(self, text: str, name: str = "") -> Student:
        """One test file, the given one unless another is named, with this text."""
        path = self.tests / (name or min(self.tests.glob("test_*.py")).name)
        path.write_text(text, encoding="utf-8", newline="\n")
        return self

    def copied(self, to: Path) -> Student:
        """The same folder elsewhere, with all that was remembered in it, and a home of its own."""
        shutil.copytree(self.root, to / "work", dirs_exist_ok=True)
        return replace(self, root=(to / "work").resolve(), home=(to / "home").resolve())

    def abroad(self, to: Path, course: Path = ROOT) -> Student:
        """The same work as CI has it: code, tests and journals alone, and the course somewhere else."""
        for folder in ("python", "journals"):
            shutil.copytree(self.root / folder, to / "work" / folder)
        return replace(self, root=(to / "work").resolve(), home=(to / "home").resolve(), course=course)


def begun(at: Path, course: Path | None = None, *, tiny: bool = False) -> Student:
    """Somebody before their first `ol start`."""
    (at / "work").mkdir(parents=True, exist_ok=True)
    names = ("tinycalc", "calc.py", "a1-calc") if tiny else ("tinyllm", "lm/nplm.py", "l2-2-nplm")
    return Student((at / "work").resolve(), (at / "home").resolve(), course, *names)


def course_in(folder: Path, course: Path) -> Path:
    """A copy of a course to change: its `course/` and `oracle/` alone."""
    for each in ("course", "oracle"):
        if (course / each).is_dir():
            left_out = shutil.ignore_patterns(".*", "__pycache__")
            shutil.copytree(course / each, folder / each, ignore=left_out, dirs_exist_ok=True)
    return folder


def lock(root: Path) -> None:
    """What `ol verify --lock` writes, without the proofs."""
    text = CourseFiles(root).lock_of_today().text()
    (root / "course" / "course.lock").write_text(text, encoding="utf-8", newline="\n")


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, links too, with what it holds."""
    return dict(sorted(_entries(folder)))


def _entries(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            yield name, os.fsencode(path.readlink())
        elif path.is_file():
            yield name, path.read_bytes()


def gates(report: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {gate["gate"]: gate for gate in report["gates"]}


def slugs(gate: Mapping[str, Any]) -> list[str]:
    return [reason["slug"] for reason in gate["reasons"]]


def words_of(gate: Mapping[str, Any]) -> str:
    """All that a gate says, as one text."""
    reasons = [[each["text"], *each["detail"], each["next_step"]] for each in gate["reasons"]]
    return "\n".join([gate["summary"], *gate["notes"], *(line for lines in reasons for line in lines)])
