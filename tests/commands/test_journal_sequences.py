"""The sequences that must come out right, each as a student would meet it: real files, real runs."""

from __future__ import annotations

from tests.commands.journal_world import (
    CLAMP,
    GIVEN,
    IMPORTS,
    MEAN,
    RIGHT,
    RUNNING,
    STUB,
    World,
    complete,
    recorded,
    refusals,
    refused,
    stub_but,
)

MORE = "".join(
    f"def test_clamp_{n}():\n    assert clamp({n}.0, 0.0, 5.0) == min({n}, 5)\n\n" for n in range(13)
)


def test_1_red_then_code_then_green(world: World):
    world.code(STUB).test("test_calc.py", GIVEN)
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    assert complete(world.gate()) == "1 test: 1 seen red (1 on the stub only), 0 booked as refactor"


def test_4_a_second_file_that_passes_at_once(world: World):
    test_1_red_then_code_then_green(world)
    world.test("test_more.py", IMPORTS + CLAMP)
    assert recorded(world.green()) == "refactor"
    gate = world.gate()
    assert refusals(gate) == ["journal-unseen-file"]
    assert "test_more.py" in gate.reasons[0].text
    assert "break the line" in gate.reasons[0].next_step  # the recipe, which is then followed:
    world.code(RIGHT.replace("max(low, min(x, high))", "x"))
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    assert complete(world.gate()).startswith("2 tests: 2 seen red (1 on the stub only)")


def test_6_a_fixture_that_builds_on_the_stub(world: World):
    fixture = "@pytest.fixture\ndef running():\n    return Running()\n\n"
    uses = "def test_counts(running):\n    running.add(1.0)\n    assert running.count == 1\n"
    world.code(STUB).test("test_calc.py", IMPORTS + fixture + uses)
    assert recorded(world.red()) == "red"
    assert world.state().links[0].entry.functions["test_calc.py::test_counts"].cause == "stub"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    complete(world.gate())


def test_7_a_method_that_is_not_there_yet(world: World):
    world.code(RIGHT.replace("def mean(self)", "def later(self)")).test("test_calc.py", IMPORTS + RUNNING)
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    assert complete(world.gate()) == "1 test: 1 seen red, 0 booked as refactor"


def test_8_code_first_then_tests(world: World):
    world.code(RIGHT).test("test_calc.py", IMPORTS + MEAN).test("test_more.py", IMPORTS + CLAMP)
    assert refused(world.red()) == "red-all-pass"
    assert recorded(world.green()) == "refactor"
    assert refusals(world.gate()) == ["journal-unseen-file", "journal-unseen-file"]
    world.code(RIGHT.replace("/ len(values)", "").replace("max(low, min(x, high))", "x"))
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    complete(world.gate())


def test_11_the_given_test_red_and_thirteen_booked_as_refactor(world: World):
    test_1_red_then_code_then_green(world)
    world.test("test_calc.py", IMPORTS + GIVEN.partition("\n\n\n")[2] + "\n" + MORE)
    assert recorded(world.green()) == "refactor"
    assert complete(world.gate()) == "14 tests: 1 seen red (1 on the stub only), 13 booked as refactor"
    world.seen_red_min = 0.5
    gate = world.gate()
    assert refusals(gate) == ["journal-few-red"]
    assert gate.reasons[0].next_step.startswith("6 more: ")


def test_12_a_fresh_start_after_a_green(world: World):
    test_1_red_then_code_then_green(world)
    before = world.phases()
    kept = world.ports.workspace.renew(world.unit, STUB.encode())
    assert kept.exists()
    assert world.phases() == before
    complete(world.gate())
    world.test("test_more.py", IMPORTS + CLAMP)
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    complete(world.gate())


def test_15_two_reds_in_a_row_and_one_green(world: World):
    world.code(STUB).test("test_calc.py", IMPORTS + MEAN)
    assert recorded(world.red()) == "red"
    world.code(stub_but("mean", "return 2.0"))
    world.test("test_calc.py", IMPORTS + MEAN + CLAMP)
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    answer = world.green()
    assert answer.lines[0] == "Green recorded: 2 tests pass, 2 open reds closed."
    assert complete(world.gate()) == "2 tests: 2 seen red (2 on the stub only), 0 booked as refactor"


def test_18_methods_of_a_test_class(world: World):
    text = IMPORTS + (
        "class TestMean:\n"
        "    values = [1.0, 3.0]\n\n"
        "    def test_mean(self):\n        assert mean(self.values) == 2.0\n\n"
        "    class TestRunning:\n"
        "        def test_one(self):\n            running = Running()\n            running.add(1.0)\n"
    )
    world.code(STUB).test("test_calc.py", text)
    assert recorded(world.red()) == "red"
    world.code(RIGHT)
    assert recorded(world.green()) == "green"
    assert set(world.state().links[-1].entry.functions) == {
        "test_calc.py::TestMean::test_mean",
        "test_calc.py::TestMean::TestRunning::test_one",
    }
    assert complete(world.gate()).startswith("2 tests: 2 seen red")


def test_20_green_twice(world: World):
    test_1_red_then_code_then_green(world)
    answer = world.green()
    assert recorded(answer) == "nothing"
    assert answer.exit_code == 0
    assert world.phases() == ["red", "green"]
