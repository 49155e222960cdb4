from __future__ import annotations

import pytest

from ol.commands.hint import hint
from ol.domain.errors import CourseWrong, WrongRequest
from ol.domain.grading.witness import witness_test, witnessed
from ol.domain.suite import Exited, SuiteRun
from tests.fakes import Desk
from tests.made import case, completed, crashed, failed, module, mutant

REFERENCE = "def add(x, y):\n    return x + y\n\n\ndef far(): ...\n"
FAULT = mutant("s01", "x + y", "x - y", pitfall="1", witness="\nfrom tiny.a1 import add\nout = add(1, 2)\n")


def shown(text: str) -> SuiteRun:
    return completed(case("test_witness", properties=[("out", text)]))


def desk(*faults: object) -> Desk:
    made = Desk.of(
        module("A.1"), answer=lambda r: shown("3") if r.sources["tiny.a1"] == REFERENCE else shown("-1")
    )
    made.catalog.references = {"a1.py": REFERENCE}
    made.catalog.seeded = {made.module("A.1").id: faults or (FAULT,)}  # type: ignore[dict-item]
    return made


def lines(made: Desk, named: str | None = "s01") -> tuple[str, ...]:
    return hint(made.ports(), made.module("A.1"), named).lines


def test_the_first_step_is_the_symptom_and_runs_nothing() -> None:
    made = desk()
    told = lines(made)
    assert told[:3] == ("s01, step 1 of 3: symptom", "  s01 symptom", "  It is pitfall 1 of the chapter.")
    assert "once more shows the witness" in told[-1]
    assert made.runner.requests == []


def test_the_second_step_is_an_input_and_the_two_outputs() -> None:
    made = desk()
    lines(made)
    told = lines(made)
    assert "  out = add(1, 2)" in told
    assert "  correct  out: 3" in told
    assert "  s01      out: -1" in told
    assert "once more shows the diff" in told[-1]


def test_the_third_step_is_the_diff_and_the_ladder_ends_there() -> None:
    made = desk()
    for _ in range(3):
        told = lines(made)
    assert "  -    return x + y" in told
    assert "  +    return x - y" in told
    assert not any("once more" in line for line in told)
    assert not any("far" in line for line in told)
    assert lines(made) == told


def test_the_steps_taken_are_remembered_once_each() -> None:
    made = desk()
    for _ in range(5):
        lines(made, "S01")
    assert made.workspace.hint_steps(made.module("A.1").id) == (("s01", 1), ("s01", 2), ("s01", 3))


def test_each_mutant_has_a_ladder_of_its_own() -> None:
    made = desk(FAULT, mutant("s02", "y", "x"))
    lines(made)
    assert lines(made, "s02")[0] == "s02, step 1 of 3: symptom"


def test_without_a_mutant_it_says_what_was_seen_and_how_to_name_one() -> None:
    made = desk()
    lines(made)
    lines(made)
    told = lines(made, None)
    assert told[0] == "s01  witness seen"
    assert "ol hint A.1 s01" in told[-1]


def test_an_unknown_mutant_names_the_nearest() -> None:
    with pytest.raises(WrongRequest) as caught:
        lines(desk(), "s1")
    assert "s01" in caught.value.next_step


def test_a_mutant_that_ends_the_run_is_told_so() -> None:
    made = desk()
    made.runner.answer = lambda r: shown("3") if r.sources["tiny.a1"] == REFERENCE else crashed(Exited(1))
    lines(made)
    assert "  s01      out: none: left early with exit code 1" in lines(made)


def test_a_witness_without_an_outcome_is_a_wrong_course() -> None:
    made = desk()
    made.runner.answer = lambda r: completed("test_witness")
    lines(made)
    with pytest.raises(CourseWrong):
        lines(made)


def test_a_changed_course_is_remarked_on() -> None:
    made = desk()
    made.catalog.changed = ("course/mutants/A.1.toml",)
    assert "course/mutants/A.1.toml" in lines(made)[0]


def test_a_witness_test_records_what_its_lines_assign() -> None:
    scope: dict[str, object] = {}
    exec(witness_test("import math\nout = [math.pi, 'it''s']").text(), scope)
    recorded: list[tuple[str, str]] = []
    scope["test_witness"](lambda *pair: recorded.append(pair))  # type: ignore[operator]
    assert recorded == [("out", "[3.141592653589793, 'its']")]


def test_a_string_is_shown_as_its_own_words_and_an_exception_as_itself() -> None:
    assert witnessed(shown("'6 losses'")) == "6 losses"
    assert witnessed(shown("array([1.])")) == "array([1.])"
    assert witnessed(completed(failed("test_witness", "'emb'", "KeyError"))) == "raises KeyError: 'emb'"
    assert witnessed(completed()) == ""
