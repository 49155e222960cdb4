from __future__ import annotations

import pytest

from ol.domain.code.identity import FolderIdentity
from ol.domain.journal.entry import FunctionRecord
from ol.domain.journal.own_run import failures, function_records, told_failures
from ol.domain.suite import CaseResult, Outcome, Stage
from ol.domain.telling.listing import Listing, Text
from tests.made import case, failed, frames

FOLDER = FolderIdentity({"test_x.py::test_a": "a", "test_x.py::test_b": "b"}, {"test_x.py": "rest"})
LISTING = Listing({"tiny.a1": Text("a1.py", "")}, {"test_x.py": Text("test_x.py", "")})
IN_UNIT = frames(("tests/test_x.py", 3, "test_a"), ("<tiny.a1>", 1, "mean"))


def stub(id: str) -> CaseResult:
    return failed(id, "A1: mean is not written yet", "NotImplementedError", frames=IN_UNIT)


def wrong(id: str) -> CaseResult:
    return failed(id, frames=frames(("tests/test_x.py", 3, "test_a")))


def raised(id: str) -> CaseResult:
    return failed(id, "no", "ValueError", frames=IN_UNIT)


@pytest.mark.parametrize(
    ("cases", "outcome", "cause"),
    [
        ((stub("test_a[1]"), stub("test_a[2]")), Outcome.FAILED, "stub"),
        ((stub("test_a[1]"), wrong("test_a[2]")), Outcome.FAILED, "assertion"),
        ((stub("test_a[1]"), raised("test_a[2]")), Outcome.FAILED, "unit"),
        ((raised("test_a[1]"), wrong("test_a[2]")), Outcome.FAILED, "assertion"),
        ((case("test_a[1]"), stub("test_a[2]")), Outcome.FAILED, "stub"),
        ((case("test_a[1]"), case("test_a[2]", Outcome.SKIPPED)), Outcome.SKIPPED, ""),
        ((case("test_a[1]", Outcome.SKIPPED), wrong("test_a[2]")), Outcome.FAILED, "assertion"),
        ((case("test_a", Outcome.ERROR, Stage.TEARDOWN),), Outcome.ERROR, ""),
        ((case("test_a", Outcome.ERROR, Stage.SETUP, exception="KeyError"),), Outcome.ERROR, "test"),
        ((case("test_a"),), Outcome.PASSED, ""),
    ],
)
def test_a_function_is_as_its_worst_case(cases: tuple[CaseResult, ...], outcome: Outcome, cause: str):
    records = function_records(FOLDER, cases, LISTING)
    assert records["test_x.py::test_a"] == FunctionRecord("a", outcome, cause)
    assert records["test_x.py::test_b"] == FunctionRecord("b", Outcome.NOT_RUN)


def test_a_function_that_is_not_in_the_text_of_its_file_has_a_record_too():
    id = "test_x.py::TestC::test_inherited"
    assert function_records(FOLDER, [case(id)], LISTING)[id].hash == FOLDER.hash_of(id)


def test_of_many_failures_the_first_ten_are_told():
    many = [wrong(f"test_a[{n}]") for n in range(12)]
    lines = told_failures(failures(many), LISTING)
    assert lines[0] == "test_x.py::test_a[0]: assert 1 == 2"
    assert lines[10:] == ("and 2 more",)
    assert len(told_failures(failures(many[:10]), LISTING)) == 10
