"""The author's commands and the demo from the command line: exit codes, and a last line on standard output."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ol.cli import run

COURSES = Path(__file__).resolve().parents[1] / "courses"


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the tiny course, as the working folder."""
    shutil.copytree(COURSES / "tiny", tmp_path / "tiny")
    monkeypatch.chdir(tmp_path / "tiny")
    monkeypatch.delenv("OL_COURSE", raising=False)
    return tmp_path / "tiny"


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.rstrip().splitlines()[-1]


def test_a_sound_course_is_proved_and_locked(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--lock", "-j", "2", "--seed", "7"]) == 0
    assert last_line(capsys) == "course 1 PROVED — 2 modules hold"
    assert (tiny / "course" / "course.lock").is_file()


def test_a_wrong_course_is_exit_code_5(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    manifest = tiny / "course" / "modules" / "A0.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('["A1"]', "[]"), encoding="utf-8")
    assert run(["verify", "A0", "A1", "--plain"]) == 5
    assert last_line(capsys) == "course 1 WRONG — needs: 1/2 modules"


def test_requests_that_cannot_be_met_are_exit_code_2(tiny: Path) -> None:
    for words in (["verify", "A1", "--lock"], ["verify", "A7"], ["oracle", "A1"], ["calibrate", "A1"]):
        assert run(words) == 2


def test_a_course_without_goldens_and_bars_has_none_to_make(tiny: Path) -> None:
    assert run(["oracle", "--check"]) == 0
    assert run(["calibrate"]) == 0


def test_the_demo_leaves_nothing_where_it_was_called(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path for path in tiny.rglob("*") if "__pycache__" not in path.parts}
    assert run(["demo"]) == 0
    assert last_line(capsys).startswith("A1 PASSED — 5/5 course tests, journal complete, 5/5 mutants")
    assert {path for path in tiny.rglob("*") if "__pycache__" not in path.parts} == before


def test_what_holds_is_proved_once_and_anew_where_that_is_wanted(
    tiny: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for words in (["verify"], ["verify"], ["verify", "--no-cache"]):
        assert run([*words, "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert [len(each["notes"]) for each in told] == [0, 1, 0]
    assert [[gate["cached"] for gate in each["gates"] if gate["gate"] == "mutants"] for each in told] == [
        [False],
        [True],
        [False],
    ]
    assert len({each["last_line"] for each in told}) == 1
