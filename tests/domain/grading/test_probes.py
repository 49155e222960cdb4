"""The test made of a module's probes, and what is taken from its run."""

from __future__ import annotations

import ast
from base64 import b64encode

import pytest

from ol.domain.course import Probe
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.grading.probes import check, handed_out, probes_test
from ol.domain.suite import Outcome, SuiteRun
from tests.made import case, completed

ONE, TWO = Probe("one", "it is first"), Probe("two", "it is second")
FILE = File(
    "course/probes/A.1.py",
    b'"""Probes."""\n\ndef probe_one(seed): ...\ndef probe_two(seed): ...\ndef made(): ...\n',
)


def run(text: str, outcome: Outcome = Outcome.PASSED) -> SuiteRun:
    return completed(case("test_one", outcome, properties=[("arrays", text)]))


def test_every_probe_becomes_a_test_of_its_own_with_the_seed_in_it() -> None:
    made = probes_test(FILE, (ONE, TWO), 17)
    tree = ast.parse(made.text())
    assert made.text().startswith(FILE.text())
    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-2:] == [
        "test_one",
        "test_two",
    ]
    assert made.text().count("(17)") == 2


def test_the_file_defines_the_probes_of_the_manifest_and_no_other() -> None:
    check(FILE, (ONE, TWO))
    with pytest.raises(CourseWrong, match="defines no probe_three"):
        check(FILE, (ONE, TWO, Probe("three", "")))
    with pytest.raises(CourseWrong, match="defines probe_two, and the manifest declares no such"):
        check(FILE, (ONE,))


def test_bytes_are_taken_from_a_case_that_passed() -> None:
    assert handed_out(run(b64encode(b"\0\xff").decode()), ONE) == b"\0\xff"
    assert handed_out(run(""), ONE) == b""


@pytest.mark.parametrize("text", ["!", "a", "äöü", "QUJD\n" * 2])
def test_what_is_not_base64_is_no_answer(text: str) -> None:
    assert handed_out(run(text), ONE) is None


def test_a_case_that_failed_or_recorded_nothing_or_is_not_there_is_no_answer() -> None:
    assert handed_out(run("QUJD", Outcome.FAILED), ONE) is None
    assert handed_out(completed("test_one"), ONE) is None
    assert handed_out(run("QUJD"), TWO) is None
