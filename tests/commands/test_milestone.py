"""`ol milestone`: what is laid out, what is typed, what is judged, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from ol.commands.milestone import Options, milestone
from ol.domain.errors import CourseWrong, NotReady, Tampered, WorkRefused
from ol.domain.exit_code import ExitCode
from ol.domain.file import File
from ol.domain.grading.values import Difference
from ol.domain.milestone.judged import Judgement
from ol.domain.milestone.played import StepRun
from ol.domain.report import Report, Source
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from tests.commands.milestone_world import (
    MAIN,
    MS,
    REFERENCE,
    FakeStage,
    desk,
    probed,
    probing,
    told,
)
from tests.fakes import ROOT, Desk
from tests.made import completed, failed

SEVEN = Options(seed=7)


def played(at: Desk, stage: FakeStage, options: Options = SEVEN) -> Report:
    return milestone(at.ports(), stage, MS, options)


def slugs(report: Report) -> list[str]:
    return [reason.slug for gate in report.gates for reason in gate.reasons]


def only(name: str, run: StepRun) -> FakeStage:
    """A stage whose command line is honest but in one command."""

    def deed(words: Sequence[str]) -> StepRun:
        return run if words[0] == name else told(words)

    return FakeStage(deed)


def test_all_that_passes_is_told_in_one_line() -> None:
    report = played(desk(), FakeStage())
    assert report.exit_code is ExitCode.PASSED
    assert report.last_line == "MS-1 PASSED — 4/4 steps, loss 1.5000, 1/1 claims, 1/1 probes"
    assert report.notes == ("fresh seed 7: `--seed 7` takes it again",)


def test_words_of_the_course_the_recipe_and_the_seed_stand_for_placeholders() -> None:
    stage = FakeStage()
    played(desk(), stage)
    text = str(ROOT / "course/text.txt")
    assert stage.typed[0] == [["train", text, "90", "7"], ["eval"], ["tell", "7"], ["tell", "8"]]
    assert stage.logged[0] == f"python -m tiny train {text} 90 7"


def test_the_seed_is_another_each_time_unless_it_is_given() -> None:
    stage, at = FakeStage(), desk()
    played(at, stage, Options())
    played(at, stage, Options())
    assert stage.typed[0][2] != stage.typed[2][2]


def test_the_tree_holds_the_students_command_line_over_the_students_units() -> None:
    stage = FakeStage()
    played(desk(), stage)
    mine = {"__main__.py": MAIN, "cli/say.py": "x = 1", "a1.py": "def it(): return 'mine'\n"}
    assert stage.lines[0] == mine


def test_the_reference_is_told_the_same_words_where_a_step_says_so() -> None:
    stage = FakeStage()
    played(desk(), stage)
    assert stage.lines[1] == {"__main__.py": REFERENCE, "a1.py": "def it(): return 'right'\n"}
    assert stage.typed[1] == [stage.typed[0][0]]
    work = stage.works[0]
    assert [file.name for file in work.files] == [file.name for file in work.reference_files] == ["m"]
    assert list(work.reference_said) == ["train"]
    assert work.words["fresh"] == "7"


def test_a_command_line_cannot_stand_in_the_place_of_a_unit() -> None:
    at, stage = desk(), FakeStage()
    material = at.catalog.materials[MS.id]
    at.catalog.materials[MS.id] = replace(material, reference=(*material.reference, File("a1.py", b"other")))
    played(at, stage)
    assert stage.lines[1]["a1.py"] == "def it(): return 'right'\n"


def test_what_fails_stops_what_comes_after_it_and_says_what_was_typed_and_where_its_log_is() -> None:
    report = played(desk(), stage := only("eval", StepRun(0, 0.1, stdout="done\n")))
    assert report.exit_code is ExitCode.FAILED
    assert report.last_line == "MS-1 FAILED — 1/4 steps"
    (gate,) = report.gates
    assert slugs(report) == ["step-last-line"]
    assert gate.reasons[0].detail == ("typed     python -m tiny eval", "log       .ol/milestones/2.log")
    assert (len(stage.logged), len(stage.lines), stage.works) == (2, 1, [])


def test_a_step_that_tells_the_same_with_another_seed_fails() -> None:
    stage = only("tell", StepRun(0, 0.1, stdout='{"ids": [1, 2]}\n'))
    assert slugs(played(desk(), stage)) == ["step-ids"]


def test_a_figure_is_the_judges_whatever_was_printed() -> None:
    stage = FakeStage(judgements={"figure_loss": Judgement(1.9)})
    report = played(desk(), stage)
    assert slugs(report) == ["figure-false", "bar-missed"]
    assert report.last_line == "MS-1 FAILED — loss 1.9000"


def test_a_claim_that_does_not_hold_fails_with_the_judges_words() -> None:
    stage = FakeStage(judgements={"claim_moved": Judgement(wrong="the table lies where it began")})
    report = played(desk(), stage)
    assert slugs(report) == ["claim-fails"]
    reason = report.gates[2].reasons[0]
    assert reason.text == "moved: the table lies where it began"
    assert reason.detail == ("why       it must move",)


def test_a_judge_that_falls_over_what_was_saved_holds_nothing() -> None:
    stage = FakeStage(
        judgements={"claim_moved": Judgement(raised="KeyError"), "figure_loss": Judgement(raised="no")}
    )
    assert slugs(played(desk(), stage)) == ["figure-unreadable", "claim-fails"]


def test_a_model_that_keeps_the_judge_busy_is_a_failed_gate_and_the_probes_are_tried_all_the_same() -> None:
    stage = FakeStage(late=WorkRefused("judge-late", "What your commands saved is too much.", "Save less."))
    report = played(desk(), stage)
    assert report.exit_code is ExitCode.FAILED
    assert [gate.gate for gate in report.gates] == ["steps", "figures", "probes"]
    (reason,) = report.gates[1].reasons
    assert (reason.slug, reason.next_step) == ("judge-late", "Save less.")
    assert report.last_line == "MS-1 FAILED — figures not judged"


def test_probes_run_beside_the_students_units_and_the_saved_model_then_beside_frozen_code() -> None:
    at = desk()
    played(at, FakeStage())
    first, second = filter(probing, at.runner.requests)
    assert (first.sources, second.sources) == (
        {"tiny.a1": "def it(): return 'mine'\n"},
        {"tiny.a1": "def it(): return 'frozen'\n"},
    )
    assert [file.name for file in first.tests] == ["test_probes.py", "m"]
    assert b"probe_order(7)" in first.tests[0].content


def test_a_probe_that_differs_from_frozen_code_fails() -> None:
    at = desk()
    at.values.answer = lambda pair: Difference("values", "logits", bad=1, size=2, absolute="0.5")
    report = played(at, FakeStage())
    assert slugs(report) == ["values-differ"]
    assert report.last_line == "MS-1 FAILED — 0/1 probes"


def test_a_probe_that_the_students_units_cannot_run_fails() -> None:
    def answer(request: RunRequest) -> SuiteRun:
        probes = probing(request)
        return completed(failed("test_order", "no such tensor")) if probes else completed("test_it")

    assert slugs(played(desk(answer), FakeStage())) == ["probe-silent"]


def test_a_model_that_the_students_units_read_and_frozen_code_does_not_fails() -> None:
    """Were it the course's fault, who saves what nobody else can read would never fail: `ol verify` finds that."""

    def answer(request: RunRequest) -> SuiteRun:
        frozen = "frozen" in request.sources.get("tiny.a1", "")
        return completed(failed("test_order", "no number")) if frozen else probed(request)

    report = played(desk(answer), FakeStage())
    (reason,) = report.gates[-1].reasons
    assert reason.slug == "model-unreadable" and reason.text.endswith("which your units can read: no number")
    assert report.exit_code is ExitCode.FAILED


def test_a_smoke_run_takes_the_short_recipe_and_is_held_to_no_bar() -> None:
    stage = FakeStage(
        judgements={"figure_loss": Judgement(9.0)},
        deed=lambda words: (
            StepRun(0, 0.1, '{"tokens": 3, "loss": 9.0}\n') if words[0] == "eval" else told(words)
        ),
    )
    report = played(desk(), stage, Options(smoke=True, seed=7))
    assert stage.typed[0][0][2] == "2"
    assert report.last_line == "MS-1 PASSED — 4/4 steps, loss 9.0000, no bar held, 1/1 claims, 1/1 probes"
    assert "only the whole run counts" in report.notes[1]


def test_a_reference_that_fails_is_the_courses_fault() -> None:
    with pytest.raises(CourseWrong) as stopped:
        played(desk(), FakeStage(others={REFERENCE: lambda words: StepRun(1, 0.1)}))
    assert stopped.value.slug == "reference-step"


def test_tampered_files_come_first() -> None:
    at = desk()
    at.catalog.changed = ("course/milestones/MS-1.toml",)
    with pytest.raises(Tampered):
        played(at, FakeStage())


def test_a_need_that_fails_blocks_it_and_the_reference_stands_in_where_asked() -> None:
    def answer(request: RunRequest) -> SuiteRun:
        probes = probing(request)
        return probed(request) if probes else completed(failed("test_it"))

    at, stage = desk(answer), FakeStage()
    with pytest.raises(NotReady) as stopped:
        played(at, stage)
    assert stopped.value.slug == "blocked-by-need"
    report = played(at, stage, Options(ref_deps="failing", seed=7))
    assert report.sources == {"A1": Source.REFERENCE, "MS-1": Source.STUDENT}
    assert report.last_line.endswith("[assisted: A1 from the reference]")
    assert stage.lines[0]["a1.py"] == "def it(): return 'right'\n"
