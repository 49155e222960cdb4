from __future__ import annotations

from ol.domain.course import ModuleId
from ol.domain.errors import NotReady
from ol.domain.report import GateResult, Page, Reason, Report, Source, Verdict
from ol.render.text import plain, told, told_error

REASON = Reason("assertion", "test_a: the values differ", "Look at b.", ("got 1, expected 2",))
REPORT = Report(
    "check",
    ModuleId("A.1"),
    (
        GateResult("contract", Verdict.PASSED, "contract kept"),
        GateResult(
            "course tests", Verdict.FAILED, "1/2 course tests", (REASON,), ("passed   test_b",), cached=True
        ),
    ),
    "1",
    "lock",
    {ModuleId("A.0"): Source.REFERENCE},
    ("1 file under python/ is not in git yet",),
)


def test_a_report_is_told_gate_by_gate_and_its_last_line_is_last() -> None:
    assert plain(REPORT) == (
        "PASSED contract: contract kept\n"
        "\n"
        "FAILED course tests (cached): 1/2 course tests\n"
        "  passed   test_b\n"
        "  - test_a: the values differ [assertion]\n"
        "      got 1, expected 2\n"
        "    → Look at b.\n"
        "\n"
        "note: 1 file under python/ is not in git yet\n"
        "A.1 FAILED — 1/2 course tests [assisted: A.0 from the reference]\n"
    )


def test_no_meaning_is_carried_by_colour_alone() -> None:
    verdicts = {line.text.split()[0]: line.style for line in told(REPORT) if line.style in ("red", "green")}
    assert verdicts == {"PASSED": "green", "FAILED": "red"}


def test_a_page_is_its_lines() -> None:
    assert plain(Page("status", ("one", "two"))) == "one\ntwo\n"


def test_an_error_says_the_next_step_and_its_slug() -> None:
    lines = [
        line.text
        for line in told_error(NotReady("not-started", "A.1 is not started.", "Run `ol start A.1`."))
    ]
    assert lines == ["ol: A.1 is not started.", "    Run `ol start A.1`.", "    [not-started]"]
