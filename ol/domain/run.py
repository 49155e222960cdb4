"""What one run of a test folder is asked: one request, one child process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ol.domain.file import File
from ol.domain.suite import Budget


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Tests and sources travel as text and bytes; the child sees no path of the student's or of the reference.

    `sources` maps dotted unit names (`tinyllm.lm.nplm`) to source text: they are all that the overlay serves,
    and the package holds nothing else. `select` keeps exactly these cases, in this order (a function's id
    stands for all its cases); None keeps all. `course_root`, for course tests only, is where the frozen kit,
    goldens and corpora are read from (`OL_COURSE_ROOT`).
    """

    tests: tuple[File, ...]
    sources: Mapping[str, str]
    budget: Budget
    select: tuple[str, ...] | None = None
    keyword: str = ""  # pytest's -k
    shuffle_seed: int | None = None
    stop_at_first: bool = False
    course_root: Path | None = None
