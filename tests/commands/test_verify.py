"""`ol verify` on whole courses: sound ones, one that cannot be read, and the lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.commands.verify import Options, verify
from ol.domain.authoring import lock
from ol.domain.authoring.lock import Lock
from ol.domain.errors import WrongRequest
from ol.domain.exit_code import ExitCode
from ol.domain.report import Verdict
from tests.commands.author_world import SEED, Author, AuthorWorld, reasons
from tests.commands.wrong_course import PROMISE
from tests.fakes import FakeProgress

MakeCourse = Callable[[str], AuthorWorld]


@pytest.fixture
def course(tmp_path: Path, tiny_runner: SuiteRunner) -> MakeCourse:
    return lambda name: AuthorWorld.of(name, tmp_path / name, tiny_runner)


def test_a_sound_module_is_proved_and_the_last_line_says_by_what(course: MakeCourse) -> None:
    report = course("measured").verify("b1")
    assert report.exit_code is ExitCode.PASSED
    assert report.last_line == (
        "B1 PROVED — needs agree, contract matches, 2 tests listed, reference passes in any order, "
        "stub fails every test, 1 wheat and 20 neutral variants pass, 3/3 mutants killed as named, "
        "no matrix yet, 3/3 witnesses, no probe, no blank, 1 golden, 1 bar, exemplars kill 3/3"
    )


def test_a_sound_course_is_proved_module_by_module(course: MakeCourse) -> None:
    report = course("tiny").verify()
    assert report.last_line == "course 1 PROVED — 2 modules hold"
    gates = {gate.gate: gate for gate in report.gates}
    assert gates["needs"].summary == "2/2 modules"
    assert gates["mutants"].summary == "5/5 mutants killed as named"


def test_the_matrix_shows_who_kills_whom_and_names_the_idle(course: MakeCourse) -> None:
    gate = course("tiny").proved("mutants", "A1")
    assert gate.notes[0].split() == ["s01", "s02", "s03", "s04", "s05"]
    rows = {line.split()[0]: line.split()[1:] for line in gate.notes[1:]}
    assert rows["test_running_agrees_with_mean"] == ["×", "·", "·", "·", "×"]
    assert "kills nothing: test_mean_refuses_nothing" in gate.notes


def test_a_module_without_tests_is_only_read(course: MakeCourse) -> None:
    report = course("tiny").verify("A0")
    assert [gate.gate for gate in report.gates] == ["files", "needs", "contract", "lock"]
    assert report.passed


def test_the_seed_of_what_is_shuffled_and_renamed_is_told(course: MakeCourse) -> None:
    gates = {gate.gate: gate for gate in course("tiny").verify("A1").gates}
    assert gates["reference"].fields == {"A1": {"shuffle_seed": SEED}}
    assert gates["correct code"].fields == {"A1": {"first_neutral_seed": SEED}}


def test_work_that_takes_time_is_told_with_its_module(course: MakeCourse) -> None:
    world, told = course("tiny"), FakeProgress()
    verify(replace(world.ports, progress=told), world.author, ["A1"], Options(seed=SEED))
    runs = ("orders: 6", "stub: 1", "correct code: 21", "mutants: 5", "witnesses: 15")
    assert [line for line in told.told if line.startswith("A1 ")] == [f"A1 {what}" for what in runs]


def test_an_unknown_module_is_a_wrong_request_that_names_the_nearest(course: MakeCourse) -> None:
    with pytest.raises(WrongRequest, match="A9") as raised:
        course("tiny").verify("A9")
    assert "A0" in raised.value.next_step


@pytest.mark.parametrize(
    ("path", "old", "new", "slug", "words"),
    [
        ("course/modules/A1.toml", "hours =", "hour =", "unknown-key", ("modules/A1.toml", "hour")),
        (
            "course/mutants/A1.toml",
            'find = "self._sum += value"',
            'find = "gone"',
            "mutant-find",
            ("mutants/A1", "s05"),
        ),
        (
            "course/wheats/A1/w01.py",
            "def add(self, value",
            "def add(self value",
            "course-unreadable",
            ("w01.py",),
        ),
        (
            "course/contracts/py/tinycalc/calc.pyi",
            "def clamp(x",
            "def clamp(x x",
            "contract-unreadable",
            ("calc.py",),
        ),
    ],
)
def test_where_a_file_cannot_be_read_nothing_is_run_and_all_of_it_is_told(
    course: MakeCourse, path: str, old: str, new: str, slug: str, words: tuple[str, ...]
) -> None:
    report = course("tiny").edit(path, old, new).edit("course/modules/A0.toml", '"Sums"', "7").verify("A1")
    (gate,) = report.gates
    found = reasons(gate)
    assert set(found) == {slug, "wrong-value"}
    assert all(word in found[slug].text for word in words)
    assert report.exit_code is ExitCode.COURSE_WRONG
    assert report.last_line == "course 1 WRONG — files: 2 wrong"


def test_on_a_reference_that_fails_nothing_further_is_tried_and_only_that_is_told(course: MakeCourse) -> None:
    world = course("tiny").edit("course/reference/tinycalc/num.py", "sum(values, 0.0)", "sum(values, 1.0)")
    report = world.verify("A1")
    verdicts = {gate.gate: gate.verdict for gate in report.gates}
    assert verdicts["reference"] is Verdict.FAILED
    blocked = ("correct code", "mutants", "witnesses", "exemplars")
    assert {verdicts[name] for name in blocked} == {Verdict.BLOCKED}
    assert report.last_line == "A1 WRONG — reference: the reference fails"
    assert report.exit_code is ExitCode.COURSE_WRONG


def test_a_lost_golden_is_told_although_the_reference_fails_without_it(course: MakeCourse) -> None:
    report = course("measured").remove("oracle/B1/line.safetensors").verify("B1")
    gates = {gate.gate: gate for gate in report.gates}
    assert gates["reference"].verdict is Verdict.FAILED
    assert "oracle/B1/line.safetensors is missing" in reasons(gates["goldens"])["golden-missing"].text
    assert gates["bars"].verdict is Verdict.BLOCKED


def test_of_neutral_variants_that_fail_the_first_is_told(course: MakeCourse) -> None:
    look = '    assert "off" in fit.__code__.co_varnames\n'
    test = "course/tests/B1/test_line.py"
    world = course("measured").edit(test, "    error = fit", f"{look}    error = fit")
    told = [reason.text for reason in world.proved("correct code", "B1").reasons]
    assert [text.rpartition(" on ")[2].partition(":")[0] for text in told] == [
        "course/wheats/B1/w01.py",
        f"the neutral variant of seed {SEED}",
    ]


def test_a_difference_from_the_lock_is_a_note(course: MakeCourse) -> None:
    world = course("tiny")
    report = world.verify(lock=True)
    assert report.gates[-1].summary == "locked"
    assert world.verify("A0").gates[-1].notes == ()
    world.add("course/given/A1/test_calc.py", "\n# longer\n")
    gate = world.verify("A0").gates[-1]
    assert gate.verdict is Verdict.PASSED
    assert gate.notes == ("differs from course.lock: course/given/A1/test_calc.py",)


def test_the_lock_holds_every_file_of_the_course(course: MakeCourse) -> None:
    world = course("measured")
    world.verify(lock=True)
    assert world.ports.catalog.tampered(world.ports.catalog.course.modules.values()) == ()
    assert '"oracle/B1/line.safetensors" = ' in world.read(lock.PATH)


def test_what_does_not_hold_is_not_locked(course: MakeCourse) -> None:
    world = course("tiny").edit("course/modules/A0.toml", '["A1"]', "[]")
    report = world.verify(lock=True)
    assert report.exit_code is ExitCode.COURSE_WRONG
    assert report.last_line == "course 1 WRONG — needs: 1/2 modules"
    assert not (world.root / lock.PATH).exists()


def test_a_part_of_the_course_is_not_locked(course: MakeCourse) -> None:
    with pytest.raises(WrongRequest, match="whole course"):
        course("tiny").verify("A1", lock=True)


def test_files_that_change_while_they_are_proved_are_not_locked(
    course: MakeCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, today = course("tiny"), Author.lock_of_today
    asked: list[Lock] = []

    def moving(author: Author) -> Lock:
        asked.append(today(author))
        world.add("course/given/A1/test_calc.py", "# longer\n")
        return asked[-1]

    monkeypatch.setattr(Author, "lock_of_today", moving)
    report = world.verify(lock=True)
    assert set(reasons(report.gates[-1])) == {"lock-moved"}
    assert not (world.root / lock.PATH).exists()


def test_new_rules_under_an_old_version_are_a_note_of_the_lock(course: MakeCourse) -> None:
    world = course("tiny")
    assert world.verify(lock=True).gates[-1].notes == ()
    world.edit(PROMISE, "x, moved into [low, high]", "x, or the nearest end,")
    told = world.verify(lock=True).gates[-1].notes[0]
    assert told.startswith(f"{PROMISE} changed, and the version did not: raise it in course/course.toml")
    world.edit(PROMISE, "or the nearest end,", "or the end that is nearest,")
    world.edit("course/course.toml", 'version = "1"', 'version = "2"')
    assert world.verify(lock=True).gates[-1].notes == ()
    world.edit("course/mutants/A1.toml", "The upper end does not clamp", "No upper end")
    assert world.verify(lock=True).gates[-1].notes == ()
