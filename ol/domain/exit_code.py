"""The exit codes of `ol`, and which one wins when several hold."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class ExitCode(IntEnum):
    """What the shell is told. Codes 5 and 70 never cost a student a mark."""

    PASSED = 0
    FAILED = 1  # the student's work failed: a wrong signature too, or a unit partly a stub
    WRONG_REQUEST = 2  # unknown id, bad option, missing extra
    BLOCKED = 3  # blocked or not started: the unit is missing or wholly a stub
    TAMPERED = 4  # course files differ from course.lock
    COURSE_WRONG = 5  # the course itself is wrong
    HARNESS_FAULT = 70  # a fault of ol, with a report file
    INTERRUPTED = 130

    @staticmethod
    def worst(codes: Iterable[ExitCode]) -> ExitCode:
        """The code to leave with when several hold."""
        held = set(codes)
        return next((code for code in _GRAVEST_FIRST if code in held), ExitCode.PASSED)


_GRAVEST_FIRST = (
    ExitCode.INTERRUPTED,
    ExitCode.HARNESS_FAULT,
    ExitCode.TAMPERED,
    ExitCode.COURSE_WRONG,
    ExitCode.WRONG_REQUEST,
    ExitCode.BLOCKED,
    ExitCode.FAILED,
)
