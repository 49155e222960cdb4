"""What `ol check` does not pass on L2.2: each piece of work is good but for one thing, and that is named."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.student import EXEMPLARS, REFERENCE, Student, edited, gates, lock, slugs, words_of
from tests.cli.suite import one_more, without

NAMES = ["contract", "needs", "course tests", "values", "journal", "mutation"]


@pytest.fixture(scope="module")
def killers(_done: Student) -> dict[str, set[str]]:
    """Which of the exemplars' functions kill a mutant, by `ol mutate --matrix`."""
    mutants = gates(_done.json("mutate", "--matrix", exits=0))["mutation"]["fields"]["mutants"]
    return {each["id"]: {case.split("::")[1].split("[")[0] for case in each["killers"]} for each in mutants}


def blind_to(killers: dict[str, set[str]], *mutants: str) -> str:
    """The exemplar tests without those that kill these mutants."""
    return without(EXEMPLARS, *set[str]().union(*(killers[id] for id in mutants)))


def refused_by(student: Student, *gate_names: str) -> dict[str, Any]:
    """The gates of an `ol check` that these alone refuse, with exit code 1; what did not change may be cached."""
    report = student.json("check", "--cached", exits=1)
    found = gates(report)
    assert list(found) == NAMES
    assert [name for name, gate in found.items() if gate["verdict"] != "passed"] == list(gate_names)
    assert report["last_line"].startswith("L2.2 FAILED — ")
    return found


def booked(student: Student, suite: str) -> Student:
    """With other tests, and a journal that is complete all the same."""
    student.has_tests(suite).does("tdd", "green", "L2.2")
    return student


# ---- imports outside the contract


@pytest.mark.parametrize(
    ("line", "slug", "says"),
    [
        ("import subprocess", "forbidden-import", "The course does not allow subprocess in a unit"),
        ("from frozen import PCG32 as kit", "forbidden-import", "frozen"),
        ("from tinyllm.nn.layers import Attention", "not-in-contract", "Attention is not in the contract"),
        ("from tinyllm.lm.ngram import NGramLM", "not-in-contract", "in no contract that this module needs"),
    ],
)
def test_a_unit_that_imports_outside_the_contract(line: str, slug: str, says: str, done: Student) -> None:
    done.writes(REFERENCE.replace("import json\n", f"import json\n{line}\n"))
    found = refused_by(done, "contract", "course tests", "values")
    for gate in (found["contract"], found["course tests"]):
        assert slugs(gate) == [slug]
        assert says in words_of(gate)
        assert "nplm.py:9" in words_of(gate)


@pytest.mark.parametrize(
    ("line", "slug"),
    [
        ("import inspect", "forbidden-import"),
        ("from tinyllm.lm.nplm import _draw", "not-in-contract"),
        ("from tinyllm.lm import ngram", "not-in-contract"),
    ],
)
def test_a_test_that_imports_outside_the_contract(line: str, slug: str, done: Student) -> None:
    done.has_tests(EXEMPLARS.replace("import json\n", f"import json\n{line}\n"))
    gate = refused_by(done, "journal", "mutation")["mutation"]
    assert slug in slugs(gate)
    assert "test_nplm.py:4" in words_of(gate)
    assert gate["summary"] == "0/12 mutants, tests not run"
    refusal = done.json("tdd", "green", "L2.2", exits=1)
    assert slug in slugs(refusal["gates"][0])


# ---- tests that reject correct code


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "with pytest.raises(ValueError, match='context must be at least 1, got 0'):\n    windows([m.vocab], 0)",
            "Regex pattern did not match",
        ),
        ("assert hasattr(m, '_one_window')", "assert False"),
    ],
    ids=["exact error text", "private attribute"],
)
def test_a_test_that_assumes_what_the_contract_does_not_promise(body: str, says: str, done: Student) -> None:
    booked(done, EXEMPLARS + one_more(body))
    gate = refused_by(done, "mutation")["mutation"]
    assert slugs(gate) == ["wheat-rejects"]
    for said in ("test_nplm.py::test_more fails on wheat w0", says, "assert only what stands there"):
        assert said in words_of(gate)
    assert gate["fields"]["score"] == 0.0


def test_a_test_that_touches_a_private_name(done: Student) -> None:
    done.has_tests(EXEMPLARS + one_more("assert m._one_window"))
    gate = refused_by(done, "journal", "mutation")["mutation"]
    assert slugs(gate) == ["private-name"]


def test_a_test_that_rejects_the_reference_itself(done: Student) -> None:
    done.writes(
        REFERENCE.replace("        self.emb = ", "        self.width = d_hidden\n        self.emb = ")
    )
    booked(done, EXEMPLARS + one_more("assert m.width"))
    gate = refused_by(done, "mutation")["mutation"]
    assert slugs(gate) == ["reference-rejects"]
    assert "has no attribute 'width'" in words_of(gate)


# ---- suites that miss faults


def test_a_suite_that_kills_eight_of_twelve(done: Student, killers: dict[str, set[str]]) -> None:
    gate = refused_by(booked(done, blind_to(killers, "s05", "s09", "s10", "s12")), "mutation")["mutation"]
    assert gate["summary"] == "8/12 mutants (0.67 < 0.70), s01 killed"
    assert slugs(gate) == ["survived", "survived", "survived", "more"]


def test_nine_of_twelve_is_enough(done: Student, killers: dict[str, set[str]]) -> None:
    report = booked(done, blind_to(killers, "s05", "s09", "s10")).json("check", "L2.2", exits=0)
    assert gates(report)["mutation"]["summary"] == "9/12 mutants (0.75 ≥ 0.70), s01 killed"


def test_a_suite_that_kills_eleven_of_twelve_and_not_the_required_one(
    done: Student, killers: dict[str, set[str]]
) -> None:
    gate = refused_by(booked(done, blind_to(killers, "s01")), "mutation")["mutation"]
    assert gate["summary"] == "11/12 mutants (0.92 ≥ 0.70), s01 survived"
    assert gate["reasons"][0]["text"].startswith("s01 survived, and it is required: ")


# ---- cases that were skipped, or are not there


def test_a_case_skipped_in_the_students_own_tests(done: Student) -> None:
    done.has_tests(EXEMPLARS + one_more("assert m", "@pytest.mark.skip(reason='later')"))
    found = refused_by(done, "journal", "mutation")
    assert slugs(found["mutation"]) == ["suite-not-passed"]
    assert "test_more" in words_of(found["mutation"])
    assert slugs(done.json("tdd", "green", "L2.2", exits=1)["gates"][0]) == ["green-not-proved"]


def test_a_case_that_is_there_on_the_reference_alone(done: Student) -> None:
    own = "@pytest.mark.parametrize('n', range(len([n for n in dir(model()) if n[0] == '_'])))"
    booked(done, EXEMPLARS + one_more("assert n >= 0", own).replace("test_more()", "test_more(n)"))
    gate = refused_by(done, "mutation")["mutation"]
    assert slugs(gate) == ["suite-case-missing"]


def test_a_course_test_that_is_skipped_proves_nothing(done: Student) -> None:
    course_test = done.root / "course/tests/L2.2/test_nplm.py"
    edited(course_test, "def test_windows_hand_example(", "@pytest.mark.skip\ndef test_windows_hand_example(")
    lock(done.root)
    gate = refused_by(done, "course tests")["course tests"]
    assert slugs(gate) == ["not-proved"]
    assert gate["summary"] == "16/17 course tests"


# ---- the journal


def test_tests_that_were_never_seen_red(started: Student) -> None:
    started.writes(REFERENCE).has_tests(EXEMPLARS).does("tdd", "green", "L2.2")
    gate = refused_by(started, "journal")["journal"]
    assert slugs(gate) == ["journal-unseen-file"]


def test_tests_that_no_green_has_booked(done: Student) -> None:
    done.has_tests(EXEMPLARS + one_more("assert m.context == 2"))
    assert slugs(refused_by(done, "journal")["journal"]) == ["journal-not-booked"]


def test_no_journal_at_all(started: Student) -> None:
    started.writes(REFERENCE).has_tests(EXEMPLARS)
    assert slugs(refused_by(started, "journal")["journal"]) == ["journal-empty"]


# ---- the unit


def test_a_default_that_is_not_the_contracts(done: Student) -> None:
    done.writes(REFERENCE.replace("batch_size: int = 1024", "batch_size: int = 512"))
    gate = refused_by(done, "contract")["contract"]
    assert slugs(gate) == ["signature-differs"]
    assert "1024" in words_of(gate)
    assert "512" in words_of(gate)


def test_a_contract_name_that_is_gone(done: Student) -> None:
    done.writes(without(REFERENCE, "load_nplm"))
    found = refused_by(done, "contract", "course tests", "values")
    assert slugs(found["contract"]) == ["name-missing"]
    assert "load_nplm" in words_of(found["contract"])
