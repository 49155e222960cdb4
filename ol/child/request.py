"""What one run is asked, as `ol` wrote it: marshalled, in an anonymous file that only this run's child reads."""

from __future__ import annotations

import marshal
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Request:
    """`folder` holds tests/, home/, tmp/, work/ and the files `output` and `stuck`, all made by `ol`."""

    nonce: str
    folder: str
    package: str
    units: dict[str, bytes | str]  # by dotted name: marshalled code, or text that does not compile
    codes: dict[str, bytes] | None  # of test files, by name; None: compile them, and run nothing
    select: list[str] | None
    keyword: str
    shuffle_seed: int | None
    stop_at_first: bool
    course_root: str | None
    cpu_s: float
    wall_s: float
    case_s: float
    memory_bytes: int
    file_bytes: int

    @staticmethod
    def read(fd: int) -> Request:
        with os.fdopen(fd, "rb") as file:
            return Request(**marshal.load(file))

    @property
    def root(self) -> Path:
        return Path(self.folder)

    @property
    def tests(self) -> Path:
        return self.root / "tests"
