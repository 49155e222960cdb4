"""How a child process ended, as its parent saw it: the same in both shapes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ending:
    """`code` is negative for a signal. Figures are zero where the platform does not tell them."""

    pid: int
    code: int
    cpu_s: float = 0.0
    peak_bytes: int = 0
    note: str = ""  # why the parent ended it, or what it did to its parent
    lost: bool = False  # the parent died before it could tell


class Refused(Exception):
    """There was no run: the server could not fork a fresh start."""
