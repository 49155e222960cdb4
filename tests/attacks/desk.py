"""Work to attack, and whole commands on it: from the words of the command line to exit code and JSON."""

from __future__ import annotations

import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from ol import cli
from ol.adapters import runner as runners
from ol.adapters import site as sites
from ol.adapters.runner import SuiteRunner
from tests.cli.schema import breaches
from tests.cli.student import Student, Told, course_in, edited, lock

COURSES = Path(__file__).resolve().parents[1] / "courses"
LAYOUT = {
    "calc": ("tiny", "tinycalc", "calc.py", "a1-calc"),
    "arrays": ("probed", "tinyarr", "scale.py", "p1-arrays"),
}


CPU_BOUND = "unmeasured_cpu_s = 10.0"


class Shared:
    """One runner for all commands of this process: its server is warm, and its end is not theirs to say."""

    def __init__(self, runner: SuiteRunner) -> None:
        self.__dict__["_runner"] = runner

    def __call__(self, at_once: int | None = None, site: object = None) -> Shared:
        self._runner._unconfined.clear()
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._runner, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._runner, name, value)

    def close(self) -> None:
        pass


class NoSite:
    """The shared runner has its own."""

    def warm_up(self) -> None:
        pass

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Desk:
    """Somebody's work, and `ol` in this process; with an environment of its own, in another."""

    student: Student
    runner: SuiteRunner

    @property
    def root(self) -> Path:
        return self.student.root

    def ol(self, *words: str, **environment: str) -> Told:
        if environment:
            return self.student.ol(*words, **environment)
        out, err = StringIO(), StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(runners, "SuiteRunner", Shared(self.runner))
            patch.setattr(sites, "Site", NoSite)
            patch.chdir(self.root)
            for name, value in self.student.environment().items():
                patch.setenv(name, value)
            if self.student.course is None:
                patch.delenv("OL_COURSE", raising=False)
            code = cli.run(words)
        return Told(code, out.getvalue(), err.getvalue())

    def json(self, *words: str, **environment: str) -> dict[str, Any]:
        told = self.ol(*words, "--json", **environment)
        found: dict[str, Any] = json.loads(told.out)
        assert breaches(found) == []
        assert found["exit_code"] == told.code
        return found

    def does(self, *words: str) -> None:
        told = self.ol(*words)
        assert told.code == 0, told.out + told.err

    def copied(self, to: Path) -> Desk:
        return replace(self, student=self.student.copied(to))

    def judged_elsewhere(self, to: Path, course: Path) -> Desk:
        """By a course that lies apart, in another home; what the work says of one is still there."""
        return replace(self, student=replace(self.student, home=to, course=course))


def begun(at: Path, runner: SuiteRunner, course: str) -> Desk:
    name, package, unit, slug = LAYOUT[course]
    (at / "work").mkdir(parents=True)
    root = (at / "work").resolve()
    course_in(root, COURSES / name)
    if name == "probed":  # which leaves the bound to the default
        edited(root / "course/course.toml", "[imports]", f"[policy]\n{CPU_BOUND}\n\n[imports]")
    lock(root)
    return Desk(Student(root, (at / "home").resolve(), None, package, unit, slug), runner)


def calc(at: Path, runner: SuiteRunner) -> Desk:
    """Everything done honestly: `ol check` passes, `--replay` too."""
    desk = begun(at, runner, "calc")
    course = desk.root / "course"
    desk.does("start", "A1", "--ref-deps")
    shutil.copy(course / "exemplars/A1/test_calc.py", desk.student.tests)
    desk.does("tdd", "red")
    shutil.copy(course / "reference/tinycalc/calc.py", desk.student.unit)
    desk.does("tdd", "green")
    return desk


def arrays(at: Path, runner: SuiteRunner) -> Desk:
    """A unit that is wrong in both its functions, and knows it."""
    desk = begun(at, runner, "arrays")
    desk.does("start", "P1")
    right = (desk.root / "course/reference/tinyarr/scale.py").read_text(encoding="utf-8")
    wrong = right.replace("* factor", "* factor + 1.0").replace(".argmax()", ".argmin()")
    desk.student.writes(wrong)
    return desk
