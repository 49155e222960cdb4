"""Whatever a student does with unit and tests, the journal can be made complete by what its messages say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ol.commands import tdd
from ol.commands.steps.journal_gate import journal_gate
from ol.domain.course import ModuleId
from ol.domain.file import File
from ol.domain.journal.entry import Entry, JournalState, Link, Phase
from ol.domain.report import Answer, GateResult, Report, Verdict
from ol.domain.run import RunRequest
from ol.domain.suite import CaseResult, SuiteRun
from tests.fakes import Desk
from tests.made import case, completed, failed, module

A1 = ModuleId("A1")
NAMES = ("test_a", "test_b", "test_c")
FILES = ("test_1.py", "test_2.py")


@dataclass
class MemoryJournal:
    """One chain, in memory."""

    links: list[Link] = field(default_factory=list)
    objects: dict[str, bytes] = field(default_factory=dict)

    def read(self, id: ModuleId) -> JournalState:
        return JournalState(id, tuple(self.links), "a")

    def append(self, id: ModuleId, entry: Entry, objects: Sequence[File]) -> Entry:
        seq = len(self.links) + 1
        self.links.append(Link("a", f"a{seq}", replace(entry, seq=seq), {"a": seq}))
        self.objects |= {file.sha256: file.content for file in objects}
        return self.links[-1].entry

    def object(self, sha256: str) -> bytes | None:
        return self.objects.get(sha256)

    def repair(self, id: ModuleId) -> tuple[str, ...]:
        return ()


@dataclass
class Student:
    """The unit is one number and every test expects one. `tests`: (file, name) -> the number expected."""

    value: int = 0
    tests: dict[tuple[str, str], int] = field(default_factory=lambda: {(FILES[0], NAMES[0]): 1})
    desk: Desk = field(default_factory=lambda: Desk.of(module("A1"), answer=_ran))

    def __post_init__(self) -> None:
        self.desk.journal = MemoryJournal()  # type: ignore[assignment]
        self.desk.catalog.contracts["a1.py"] = "VALUE: int = 1\n"

    def write(self) -> None:
        self.desk.workspace.units["a1.py"] = f"VALUE: int = {self.value}\n"
        texts: dict[str, str] = {}
        for (file, name), expected in sorted(self.tests.items()):
            text = texts.setdefault(file, "from tiny.a1 import VALUE\n")
            texts[file] = text + f"\ndef {name}():\n    assert VALUE == {expected}\n"
        self.desk.workspace.suites[A1] = texts

    def does(self, verb: str) -> Answer:
        self.write()
        answer: Answer = getattr(tdd, verb)(self.desk.ports(), self.desk.module("A1"))
        if isinstance(answer, Report):
            assert all(reason.next_step for gate in answer.gates for reason in gate.reasons)
        return answer

    def gate(self) -> GateResult:
        self.write()
        return journal_gate(self.desk.ports(), self.desk.module("A1"))


def _ran(request: RunRequest) -> SuiteRun:
    value = int(request.sources["tiny.a1"].rpartition("= ")[2])
    cases: list[CaseResult] = []
    for file in request.tests:
        for name, expected in re.findall(r"def (\w+)\(\):\n    assert VALUE == (\d+)", file.text()):
            id = f"{file.name}::{name}"
            if request.select is None or id in request.select:
                cases.append(case(id) if int(expected) == value else failed(id))
    return completed(*cases, imported=("tiny", "tiny.a1"))


_PLACES = st.tuples(st.sampled_from(FILES), st.sampled_from(NAMES))
_NUMBERS = st.integers(0, 2)
_ACTIONS = st.one_of(
    st.tuples(st.just("code"), _NUMBERS),
    st.tuples(st.just("test"), _PLACES, _NUMBERS),
    st.tuples(st.just("drop"), _PLACES),
    st.tuples(st.just("move"), _PLACES, _PLACES),
    st.sampled_from([("red",), ("green",), ("abandon",)]),
)


def _act(student: Student, action: tuple) -> None:
    match action:
        case ("code", number):
            student.value = number
        case ("test", place, number):
            student.tests[place] = number
        case ("drop", place):
            student.tests.pop(place, None)
        case ("move", place, other) if place in student.tests:
            student.tests[other] = student.tests.pop(place)
        case ("red" | "green" | "abandon" as verb,):
            student.does(verb)


def _finish(student: Student) -> None:
    """As the messages say: all tests right, the open reds dropped, then the recipe for each file unseen."""
    student.tests = {place: 1 for place in student.tests} or {(FILES[0], NAMES[0]): 1}
    student.value = 1
    student.does("abandon")
    assert not isinstance(student.does("green"), Report)
    for reason in student.gate().reasons:
        assert reason.slug == "journal-unseen-file"
    if student.gate().reasons:
        student.value = 0
        assert not isinstance(student.does("red"), Report)
        student.value = 1
        assert not isinstance(student.does("green"), Report)


def _is_earned(student: Student, gate: GateResult) -> bool:
    """Of a complete journal: what is there is booked, and each file's reds came before a green."""
    links = student.desk.journal.links  # type: ignore[attr-defined]
    last = max(n for n, link in enumerate(links) if link.entry.booked)
    greens = [n for n, link in enumerate(links) if link.entry.phase is Phase.GREEN]
    reds = [n for n, link in enumerate(links) if any(each.failed for each in link.entry.functions.values())]
    return (
        set(links[last].entry.functions) == {f"{file}::{name}" for file, name in student.tests}
        and min(reds) < max(greens)
        and gate.fields["seen"] >= len({file for file, _ in student.tests})
    )


@settings(deadline=None, max_examples=100)
@given(st.lists(_ACTIONS, max_size=14))
def test_from_wherever_a_student_stands_the_recipe_completes_the_journal(actions: list[tuple]):
    student = Student()
    for action in actions:
        _act(student, action)
        if (gate := student.gate()).verdict is Verdict.PASSED:
            assert _is_earned(student, gate)
    _finish(student)
    gate = student.gate()
    assert gate.verdict is Verdict.PASSED, gate.reasons
    assert _is_earned(student, gate)


A, B = (FILES[0], NAMES[0]), (FILES[0], NAMES[1])
_RED_GONE = [("code", 1), ("test", B, 1), ("test", A, 2), ("red",), ("drop", A)]  # B never failed


@settings(deadline=None, max_examples=100)
@given(st.lists(_ACTIONS, max_size=14))
@example(_RED_GONE)
@example([("red",), ("code", 1), ("green",), *_RED_GONE])
def test_whoever_follows_the_gate_s_own_next_steps_is_not_refused_for_reds_that_are_gone(
    actions: list[tuple],
):
    student = Student()
    for action in actions:
        _act(student, action)
    student.tests = {place: 1 for place in student.tests} or {A: 1}
    student.value = 1
    for _ in range(4):
        for reason in student.gate().reasons[:1]:
            _follow(student, reason.next_step)
    gate = student.gate()
    assert gate.verdict is Verdict.PASSED, gate.reasons


def _follow(student: Student, step: str) -> None:
    """The commands of a step in their order; of several ways, the first. A red is of broken code, a green of right."""
    for verb in re.findall(r"`ol tdd (\w+) A1[^`]*`", step.partition(" Else ")[0]):
        student.value = 0 if verb == "red" else 1
        answer = student.does(verb)
        if isinstance(answer, Report):
            (reason,) = answer.gates[0].reasons
            assert reason.slug == "green-passes-on-red"  # only a run can tell that
            return _follow(student, reason.next_step)
    return None
