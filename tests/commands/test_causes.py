"""Every way in which a case can fail, by a real run: why, what to do next, and the figures, in text and in JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from ol.commands import tdd
from ol.commands.check import Options as CheckOptions
from ol.commands.check import check
from ol.commands.tests import tests as run_course_tests
from ol.domain.report import Answer
from ol.ports import Ports
from ol.render.json import encoded, told
from ol.render.text import plain
from tests.commands.journal_world import IMPORTS, RIGHT, World, stub_but

MEAN = "    return total(values) / len(values)\n"
ARRAYS = "import numpy as np\nfrom tinycalc.calc import mean\n\n\n"
QUOTED = """

class KnownMistake(AssertionError):
    known_wrong = "this is the sum: a mean is divided by the number of values"


def test_mean():
    if mean([1.0, 3.0]) == 4.0:
        raise KnownMistake("got 4.0, expected 2.0")
"""


def hasty(world: World) -> Ports:
    """Ports whose runs have a second, not ten."""
    ports = world.ports
    course = ports.catalog.course
    policy = replace(course.policy, unmeasured_cpu_s=1.0)
    object.__setattr__(ports.catalog, "course", replace(course, policy=policy))
    return ports


def with_mean(body: str) -> str:
    """Right code but for its mean."""
    assert RIGHT.count(MEAN) == 1
    return RIGHT.replace(MEAN, "".join(f"    {line}\n" for line in body.splitlines()))


def fields(answer: Answer) -> list[dict[str, Any]]:
    """The failing cases as --json prints them, each with why and a next step."""
    printed = json.loads(encoded(told(answer)))
    held = [gate["fields"] for gate in printed["gates"]] if "gates" in printed else [printed["fields"]]
    failures = [each for one in held for each in one.get("failures", ())]
    assert failures
    assert all(each["why"] and each["text"] and each["next_step"] for each in failures)
    return failures


def first(answer: Answer, test: str) -> dict[str, Any]:
    return next(each for each in fields(answer) if each["case"].startswith(f"test_calc.py::{test}"))


WAYS = {
    "assertion": ("return 7.0", "got 7.0, expected 3.0 within 1e-09"),
    "unit": ("return total(values) / 0", "ZeroDivisionError: "),
    "test": ("return 'three'", "the test itself raised TypeError: "),
    "import": ("from math import nothing\nreturn nothing(values)", "cannot import name 'nothing'"),
    "memory": ("return float(len([0.0] * 10**12))", "out of memory"),
    "time": ("while True:\n    pass", "time-out after "),
    "output": ("while True:\n    print('x' * 9999)", ""),  # ended by ol, or by the limit of a file: in a race
    "exit": ("raise KeyboardInterrupt", "left early"),
}


@pytest.mark.parametrize("why", WAYS)
def test_a_course_test_says_why_it_fails_and_what_to_do_next(why: str, world: World) -> None:
    body, text = WAYS[why]
    answer = run_course_tests(hasty(world.code(with_mean(body))), world.module)
    failure = first(answer, "test_mean_of_a_few")
    assert failure["why"] == why
    assert text in failure["text"]
    shown = plain(answer)
    assert text in shown and f"[{why}]" in shown
    assert failure["next_step"] in shown


def test_a_name_that_the_unit_lacks_is_told_as_the_contract_gate_does(world: World) -> None:
    answer = check(world.code("LIMIT = 1000\n").ports, world.module, CheckOptions())
    steps = {
        gate.gate: gate.reasons[0].next_step
        for gate in answer.gates
        if gate.gate in ("contract", "course tests")
    }
    assert (
        all("`ol start A1 --missing` appends its stub" in step for step in steps.values()) and len(steps) == 2
    )


def test_a_time_out_says_the_line_where_it_stood(world: World) -> None:
    answer = run_course_tests(hasty(world.code(with_mean(WAYS["time"][0]))), world.module)
    at = first(answer, "test_mean_of_a_few")["at"]
    assert at["place"].startswith("python/tinycalc/calc.py:") and at["place"].endswith(", in mean")
    assert at["line"] in ("while True:", "pass")
    assert at["line"] in plain(answer)


def test_a_stub_says_which_function_to_write(world: World) -> None:
    answer = run_course_tests(world.code(stub_but("mean", "return 3.0")).ports, world.module)
    failure = first(answer, "test_clamp_refuses")
    assert (failure["why"], failure["next_step"]) == ("stub", "Write clamp.")


def test_arrays_that_differ_come_with_their_figures(world: World) -> None:
    test = f"{ARRAYS}def test_mean():\n    np.testing.assert_allclose([2.0, mean([1.0, 3.0])], [2.0, 2.5])\n"
    failure = first(world.code(RIGHT).test("test_calc.py", test).red(), "test_mean")
    assert failure["why"] == "numeric"
    assert failure["numbers"]["bad"] == "1 of 2"
    assert float(failure["numbers"]["absolute"]) == 0.5
    assert float(failure["numbers"]["relative"]) == pytest.approx(0.2)
    assert failure["at"]["place"] == "python/tests/a1-calc/test_calc.py:6, in test_mean"


def test_a_known_wrong_value_is_a_fact_of_its_own(world: World) -> None:
    summed = world.code(with_mean("return total(values)"))
    failure = first(summed.test("test_calc.py", IMPORTS + QUOTED).red(), "test_mean")
    assert failure["known_wrong"] == "this is the sum: a mean is divided by the number of values"
    assert "this is the sum" not in failure["text"]


@pytest.mark.parametrize("known", ["7", "property(lambda self: 1 / 0)"])
def test_what_is_no_sentence_is_none(known: str, world: World) -> None:
    odd = QUOTED.replace('"this is the sum: a mean is divided by the number of values"', known)
    summed = world.code(with_mean("return total(values)"))
    assert "known_wrong" not in first(summed.test("test_calc.py", IMPORTS + odd).red(), "test_mean")


def test_a_test_that_is_skipped_proves_nothing_and_says_so(world: World) -> None:
    skipped = f"{IMPORTS}def test_mean():\n    pytest.skip('later')\n"
    failure = first(world.code(RIGHT).test("test_calc.py", skipped).green(), "test_mean")
    assert (failure["why"], failure["outcome"], failure["text"]) == (
        "not-proved",
        "skipped",
        "skipped: later",
    )


def test_a_red_a_refused_green_and_a_check_say_it_too(world: World) -> None:
    wrong = world.code(with_mean("return 7.0")).test(
        "test_calc.py", f"{IMPORTS}def test_mean():\n    assert mean([1.0]) == 1.0\n"
    )
    for answer in (wrong.red(), wrong.green()):
        assert first(answer, "test_mean")["why"] == "assertion"
    report = check(wrong.ports, wrong.module, CheckOptions(jobs=2, seed=1))
    assert first(report, "test_mean_of_a_few")["why"] == "assertion"


def test_a_suite_of_ones_own_that_does_not_end_says_where(world: World) -> None:
    ports = hasty(
        world.code(with_mean("while True:\n    pass")).test(
            "test_calc.py", f"{IMPORTS}def test_mean():\n    mean([1.0])\n"
        )
    )
    failure = first(tdd.red(ports, world.module), "test_mean")
    assert failure["why"] == "time"
    assert failure["at"]["line"] in ("while True:", "pass")
