from __future__ import annotations

import io
import sys

import pytest

from ol.render import progress as module
from ol.render.progress import BarProgress, LineProgress, SilentProgress, progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Set up in the test itself: pytest puts its own streams back before each."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return made


def work(told: SilentProgress | BarProgress) -> None:
    told.begin("mutants", 12)
    told.step()
    told.step("s02")
    told.end()


def test_plain_progress_is_a_line_a_stage_and_one_for_each_step_with_a_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = a_terminal(monkeypatch)
    work(progress(plain=True))
    assert terminal.getvalue() == "mutants: 12 runs\n  s02\n"


def test_a_stage_may_be_of_other_things_than_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    progress(plain=True).begin("2 modules", 1, "proof")
    assert terminal.getvalue() == "2 modules: 1 proof\n"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_no_escape_codes_gets_lines_too(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = a_terminal(monkeypatch)
    monkeypatch.setattr(module, "_PATIENCE_S", -1.0)
    monkeypatch.setenv(name, value)
    work(progress())
    assert terminal.getvalue() == "mutants: 12 runs\n  s02\n"


def test_without_a_terminal_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    work(progress())
    assert capsys.readouterr() == ("", "")


def test_work_of_under_a_second_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    work(progress())
    assert terminal.getvalue() == ""


def test_longer_work_draws_a_bar_and_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    monkeypatch.setattr(module, "_PATIENCE_S", -1.0)
    work(progress())
    assert "mutants" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")


def test_each_kind_of_place_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    a_terminal(monkeypatch)
    assert isinstance(progress(plain=True), LineProgress)
    assert isinstance(progress(), BarProgress)
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(progress(), SilentProgress)
