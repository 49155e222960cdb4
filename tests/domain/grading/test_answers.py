"""Answers as tests that record what they give, and what they gave read back."""

from __future__ import annotations

import base64
import json

import pytest

from ol.domain.course import Blank
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.grading.answers import answered, answers_test, check, why_unanswered
from ol.domain.suite import CollectionError, Exited, Facts, Outcome, SuiteRun
from tests.made import case, completed, crashed, failed

DRAW, WORD = Blank("DRAW", ""), Blank("WORD", "")
FILE = File(
    "course/answers/A.1.py", b"def answer_draw():\n    return 3\n\ndef answer_word():\n    return 'x'\n"
)


def gives(recorded: str, outcome: Outcome = Outcome.PASSED) -> SuiteRun:
    return completed(case("test_answer_draw", outcome, properties=[("answer", recorded)]))


def packed(value: object) -> str:
    return base64.b64encode(json.dumps(value).encode()).decode()


def test_the_file_defines_the_answers_of_the_manifest_and_no_others() -> None:
    check(FILE, [DRAW, WORD])
    for blanks, slug, told in (
        ([DRAW, WORD, Blank("MEAN", "")], "answer-missing", "answer_mean"),
        ([DRAW], "answer-undeclared", "answer_word"),
    ):
        with pytest.raises(CourseWrong, match=rf"course/answers/A\.1\.py defines (no )?{told}") as caught:
            check(FILE, blanks)
        assert caught.value.slug == slug and caught.value.next_step


def test_each_answer_is_a_test_that_records_it() -> None:
    text = answers_test(FILE, [DRAW, WORD]).text()
    assert text.startswith(FILE.text()) and text.count("def test_answer_") == 2
    compile(text, "test_answers.py", "exec")


@pytest.mark.parametrize("value", [3, -2.5, True, "x", [1, 2.5, "x"], [[1], [2]], float("inf")])
def test_a_plain_value_comes_back_as_it_was_given(value: object) -> None:
    found = answered(gives(packed(value)), DRAW)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    "recorded", ["", "!", "3", base64.b64encode(b"{").decode(), packed({"a": 1}), packed(None)]
)
def test_anything_else_is_no_answer(recorded: str) -> None:
    assert answered(gives(recorded), DRAW) is None
    assert why_unanswered(gives(recorded), DRAW) == "gives no number, text or list of them"


def test_an_answer_counts_only_where_it_came_to_its_end() -> None:
    assert answered(gives(packed(3), Outcome.FAILED), DRAW) is None
    assert answered(gives(packed(3)), WORD) is None


def test_why_there_is_no_answer_is_the_rest_of_a_sentence() -> None:
    broken = CollectionError("test_answers.py", Facts("ImportError", (), "no module\nmore"))
    assert (
        why_unanswered(completed(failed("test_answer_draw", "bad\nmore", "ValueError")), DRAW)
        == "raises ValueError: bad"
    )
    assert (
        why_unanswered(completed(collection_errors=(broken,)), DRAW)
        == "cannot be imported: ImportError: no module"
    )
    assert why_unanswered(crashed(Exited(3)), DRAW).startswith("does not end: ")
