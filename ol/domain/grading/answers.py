"""The right values of a module's blanks: `answer_<name>()`, run as tests that record what it gives."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Sequence

from ol.domain.code.defined import apart
from ol.domain.course import Blank, ModuleId
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.grading.literal import Value, plain
from ol.domain.suite import Crashed, Outcome, SuiteRun
from ol.domain.telling.cause import first_line
from ol.domain.telling.ending import how_it_ended

TEST_FILE = "test_answers.py"
_ANSWER = "answer"
_PREFIX = "answer_"


def path(module: ModuleId) -> str:
    return f"course/answers/{module}.py"


def check(file: File, blanks: Sequence[Blank]) -> None:
    """CourseWrong unless the file defines exactly the answers of the manifest's blanks."""
    lacking, idle = apart(file, _PREFIX, {blank.answer for blank in blanks})
    if lacking:
        told = f"{file.name} defines no {lacking}, and the manifest declares that blank."
        raise CourseWrong("answer-missing", told, "Write it, or take the blank out of the manifest.")
    if idle:
        told = f"{file.name} defines {idle}, and the manifest declares no such blank."
        raise CourseWrong("answer-undeclared", told, "Add it to [[blanks]], with why it matters.")


def answers_test(file: File, blanks: Sequence[Blank]) -> File:
    """The answers with a test at their end for each, which records what it gives."""
    tests = [
        f"\n\ndef {_test(blank)}(record_property):\n"
        f"    record_property({_ANSWER!r}, _written({blank.answer}()).encode())\n"
        for blank in blanks
    ]
    writing = "\n\nfrom json import dumps as _written  # noqa: E402\n"
    return File(TEST_FILE, "".join([file.text(), writing, *tests]).encode("utf-8"))


def answered(run: SuiteRun, blank: Blank) -> Value | None:
    """None where the answer did not come to its end, or is no plain value."""
    for case in run.results:
        if case.name == _test(blank) and case.outcome is Outcome.PASSED:
            return _read(dict(case.facts.properties).get(_ANSWER, "!"))
    return None


def why_unanswered(run: SuiteRun, blank: Blank) -> str:
    """The rest of a sentence that begins with the answer's name."""
    if isinstance(run, Crashed):
        return f"does not end: {how_it_ended(run)}"
    if run.collection_errors:
        facts = run.collection_errors[0].facts
        return f"cannot be imported: {facts.exception}: {first_line(facts)}"
    for case in run.results:
        if case.name == _test(blank) and case.facts.exception:
            return f"raises {case.facts.exception}: {first_line(case.facts)}"
    return "gives no number, text or list of them"


def _read(recorded: str) -> Value | None:
    try:
        found = json.loads(b64decode(recorded, validate=True))
    except ValueError:  # it is no base64, or no JSON
        return None
    return found if plain(found) else None


def _test(blank: Blank) -> str:
    return f"test_{blank.answer}"
