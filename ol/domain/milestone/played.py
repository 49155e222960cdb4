"""What a step did, as it was seen from outside: facts, no conclusions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ol.domain.suite import Frame


@dataclass(frozen=True, slots=True)
class Limits:
    """What one step may use."""

    wall_s: float
    cpu_s: float
    memory_bytes: int = 2 << 30
    output_bytes: int = 8 << 20
    file_bytes: int = 256 << 20

    @staticmethod
    def of(seconds: float) -> Limits:
        """CPU time is the step's own; the clock leaves room for what else the machine does."""
        return Limits(wall_s=3 * seconds, cpu_s=seconds)


@dataclass(frozen=True, slots=True)
class StepRun:
    """`bound`: the limit it was ended for, "wall", "cpu" or "output"; `stuck`: where it stood then."""

    code: int
    seconds: float
    stdout: str = ""
    stderr: str = ""
    bound: str = ""
    stuck: tuple[Frame, ...] = ()
    unconfined: tuple[str, ...] = ()

    @property
    def last_line(self) -> str:
        """The last line of standard output, blank ones aside."""
        lines = self.stdout.strip().splitlines()
        return lines[-1] if lines else ""

    @property
    def fields(self) -> Mapping[str, Any] | None:
        """The last line as one JSON object; None where it is none."""
        try:
            found = json.loads(self.last_line, parse_constant=_refused)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None


def _refused(word: str) -> None:
    """NaN and Infinity are Python's, not JSON's."""
    raise ValueError(word)
