"""The grade of a student's tests: which faults they kill, what that scores, and what is said of it."""

from __future__ import annotations

import pytest

from ol.domain.errors import CourseWrong, NotReady, Tampered, WrongRequest
from ol.domain.report import Verdict
from ol.domain.run import RunRequest
from ol.domain.suite import Completed, SuiteRun
from tests.commands.mutate_desk import FAULTS, GIVEN, REFERENCE, WHOLE, desk, gate, texts
from tests.fakes import Desk
from tests.made import module, mutant
from tests.plain_runner import run_here


def test_a_whole_suite_kills_every_fault() -> None:
    found = gate(desk())
    assert found.verdict is Verdict.PASSED
    assert found.summary == "4/4 mutants (1.00 ≥ 0.70), s01 killed"
    assert found.reasons == ()
    assert [each["killers"] for each in found.fields["mutants"]] == [
        ["test_a.py::test_add"],
        ["test_a.py::test_top"],
        ["test_a.py::test_top"],
        ["test_a.py::test_add_below_zero"],
    ]


def test_the_given_test_alone_leaves_the_required_fault_and_teaches() -> None:
    found = gate(desk(GIVEN))
    assert found.verdict is Verdict.FAILED
    assert found.summary == "1/4 mutants (0.25 < 0.70), s01 survived"
    first = found.reasons[0]
    assert first.text == "s01 survived, and it is required: s01 symptom"
    assert "ol hint A.1 s01" in first.next_step
    assert first.detail == ("It is pitfall 1 of the chapter.",)
    assert any("ol tdd green A.1" in note for note in found.notes)


def test_three_survivors_are_shown_and_all_when_asked() -> None:
    nothing = "def test_nothing():\n    assert 1 + 1 == 2\n"
    found = gate(desk(nothing))
    assert [text.split()[0] for text in texts(found)] == ["s01", "s02", "s03", "1"]
    assert "ol mutate A.1 --all" in found.reasons[-1].next_step
    assert [text[:3] for text in texts(gate(desk(nothing), show_all=True))] == ["s01", "s02", "s03", "s04"]


def test_a_score_that_is_reached_without_the_required_fault_does_not_pass() -> None:
    found = gate(
        desk(
            WHOLE.replace("add(1, 2) == 3", "add(1, 0) == 1").replace("add(-1, -2) == -3", "add(-1, 0) == -1")
        )
    )
    assert found.summary == "3/4 mutants (0.75 ≥ 0.70), s01 survived"
    assert found.verdict is Verdict.FAILED


def test_the_reference_serves_the_needs_and_every_mutant_is_the_reference_but_for_its_fault() -> None:
    made = desk()
    gate(made)
    served = [request.sources["tiny.a1"] for request in made.runner.requests]
    assert served[0] == REFERENCE
    assert {fault.applied_to(REFERENCE) for fault in FAULTS} <= set(served)
    assert all(set(request.sources) == {"tiny.a1"} for request in made.runner.requests)
    assert all(request.course_root is None for request in made.runner.requests)


def test_a_retired_mutant_is_shown_credited_and_not_run() -> None:
    made = desk(GIVEN)
    retired = mutant("s01", "x + y", "x - y", required=True, retired="the contract allows it")
    made.catalog.seeded = {made.module("A.1").id: (retired, *FAULTS[1:])}
    found = gate(made)
    assert found.summary == "2/4 mutants (0.50 < 0.70), s01 killed"
    assert "s01 retired: the contract allows it; counted as killed" in found.notes
    assert retired.applied_to(REFERENCE) not in [
        request.sources["tiny.a1"] for request in made.runner.requests
    ]


def test_the_matrix_runs_every_suite_to_its_end_and_names_idle_cases() -> None:
    made = desk(WHOLE + "\ndef test_idle():\n    assert add(0, 0) == 0\n")
    found = gate(made, matrix=True)
    assert not any(request.stop_at_first for request in made.runner.requests)
    row = next(note for note in found.notes if note.startswith("test_a.py::test_add_below_zero"))
    assert row.split()[1:] == ["×", "·", "·", "×"]
    assert "kills nothing: test_a.py::test_idle" in found.notes
    assert any(request.stop_at_first for request in desk_requests())


def desk_requests() -> list[RunRequest]:
    made = desk()
    gate(made)
    return made.runner.requests


def test_a_slow_suite_is_told_how_slow_and_its_slowest_case() -> None:
    def slow(request: RunRequest) -> SuiteRun:
        run = run_here(request)
        assert isinstance(run, Completed)
        return Completed(run.results, run.collection_errors, run.deselected, duration_s=4.0, cpu_s=4.0)

    assert any(
        "takes 4.0 s and ran 8 times; slowest: test_a.py::test_" in note
        for note in gate(desk(answer=slow)).notes
    )


def test_progress_is_told_of_every_run() -> None:
    made = desk()
    gate(made)
    assert "the reference: 2" in made.progress.told
    assert "wheats and mutants: 6" in made.progress.told
    assert made.progress.told.count("end") == 2


def test_without_a_test_folder_the_way_on_is_start() -> None:
    made = desk({})
    with pytest.raises(NotReady, match="python/tests/a-1"):
        gate(made)


def test_a_graded_rung_without_mutants_is_a_wrong_course() -> None:
    made = desk()
    made.catalog.seeded = {}
    with pytest.raises(CourseWrong):
        gate(made)


def test_a_rung_without_a_mutation_grade_is_a_wrong_request() -> None:
    made = Desk.of(module("A.1", rung="R0"))
    with pytest.raises(WrongRequest, match="R0"):
        gate(made)


def test_a_changed_course_file_stops_everything_first() -> None:
    made = desk()
    made.catalog.changed = ("course/mutants/A.1.toml",)
    with pytest.raises(Tampered):
        gate(made)
    assert made.runner.requests == []
