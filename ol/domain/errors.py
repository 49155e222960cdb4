"""What stops a command before it can answer.

A failing submission is a value (a `Report`), never an exception. An exception is a wrong request, work that
cannot be read, a wrong course or a broken harness; one boundary in `cli` turns it into words and an exit code.

    OlError                 slug, message, next step, exit code
    ├── WrongRequest        2   unknown id, bad option, missing extra, no course or workspace here
    ├── WorkRefused         1   a student's file that cannot be taken as it is
    ├── NotReady            3   not started, or blocked by a need
    ├── Tampered            4   a course file differs from course.lock
    ├── CourseWrong         5   a manifest, mutant, golden or contract is wrong
    └── HarnessFault        70  a run gave no usable answer through no fault of student or course

Every slug has a page in docs/messages.md.
"""

from __future__ import annotations

from typing import ClassVar

from ol.domain.exit_code import ExitCode


class OlError(Exception):
    """One clear sentence, a slug with a page in docs/messages.md, and the next step."""

    exit_code: ClassVar[ExitCode] = ExitCode.HARNESS_FAULT

    def __init__(self, slug: str, message: str, next_step: str = "") -> None:
        super().__init__(message)
        self.slug = slug
        self.message = message
        self.next_step = next_step


class WrongRequest(OlError):
    exit_code = ExitCode.WRONG_REQUEST


class WorkRefused(OlError):
    exit_code = ExitCode.FAILED


class NotReady(OlError):
    exit_code = ExitCode.BLOCKED


class Tampered(OlError):
    exit_code = ExitCode.TAMPERED


class CourseWrong(OlError):
    exit_code = ExitCode.COURSE_WRONG


class HarnessFault(OlError):
    exit_code = ExitCode.HARNESS_FAULT
