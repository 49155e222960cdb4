"""Answers that are remembered and cannot be read: whole by their seal, and of no form that `ol` keeps."""

from __future__ import annotations

from pathlib import Path

import pytest

from ol.adapters.runner import SuiteRunner
from ol.commands.status import status
from tests.commands.ladder_world import FILLED, Climber


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"[" * 100_000, b'["a list"]'], ids=["bytes", "deep", "list"]
)
def test_no_command_breaks_on_what_it_cannot_read(content: bytes, tmp_path: Path) -> None:
    with SuiteRunner("tinystep") as runner:
        climber = Climber.at(tmp_path / "home", runner)
        for id in ("F0", "F1"):
            climber.starts(id)
            climber.builds(id)
        climber.put("python/tests/f1-draws/test_draws.py", FILLED)
        assert climber.check("F1").passed and climber.memo.kept
        climber.memo.kept = dict.fromkeys(climber.memo.kept, content)
        assert status(climber.ports).lines
        assert climber.check("F1").module == "F1"
        assert climber.check("F1", fresh=True).passed
