"""The cold shape: a fresh interpreter for every run (macOS, Windows, or asked for)."""

from __future__ import annotations

import os
import secrets
import subprocess
from pathlib import Path
from typing import IO

from ol.adapters import process
from ol.adapters.ending import Ending


class ColdRun:
    """A run in an interpreter of its own; a mark in its environment finds what leaves its session."""

    def __init__(self, child: subprocess.Popen[bytes], mark: str) -> None:
        assert child.stdout is not None
        self.results = os.dup(child.stdout.fileno())
        child.stdout.close()
        self._child = child
        self._mark = mark

    def wait(self, seconds: float) -> Ending | None:
        ending = process.ending(self._child, seconds)
        if ending is not None:
            self.end()  # what it left behind
        return ending

    def end(self) -> None:
        process.end(self._child, self._mark)


class Cold:
    name = "cold"

    def __init__(self, base: Path) -> None:
        self._base = base

    def begin(self, request: IO[bytes], output: IO[bytes], package: str) -> ColdRun:
        mark = secrets.token_hex(8)
        child = process.start(
            [str(process.CHILD), "cold", str(self._base)],
            folder=self._base,
            environment=process.hermetic() | {"OL_RUN": mark},
            stdin=request,
            stdout=subprocess.PIPE,
            stderr=output,
        )
        return ColdRun(child, f"OL_RUN={mark}")
