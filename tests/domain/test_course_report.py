from __future__ import annotations

from dataclasses import replace

from ol.domain.course import Course, ModuleId
from ol.domain.course_report import CourseReport, Ruling, proof
from ol.domain.errors import CourseWrong
from ol.domain.exit_code import ExitCode
from ol.domain.report import Reason, Verdict
from ol.render import json, text

A, B = ModuleId("A"), ModuleId("B")
COURSE = Course("A course", "7", "tiny", {}, {})
WRONG = Reason("no-docstring", "a.pyi: add has no docstring.", "Say what it does.")


def test_a_proof_holds_where_no_module_has_a_reason_against_it() -> None:
    gate = proof("contract", {A: Ruling("contract matches", notes=("seen",))})
    assert (gate.verdict, gate.summary, gate.notes) == (Verdict.PASSED, "contract matches", ("seen",))


def test_a_proof_of_several_modules_counts_them_and_keeps_each_ones_notes_apart() -> None:
    rulings = {A: Ruling("matches", notes=("one",)), B: Ruling("differs", (WRONG,), ("two",), {"n": 1})}
    gate = proof("contract", rulings)
    assert (gate.summary, gate.reasons, gate.code) == ("1/2 modules", (WRONG,), ExitCode.COURSE_WRONG)
    assert gate.notes == ("A: matches", "one", "B: differs", "two")
    assert gate.fields == {"B": {"n": 1}}


def test_a_proof_that_was_not_tried_neither_holds_nor_is_told_as_a_fault() -> None:
    waiting = proof("mutants", {A: Ruling("not tried", tried=False)})
    assert (waiting.verdict, waiting.code) == (Verdict.BLOCKED, ExitCode.COURSE_WRONG)
    broken = proof("reference", {A: Ruling("the reference fails", (WRONG,))})
    report = CourseReport.on("verify", COURSE, "", [A], [broken, waiting])
    assert report.last_line == "A WRONG — reference: the reference fails"


def test_the_last_line_names_the_module_or_the_course() -> None:
    held = proof("needs", {A: Ruling("needs agree")})
    broken = proof("contract", {A: Ruling("contract differs", (WRONG,))})
    assert CourseReport.on("verify", COURSE, "", [A], [held]).last_line == "A PROVED — needs agree"
    assert (
        CourseReport.on("verify", COURSE, "", [A, B], [held]).last_line == "course 7 PROVED — 2 modules hold"
    )
    with_milestone = replace(COURSE, milestones={B: None})
    told = CourseReport.on("verify", with_milestone, "", [A, B], [held]).last_line
    assert told == "course 7 PROVED — 1 module and 1 milestone hold"
    wrong = CourseReport.on("verify", COURSE, "", [A], [held, broken])
    assert wrong.last_line == "A WRONG — contract: contract differs"
    assert wrong.exit_code is ExitCode.COURSE_WRONG


def test_a_file_that_cannot_be_read_is_a_ruling_too() -> None:
    ruling = Ruling.of(CourseWrong("toml-unreadable", "a.toml is not TOML.", "Mend it."))
    assert ruling.reasons == (Reason("toml-unreadable", "a.toml is not TOML.", "Mend it."),)


def test_it_is_shown_like_every_report() -> None:
    report = CourseReport.on("verify", COURSE, "", [A], [proof("contract", {A: Ruling("differs", (WRONG,))})])
    assert text.plain(report).splitlines()[-1] == report.last_line
    assert '"exit_code": 5' in json.encoded(json.told(report))
