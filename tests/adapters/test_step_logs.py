"""Logs of steps: readable, bounded, and where the report says."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

from ol.adapters.step_logs import log
from ol.domain.milestone.played import StepRun
from tests.made import frames

BEGAN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
WORDS = ["python", "-m", "tinyllm", "eval"]


def test_a_log_has_the_words_the_end_and_both_streams(tmp_path: Path) -> None:
    run = StepRun(1, 0.25, "out\n", "err\n", "wall", frames(("cli/train.py", 3, "train")))
    path = log(tmp_path, "MS", BEGAN, "Score it, now!", WORDS, run)
    assert path == tmp_path / "milestones/MS/2026-01-02T03-04-05-000000Z/01-score-it-now.log"
    assert path.read_text(encoding="utf-8") == (
        "$ python -m tinyllm eval\nended at its limit (wall) after 0.25 s\n"
        "it stood at cli/train.py, line 3, in train\n"
        "--- standard output\nout\n\n--- standard error\nerr\n\n"
    )
    assert (tmp_path / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_steps_of_one_run_lie_side_by_side_in_order(tmp_path: Path) -> None:
    names = [log(tmp_path, "MS", BEGAN, name, WORDS, StepRun(0, 0.1)).name for name in ("b", "a")]
    assert names == ["01-b.log", "02-a.log"]


def test_much_is_cut_and_old_runs_are_forgotten(tmp_path: Path) -> None:
    for day in range(14):
        path = log(
            tmp_path, "MS", BEGAN + timedelta(days=day), "s", WORDS, StepRun(0, 0.1, "x" * 10**6 + "end")
        )
    kept = sorted(each.name for each in (tmp_path / "milestones/MS").iterdir())
    assert len(kept) == 10 and kept[-1].startswith("2026-01-15")
    assert path.stat().st_size < 300_000 and "xend" in path.read_text(encoding="utf-8")
