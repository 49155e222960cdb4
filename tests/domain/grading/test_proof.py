from __future__ import annotations

import pytest

from ol.domain.course import CourseTest
from ol.domain.grading.proof import judge_course_tests
from ol.domain.suite import CollectionError, Exited, Facts, Outcome, Stage, SuiteRun
from tests.made import case, completed, crashed, failed

ASKED = (CourseTest("test_a", ("unit",), "why"), CourseTest("test_b", ("unit",), "why"))


def test_the_proof_is_whole_when_exactly_the_asked_functions_pass_in_all_their_cases() -> None:
    proof = judge_course_tests(completed("test_a", "test_b[1]", "test_b[2]"), ASKED)
    assert proof.whole
    assert proof.summary == "2/2 course tests"


@pytest.mark.parametrize(
    ("lack", "run"),
    [
        ("failed", completed("test_a", "test_b[1]", failed("test_b[2]"))),
        ("failed", completed("test_a", case("test_b", Outcome.ERROR, Stage.TEARDOWN))),
        ("skipped", completed("test_a", case("test_b", Outcome.SKIPPED))),
        ("skipped", completed("test_a", "test_b[1]", case("test_b[2]", Outcome.SKIPPED))),
        ("skipped", completed("test_a", case("test_b", Outcome.XFAILED))),
        ("skipped", completed("test_a", case("test_b", Outcome.XPASSED))),
        ("missing", completed("test_a")),
        ("missing", completed("test_a", case("test_b", Outcome.NOT_RUN))),
        ("unexpected", completed("test_a", "test_b", "test_c")),
        ("deselected", completed("test_a", "test_b", deselected=1)),
        ("collection", completed("test_a", "test_b", collection_errors=(CollectionError("t", Facts()),))),
        ("crashed", crashed(Exited(0), "test_a", "test_b")),
    ],
)
def test_anything_less_or_more_is_a_shortfall(lack: str, run: SuiteRun) -> None:
    proof = judge_course_tests(run, ASKED)
    assert not proof.whole
    assert [shortfall.lack.value for shortfall in proof.shortfalls] == [lack]


def test_no_course_tests_prove_nothing() -> None:
    assert not judge_course_tests(completed(), ()).whole


def test_shortfalls_come_in_the_order_of_the_manifest() -> None:
    proof = judge_course_tests(completed(failed("test_b"), failed("test_a")), ASKED)
    assert [shortfall.test for shortfall in proof.shortfalls] == ["test_a", "test_b"]
