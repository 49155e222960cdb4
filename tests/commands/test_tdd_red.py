"""`ol tdd red`: what is no red, each for its own reason and with a next step, and what is said of one."""

from __future__ import annotations

import pytest

from ol.domain.errors import NotReady, WorkRefused
from ol.domain.suite import Exit, Exited, OutOfMemory, Signalled, TimedOut, TooMuchOutput
from tests.commands.journal_world import (
    CLAMP,
    GIVEN,
    IMPORTS,
    MEAN,
    RIGHT,
    STUB,
    World,
    recorded,
    refused,
    started,
    stub_but,
)
from tests.fakes import FakeRunner
from tests.made import completed, crashed, failed


def test_a_module_that_is_not_started_names_the_way_to_start_it(world: World):
    for verb in (world.red, world.green):
        with pytest.raises(NotReady) as caught:
            verb()
        assert caught.value.slug == "not-started"
        assert "ol start A1" in caught.value.next_step


def test_a_red_says_what_fails_and_what_comes_next(world: World):
    world.code(stub_but("clamp", "return x"))
    world.test("test_calc.py", IMPORTS + MEAN + CLAMP)
    lines = world.red().lines
    assert lines[0] == "Red recorded: 2 of 2 tests fail (1 on the stub only)."
    assert lines[1].startswith("test_calc.py::test_mean: mean is")
    assert lines[2].startswith("test_calc.py::test_clamp: assert 2.0 == 1.0")
    assert lines[-1] == "Make them pass, then `ol tdd green A1`."


def test_a_red_on_code_where_all_pass_names_both_ways_on(world: World):
    answer = world.code(RIGHT).test("test_calc.py", GIVEN).red()
    assert refused(answer) == "red-all-pass"
    step = answer.gates[0].reasons[0].next_step
    assert "`ol tdd green A1` books" in step
    assert "break the line" in step
    assert answer.last_line.startswith("A1 FAILED — nothing recorded: red-all-pass")


def test_a_red_of_empty_tests_says_that_they_are_empty(world: World):
    answer = world.code(STUB).test("test_calc.py", 'def test_mean():\n    """Of four numbers."""\n').red()
    assert refused(answer) == "red-all-pass"
    reason = answer.gates[0].reasons[0]
    assert reason.text.endswith("no red to record. 1 of 1 test is still empty: test_mean.")
    assert "promise, then `ol tdd red A1`" in reason.next_step and "break the line" not in reason.next_step


def test_no_test_folder(world: World):
    assert refused(world.code(STUB).red()) == "no-test-folder"


@pytest.mark.parametrize(("name", "text"), [("check.py", GIVEN), ("test_calc.py", "x = 1\n")])
def test_nothing_is_collected(world: World, name: str, text: str):
    assert refused(world.code(STUB).test(name, text).red()) == "no-tests"


def test_a_test_file_that_does_not_parse(world: World):
    answer = world.code(STUB).test("test_calc.py", "def test_a(:\n").red()
    assert refused(answer) == "does-not-parse"
    assert "test_calc.py:1" in answer.gates[0].reasons[0].text


def test_a_unit_that_does_not_parse(world: World):
    answer = world.code("def mean(:\n").test("test_calc.py", GIVEN).red()
    assert refused(answer) == "does-not-parse"
    assert "python/tinycalc/calc.py:1" in answer.gates[0].reasons[0].text


def test_a_test_file_that_cannot_be_imported(world: World):
    answer = world.code(STUB).test("test_calc.py", "x = 1 / 0\n" + GIVEN).red()
    assert refused(answer) == "tests-broken"
    assert "ZeroDivisionError" in answer.gates[0].reasons[0].text


def test_a_unit_that_cannot_be_imported(world: World):
    answer = world.code("LIMIT = 1 / 0\n").test("test_calc.py", GIVEN).red()
    assert refused(answer) == "unit-broken"
    assert answer.gates[0].reasons[0].detail == ("python/tinycalc/calc.py:1, in <module>", "LIMIT = 1 / 0")


def test_a_contract_name_that_the_unit_lacks(world: World):
    answer = world.code("LIMIT = 1000\n").test("test_calc.py", GIVEN).red()
    assert refused(answer) == "tests-broken"
    assert "python/tinycalc/calc.py does not define mean." in answer.gates[0].reasons[0].text
    assert "`ol start A1 --missing`" in answer.gates[0].reasons[0].next_step


def test_a_contract_name_that_the_unit_spells_otherwise(world: World):
    renamed = STUB.replace("def mean", "def Mean")
    assert (
        "Did you mean Mean (line"
        in world.code(renamed).test("test_calc.py", GIVEN).red().gates[0].reasons[0].next_step
    )


def test_an_import_outside_the_contract(world: World):
    answer = world.code(STUB).test("test_calc.py", "import subprocess\n" + GIVEN).red()
    assert refused(answer) == "forbidden-import"
    answer = world.code("import subprocess\n" + STUB).test("test_calc.py", GIVEN).red()
    assert refused(answer) == "forbidden-import"


@pytest.mark.parametrize(
    ("exit", "slug"),
    [
        (TimedOut(10.0, "cpu"), "timed-out"),
        (OutOfMemory(1 << 30), "out-of-memory"),
        (TooMuchOutput(1 << 20), "too-much-output"),
        (Exited(0), "left-early"),
        (Signalled(11), "left-early"),
    ],
)
def test_a_run_without_an_end_is_neither_red_nor_green(world: World, exit: Exit, slug: str):
    started(world).runner = FakeRunner(
        lambda request: crashed(exit, failed("test_calc.py::test_mean_of_two"))
    )
    assert refused(world.red()) == slug
    assert refused(world.green()) == slug
    assert world.phases() == []


def test_a_case_that_ran_out_of_memory_is_no_red(world: World):
    case = failed("test_calc.py::test_mean_of_two", "", "MemoryError")
    started(world).runner = FakeRunner(lambda request: completed(case))
    assert refused(world.red()) == "out-of-memory"


FIXTURE = "@pytest.fixture\ndef two():\n    return 2.0\n\n"
NEVER_BEGAN = {
    "self": "def test_a(self, tmp_path):\n    assert mean([1.0]) == 1.0\n",
    "method": "class TestA:\n    def test_a():\n        assert mean([1.0]) == 1.0\n",
    "fixture": "def test_a(nope):\n    assert mean([1.0]) == 1.0\n",
    "case": "@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n, m):\n    assert mean([1.0]) == 1.0\n",
    "setup": "class TestA:\n    def setup_method():\n        pass\n\n    def test_a(self):\n        pass\n",
    "fixture of a fixture": FIXTURE.replace("two()", "two(nope)") + "def test_a(two):\n    assert two\n",
}


@pytest.mark.parametrize("text", NEVER_BEGAN.values(), ids=NEVER_BEGAN)
def test_a_test_that_fails_before_its_first_line_is_no_red_and_says_so_in_a_green_too(
    world: World, text: str
):
    world.code(STUB).test("test_calc.py", GIVEN).test("test_more.py", IMPORTS + text)
    assert refused(world.red()) == refused(world.green()) == "test-never-began"
    assert world.phases() == []
    assert refused(world.code(RIGHT).red()) == "test-never-began"


@pytest.mark.parametrize(
    "text",
    [
        "def test_a():\n    mean()\n",
        "def test_a():\n    mean(1.0, 2.0, 3.0)\n",
        FIXTURE.replace("return 2.0", "return mean([2.0])") + "def test_a(two):\n    assert two == 2.0\n",
        "class TestA:\n    def setup_method(self):\n        mean([1.0])\n\n    def test_a(self):\n        pass\n",
        "def test_a():\n    pytest.fail('not yet', pytrace=False)\n",
    ],
)
def test_a_failure_in_a_line_of_test_fixture_or_unit_is_a_red_as_before(world: World, text: str):
    assert recorded(world.code(STUB).test("test_more.py", IMPORTS + text).red()) == "red"


def test_a_teardown_that_fails_is_no_red_and_no_green(world: World):
    fixture = "@pytest.fixture\ndef late():\n    yield\n    assert False\n\ndef test_a(late):\n    pass\n"
    world.code(STUB).test("test_calc.py", IMPORTS + fixture)
    assert refused(world.red()) == "red-all-pass"
    assert refused(world.green()) == "green-failing"


def test_only_the_units_that_a_run_loaded_are_recorded_and_always_its_own(world: World):
    world.code(STUB).test("test_calc.py", "def test_a():\n    assert False\n").red()
    world.code(RIGHT).test("test_calc.py", GIVEN.replace("== 2.0", "== 3.0")).red()
    loaded = [sorted(link.entry.units) for link in world.state().links]
    assert loaded == [["tinycalc.calc"], ["tinycalc.calc", "tinycalc.num"]]


def test_a_file_that_is_not_utf8_is_refused(world: World):
    started(world).tests.joinpath("test_calc.py").write_bytes(b"# \xff\n")
    with pytest.raises(WorkRefused) as caught:
        world.red()
    assert caught.value.slug == "not-utf8"
