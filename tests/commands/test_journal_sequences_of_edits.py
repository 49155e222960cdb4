"""Sequences in which tests are edited, renamed or dropped once they were red or green."""

from __future__ import annotations

from tests.commands.journal_world import (
    CLAMP,
    GIVEN,
    IMPORTS,
    MEAN,
    RIGHT,
    STUB,
    World,
    at_green,
    complete,
    recorded,
    refusals,
    refused,
)


def test_2_a_wrong_expectation_found_after_the_code_is_right(world: World):
    world.code(STUB).test("test_calc.py", GIVEN.replace("== 2.0", "== 4.0"))
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert refused(world.green()) == "green-failing"
    world.test("test_calc.py", GIVEN)
    assert recorded(world.green()) == "green"
    assert world.phases() == ["red", "amended", "green"]
    complete(world.gate())


def test_3_two_red_tests_and_one_dropped(world: World):
    world.code(STUB).test("test_calc.py", IMPORTS + MEAN + CLAMP)
    assert recorded(world.red()) == "red"
    world.code(RIGHT).test("test_calc.py", IMPORTS + MEAN)
    answer = world.green()
    assert recorded(answer) == "green"
    assert "note: test_calc.py::test_clamp is gone, and its red with it" in answer.lines
    complete(world.gate())


def test_5_a_file_renamed_then_split_in_two(world: World):
    world.code(STUB).test("test_calc.py", IMPORTS + MEAN + CLAMP)
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    (world.tests / "test_calc.py").rename(world.tests / "test_all.py")
    assert refusals(world.gate()) == ["journal-not-booked"]
    assert recorded(world.green()) == "refactor"
    complete(world.gate())
    (world.tests / "test_all.py").unlink()
    world.test("test_mean.py", IMPORTS + MEAN).test("test_clamp.py", IMPORTS + CLAMP)
    assert recorded(world.green()) == "refactor"
    assert complete(world.gate()) == "2 tests: 2 seen red (2 on the stub only), 0 booked as refactor"


def test_9_a_formatter_between_red_and_green(world: World):
    tight = "from tinycalc.calc import mean\ndef test_it(): assert mean( [1.,3.] )==2.\n"
    world.code(STUB).test("test_calc.py", tight)
    assert recorded(world.red()) == "red"
    formatted = '"""Means."""\n\n' + GIVEN.replace("test_mean_of_two", "test_it")
    world.code(RIGHT).test("test_calc.py", formatted)
    assert recorded(world.green()) == "green"
    assert world.phases() == ["red", "green"]
    complete(world.gate())


def test_13_a_test_edited_after_the_last_green(world: World):
    at_green(world)
    world.test("test_calc.py", GIVEN.replace("[1.0, 3.0]", "[1.0, 2.0, 3.0]"))
    gate = world.gate()
    assert refusals(gate) == ["journal-not-booked"]
    assert gate.reasons[0].detail == ("test_calc.py::test_mean_of_two was edited",)
    assert recorded(world.green()) == "refactor"
    told = "1 test: 1 seen red (1 on the stub only, 1 in an earlier version), 0 booked as refactor"
    assert complete(world.gate()) == told


CONFTEST = "import pytest\n\n@pytest.fixture\ndef expected():\n    return {}\n"
USES = "from tinycalc.calc import mean\n\ndef test_mean(expected):\n    assert mean([1.0, 3.0]) == expected\n"


def test_14_a_conftest_fixture_edited_in_between_and_the_test_fails_on_the_reds_units(world: World):
    world.code(STUB).test("conftest.py", CONFTEST.format("4.0")).test("test_calc.py", USES)
    assert recorded(world.red()) == "red"
    world.code(RIGHT).test("conftest.py", CONFTEST.format("2.0"))
    assert recorded(world.green()) == "green"
    assert world.phases() == ["red", "amended", "green"]
    complete(world.gate())


def test_14_a_conftest_fixture_edited_in_between_and_the_test_passes_on_the_reds_units(world: World):
    world.code(RIGHT).test("conftest.py", CONFTEST.format("4.0")).test("test_calc.py", USES)
    assert recorded(world.red()) == "red"
    world.test("conftest.py", CONFTEST.format("2.0"))
    assert refused(world.green()) == "green-passes-on-red"
    assert world.phases() == ["red"]


def test_16_a_test_function_renamed_in_between(world: World):
    world.code(STUB).test("test_calc.py", IMPORTS + MEAN)
    assert recorded(world.red()) == "red"
    world.code(RIGHT).test("test_calc.py", IMPORTS + MEAN.replace("test_mean", "test_average"))
    answer = world.green()
    assert recorded(answer) == "green"
    assert not [line for line in answer.lines if "is gone" in line]
    complete(world.gate())


def test_17_a_parametrised_test_whose_ids_change(world: World):
    mark = "@pytest.mark.parametrize('x', [{}])\n"
    text = IMPORTS + mark + "def test_clamp(x):\n    assert clamp(x, 0.0, 9.0) == x\n"
    world.code(STUB).test("test_calc.py", text.format("1.0, 2.0"))
    assert recorded(world.red()) == "red"
    world.code(RIGHT).test("test_calc.py", text.format("1.0, 3.0, 4.0"))
    assert recorded(world.green()) == "green"
    assert world.phases() == ["red", "amended", "green"]
    assert complete(world.gate()).startswith("1 test: 1 seen red")


def test_19_a_test_deleted_after_the_green(world: World):
    world.code(STUB).test("test_calc.py", IMPORTS + MEAN + CLAMP)
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    world.test("test_calc.py", IMPORTS + MEAN)
    gate = world.gate()
    assert refusals(gate) == ["journal-not-booked"]
    assert gate.reasons[0].detail == ("test_calc.py::test_clamp is gone",)
    assert recorded(world.green()) == "refactor"
    complete(world.gate())
