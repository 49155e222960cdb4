"""Short ways to write the values that cross the ports, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ol.domain.course import CourseModule, CourseTest, ModuleId, Rung
from ol.domain.file import File
from ol.domain.mutation import Mutant
from ol.domain.suite import CaseResult, Completed, Crashed, Exit, Facts, Frame, Outcome, Stage


def case(
    id: str,
    outcome: Outcome = Outcome.PASSED,
    stage: Stage = Stage.CALL,
    *,
    exception: str = "",
    message: str = "",
    frames: Sequence[Frame] = (),
    bases: Sequence[str] = (),
    output: str = "",
    properties: Sequence[tuple[str, str]] = (),
    known_wrong: str = "",
) -> CaseResult:
    """A case's result; the id may leave out its file (`test_a` is `test_x.py::test_a`)."""
    facts = Facts(exception, tuple(bases), message, tuple(frames), output, tuple(properties), known_wrong)
    return CaseResult(id if "::" in id else f"test_x.py::{id}", outcome, stage, facts, 0.001)


def failed(
    id: str, message: str = "assert 1 == 2", exception: str = "AssertionError", **more: Any
) -> CaseResult:
    return case(id, Outcome.FAILED, message=message, exception=exception, **more)


def completed(*cases: CaseResult | str, **more: Any) -> Completed:
    """A run that ended by itself; a string is a case that passed."""
    results = tuple(case(each) if isinstance(each, str) else each for each in cases)
    return Completed(
        results, **{"collection_errors": (), "deselected": 0, "duration_s": 0.1, "cpu_s": 0.1, **more}
    )


def crashed(exit: Exit, *cases: CaseResult | str, running: str | None = None) -> Crashed:
    results = tuple(case(each) if isinstance(each, str) else each for each in cases)
    return Crashed(exit, results, running, "")


def module(id: str, *units: str, **more: Any) -> CourseModule:
    """Of rung R3, with one unit named after it (`A.1` has `a1.py`) and one course test, unless said."""
    given = {"title": f"Module {id}", "slug": id.lower().replace(".", "-"), "rung": "R3", "hours": (1, 2)}
    own = units or (f"{id.lower().replace('.', '')}.py",)
    tests = (CourseTest("test_it", ("unit", "smoke"), "everything builds on it"),)
    return CourseModule(id=ModuleId(id), units=own, **{**given, "tests": tests, **more})


def mutant(id: str, find: str, replace: str, **more: Any) -> Mutant:
    given = {"unit": "a1.py", "killed_by": ("test_it",), "witness": "out = 1"}
    return Mutant(
        id=id, title=f"{id} title", symptom=f"{id} symptom", find=find, replace=replace, **{**given, **more}
    )


RUNGS = {
    "R0": Rung("R0", "not graded yet", "no tests yet"),
    "R3": Rung("R3", "one test given", "write the others first", journal=True, threshold=0.70),
}


def frames(*places: tuple[str, int, str]) -> tuple[Frame, ...]:
    return tuple(Frame(*place) for place in places)


def texts(files: Mapping[str, str]) -> tuple[File, ...]:
    return tuple(File(name, text.encode()) for name, text in files.items())
