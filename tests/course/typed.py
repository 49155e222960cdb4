"""`python -m tinyllm`, typed as a student types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TEXT = "the cat sat on the mat and the rat sat on the cat. " * 12
SMALL = ("--context", "3", "--d-emb", "4", "--hidden", "8", "--batch", "16", "--lr", "0.1")


def typed(folder: Path, words: str, *more: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "course" / "reference"), "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-m", "tinyllm", *words.split(), *more],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def said(folder: Path, words: str, *more: str) -> dict[str, Any]:
    """The last line of standard output, which is the only one."""
    done = typed(folder, words, *more)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    told: dict[str, Any] = json.loads(line)
    return told


def trained(folder: Path) -> Path:
    """The folder, with a text's shard, a 3-gram model and a small NPLM in it."""
    (folder / "text.txt").write_text(TEXT, encoding="utf-8")
    said(folder, "tokens encode --text text.txt --out text.bin")
    said(folder, "lm train ngram --n 3 --train text.bin --out kn")
    said(folder, "lm train nplm --train text.bin --out nplm --steps 30 --seed 5", *SMALL)
    return folder
