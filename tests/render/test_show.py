from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from ol.domain.errors import NotReady
from ol.domain.exit_code import ExitCode
from ol.domain.report import Page
from ol.render.show import Output
from tests.render.test_text import REPORT

ERROR = NotReady("not-started", "A.1 is not started.", "Run `ol start A.1`.")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Set up in the test itself: pytest puts its own streams back before each."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    made = Terminal()
    monkeypatch.setattr(sys, "stdout", made)
    return made


def test_an_answer_goes_to_standard_output_with_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert Output().answer(REPORT) is ExitCode.FAILED
    out, err = capsys.readouterr()
    assert out.endswith("A.1 FAILED — 1/2 course tests [assisted: A.0 from the reference]\n")
    assert err == ""


def test_an_error_goes_to_standard_error_with_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert Output().error(ERROR) is ExitCode.BLOCKED
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("ol: A.1 is not started.\n")


def test_as_json_there_is_one_object_on_standard_output_whatever_happens(
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = Output(as_json=True)
    for tell in (
        lambda: output.answer(REPORT),
        lambda: output.error(ERROR),
        output.interrupted,
        lambda: output.fault(Path("report.txt")),
    ):
        code = tell()
        out, err = capsys.readouterr()
        assert json.loads(out)["exit_code"] == code
        assert err == ""


def test_an_interruption_and_a_fault_have_codes_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert Output().interrupted() is ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "ol: Interrupted.\n    [interrupted]\n"
    assert Output().fault(Path("report.txt")) is ExitCode.HARNESS_FAULT
    told = capsys.readouterr().err
    assert "not of your work" in told and told.endswith("[fault]\n")


def test_a_terminal_gets_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    Output().answer(REPORT)
    assert "\x1b[" in terminal.getvalue()


@pytest.mark.parametrize("off", ["--plain", "NO_COLOR", "TERM"])
def test_colour_is_off_when_it_is_not_wanted(off: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    if off != "--plain":
        monkeypatch.setenv(off, "dumb" if off == "TERM" else "1")
    Output(plain=off == "--plain").answer(REPORT)
    assert "\x1b[" not in terminal.getvalue()
    assert "A.1 FAILED" in terminal.getvalue()


def test_without_a_terminal_there_is_no_colour(capsys: pytest.CaptureFixture[str]) -> None:
    Output().answer(REPORT)
    out = capsys.readouterr().out
    assert "A.1 FAILED" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("plain", [True, False])
def test_what_student_code_printed_cannot_command_the_terminal(
    plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = a_terminal(monkeypatch)
    Output(plain=plain).answer(Page("tests", ("it printed \x1b[2J\x9b31m\rPASSED \ud800", "a\tb")))
    assert "\x1b[2J" not in terminal.getvalue()
    assert "\x9b" not in terminal.getvalue()
    assert "\r" not in terminal.getvalue()
    assert "it printed" in terminal.getvalue()


def test_a_reader_that_left_early_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w", encoding="utf-8") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert Output().answer(Page("status", ("x" * 99,))) is ExitCode.PASSED


def test_a_pipe_of_another_encoding_is_written_as_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="cp1252"))
    Output().answer(Page("status", ("0.92 ≥ 0.70",)))
    assert raw.getvalue().decode("utf-8").rstrip() == "0.92 ≥ 0.70"
