from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from ol.domain.errors import CourseWrong
from ol.domain.exit_code import ExitCode
from ol.domain.report import Page
from ol.render.json import ErrorJson, PageJson, ReportJson, encoded, schema, told, told_error
from tests.render.test_text import REPORT


def test_the_published_schema_is_the_current_one() -> None:
    published = Path(__file__).parents[2] / "docs" / "report.schema.json"
    assert published.read_text(encoding="utf-8") == schema(), (
        "python -m ol.render.json > docs/report.schema.json"
    )


def test_a_report_says_the_same_as_its_text() -> None:
    found = json.loads(encoded(told(REPORT)))
    assert (found["kind"], found["version"], found["module"], found["passed"]) == ("report", 1, "A.1", False)
    assert found["exit_code"] == ExitCode.FAILED
    assert found["last_line"] == REPORT.last_line
    assert found["gates"][1]["reasons"][0]["detail"] == ["got 1, expected 2"]
    assert found["gates"][1]["cached"] is True
    assert found["sources"] == {"A.0": "reference"}
    assert (found["assisted_by"], found["course_version"], found["lock"]) == (["A.0"], "1", "lock")


@pytest.mark.parametrize(
    "made",
    [
        told(REPORT),
        told(Page("status", ("a",), {"n": 3})),
        told_error(CourseWrong("mutant-find", "It is gone.")),
    ],
    ids=lambda made: type(made).__name__,
)
def test_what_is_printed_reads_back_as_the_schema_says(made: ReportJson | PageJson | ErrorJson) -> None:
    assert msgspec.json.decode(encoded(made), type=ReportJson | PageJson | ErrorJson) == made


def test_a_string_that_is_no_text_does_not_break_the_json() -> None:
    found = json.loads(encoded(told(Page("status", ("\ud800 \x1b[31m",)))))
    assert found["lines"] == ["? \x1b[31m"]
