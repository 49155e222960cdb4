"""What the steps of a milestone said, kept below `.ol/`: so much of each, and of the last runs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from ol.adapters import safe_write
from ol.domain.milestone.played import StepRun

_KEPT_RUNS = 10
_KEPT_CHARACTERS = 200_000  # of each stream, from its end


def log(folder: Path, id: str, began: datetime, name: str, words: Sequence[str], run: StepRun) -> Path:
    """Write one step's log, and return where it lies."""
    runs = folder / "milestones" / id
    own = runs / began.strftime("%Y-%m-%dT%H-%M-%S-%fZ")
    if not own.exists():
        safe_write.create([(folder / ".gitignore", b"*\n")])
        _forget(runs)
    number = len(list(own.glob("*.log"))) + 1 if own.exists() else 1
    path = own / f"{number:02}-{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}.log"
    safe_write.create([(path, _text(words, run).encode("utf-8", "replace"))])
    return path


def _forget(runs: Path) -> None:
    """All but the newest: each new run brings one more."""
    with suppress(OSError):
        for old in sorted(each for each in runs.iterdir() if each.is_dir())[: -_KEPT_RUNS + 1]:
            shutil.rmtree(old, ignore_errors=True)


def _text(words: Sequence[str], run: StepRun) -> str:
    ended = f"ended at its limit ({run.bound})" if run.bound else f"exit code {run.code}"
    stood = [f"{frame.file}, line {frame.line}, in {frame.function}" for frame in run.stuck]
    parts = [
        f"$ {' '.join(words)}",
        f"{ended} after {run.seconds:.2f} s",
        *(f"it stood at {place}" for place in stood),
        "--- standard output",
        run.stdout[-_KEPT_CHARACTERS:],
        "--- standard error",
        run.stderr[-_KEPT_CHARACTERS:],
    ]
    return "\n".join(parts) + "\n"
