"""`ol tdd green`: what closes a red, what does not, and the ways out."""

from __future__ import annotations

import pytest

from ol.commands import tdd
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
    started,
    stub_but,
)
from tests.fakes import FakeRunner
from tests.made import completed


def test_a_green_with_a_failing_test_says_which(world: World):
    started(world).red()
    answer = world.green()
    assert refused(answer) == "green-failing"
    assert answer.gates[0].reasons[0].detail[0].startswith("test_calc.py::test_mean_of_two: mean is")
    assert world.phases() == ["red"]


@pytest.mark.parametrize("mark", ["skip", "xfail", "skipif(True, reason='later')"])
def test_a_test_that_does_not_run_and_pass_is_no_green(world: World, mark: str):
    text = GIVEN.replace("def ", f"@pytest.mark.{mark}\ndef ", 1)
    wrong = "\n\ndef test_more():\n    assert mean([2.0]) == 2.0\n"
    world.code(RIGHT).test("test_calc.py", "import pytest\n" + text.replace("== 2.0", "== 9.0") + wrong)
    assert refused(world.green()) == "green-not-proved"


def test_a_test_that_fails_and_passes_with_nothing_changed_is_flaky(world: World):
    started(world).red()
    world.runner = FakeRunner(lambda request: completed("test_calc.py::test_mean_of_two"))
    answer = world.green()
    assert refused(answer) == "green-flaky"
    assert "ol tdd abandon A1 test_mean_of_two" in answer.gates[0].reasons[0].next_step
    world.unit.write_text(STUB + "\n\n# a comment is nothing that a run can see\n", encoding="utf-8")
    assert refused(world.green()) == "green-flaky"


def test_a_green_in_which_every_open_red_is_gone_is_refused_until_they_are_abandoned(world: World):
    started(world).red()
    world.code(RIGHT).test("test_calc.py", IMPORTS + CLAMP)
    assert world.gate().reasons[0].next_step.startswith("`ol tdd abandon A1` (")
    assert refused(world.green()) == "green-none-left"
    assert world.abandon().lines[0] == "abandoned: the red of test_calc.py::test_mean_of_two"
    assert recorded(world.green()) == "refactor"
    assert refusals(world.gate()) == ["journal-unseen-file"]


def test_an_edited_test_that_passes_on_its_reds_code_has_three_ways_out(world: World):
    wrong = GIVEN.replace("== 2.0", "== 4.0")
    world.code(RIGHT).test("test_calc.py", wrong).red()
    world.test("test_calc.py", GIVEN)
    answer = world.green()
    assert refused(answer) == "green-passes-on-red"
    step = answer.gates[0].reasons[0].next_step
    first, rest = step.split(" Else ")
    assert first == (
        "If your code was already right: `ol tdd abandon A1 test_mean_of_two`, then `ol tdd green A1`."
    )
    assert "undo" in rest and "ol tdd red A1" in rest
    world.abandon("test_mean_of_two")
    assert recorded(world.green()) == "refactor"


def test_all_edited_tests_that_pass_on_their_reds_code_are_named_at_once(world: World):
    wrong_mean, wrong_clamp = MEAN.replace("2.0\n", "4.0\n"), CLAMP.replace("1.0\n", "4.0\n")
    world.code(RIGHT).test("test_calc.py", IMPORTS + wrong_mean).red()
    world.test("test_calc.py", IMPORTS + wrong_mean + wrong_clamp).red()
    world.test("test_calc.py", IMPORTS + MEAN + CLAMP)
    answer = world.green()
    assert refused(answer) == "green-passes-on-red"
    (reason,) = answer.gates[0].reasons
    assert "`ol tdd abandon A1 test_mean test_clamp`" in reason.next_step
    world.abandon("test_mean", "test_clamp")
    assert recorded(world.green()) == "refactor"


def test_an_edited_test_that_cannot_run_on_its_reds_code(world: World):
    skips = "import pytest\n" + GIVEN.replace(
        "    assert", "    if mean([0.0]):\n        pytest.skip()\n    assert"
    )
    world.code("def mean(values):\n    return 1.0\n").test("test_calc.py", GIVEN).red()
    world.code(RIGHT).test("test_calc.py", skips)
    assert refused(world.green()) == "green-cannot-run-on-red"
    assert world.phases() == ["red"]


def test_an_edited_test_is_tried_on_each_reds_own_code(world: World):
    world.code(STUB).test("test_calc.py", IMPORTS + MEAN).red()
    halved = stub_but("mean", "return 2.0")
    world.code(halved).test("test_calc.py", IMPORTS + MEAN + CLAMP).red()
    edited = (MEAN + CLAMP).replace("2.0\n", "2.0, 'mean'\n").replace("1.0\n", "1.0, 'clamp'\n")
    world.code(RIGHT).test("test_calc.py", IMPORTS + edited)
    assert recorded(world.green()) == "green"
    assert world.phases() == ["red", "red", "amended", "amended", "green"]
    amended = [link.entry for link in world.state().links[2:4]]
    assert [list(entry.collected) for entry in amended] == [
        ["test_calc.py::test_mean"],
        ["test_calc.py::test_clamp"],
    ]
    assert [entry.units for entry in amended] == [link.entry.units for link in world.state().links[:2]]
    assert complete(world.gate()).startswith("2 tests: 2 seen red")


def test_a_red_whose_code_is_gone_from_the_snapshots_is_named(world: World):
    started(world).red()
    sha256 = world.state().links[0].entry.units["tinycalc.calc"].sha256
    (world.root / "journals/objects" / sha256[:2] / sha256).unlink()
    world.code(RIGHT).test("test_calc.py", GIVEN.replace("== 2.0", "== 2.00, 'mean'"))
    assert refused(world.green()) == "journal-object-missing"
    assert refusals(world.gate()) == ["journal-object-missing"]


def test_a_refactor_that_leaves_a_file_unseen_says_so_at_once(world: World):
    answer = at_green(world).test("test_more.py", IMPORTS + CLAMP).green()
    assert recorded(answer) == "refactor"
    assert any(
        line.startswith("note: No test of test_more.py was seen red") and "break the line" in line
        for line in answer.lines
    )


def test_a_refactor_of_the_unit_alone_is_booked(world: World):
    at_green(world).code(RIGHT.replace("total(values) / len(values)", "sum(values) / len(values)"))
    answer = world.green()
    assert answer.lines[0] == "Refactor recorded: 1 test passes, no red was open."
    complete(world.gate())


def test_a_green_says_how_far_the_story_is(world: World):
    started(world).red()
    lines = world.code(RIGHT).green().lines
    assert lines == (
        "Green recorded: 1 test passes, 1 open red closed.",
        "1 test: 1 seen red (1 on the stub only), 0 booked as refactor",
        "Write the next test, or `ol check A1`.",
    )


def test_a_test_that_pytest_leaves_alone_is_told(world: World):
    silent = "class TestMore:\n    def __init__(self): ...\n    def test_more(self): assert False\n"
    world.code(STUB).test("test_calc.py", f"{GIVEN}\n\n{silent}")
    lines = world.red().lines
    assert any("test_calc.py::TestMore::test_more was not collected" in line for line in lines)


def test_needs_from_the_reference_are_recorded_by_hash_and_told(world: World):
    started(world)
    answer = tdd.red(world.ports, world.module, ref_deps="all")
    assert recorded(answer) == "red"
    assert "note: taken from the reference: A0" in answer.lines
    entry = world.state().links[0].entry
    assert {str(id): source.value for id, source in entry.sources.items()} == {
        "A0": "reference",
        "A1": "student",
    }
    world.code(RIGHT)
    assert recorded(tdd.green(world.ports, world.module, ref_deps="all")) == "green"
    entry = world.state().links[1].entry
    assert not entry.units["tinycalc.num"].kept
    assert entry.units["tinycalc.calc"].kept


def test_a_trial_is_made_on_the_needs_of_its_red(world: World):
    sums = stub_but("mean", "return total(values)").replace(
        "LIMIT", "from tinycalc.num import total\nLIMIT", 1
    )
    world.code(sums).test("test_calc.py", GIVEN)
    assert recorded(tdd.red(world.ports, world.module, ref_deps="all")) == "red"
    world.code(RIGHT.replace("total(values) / len", "sum(values) / len"))
    means = "def total(values):\n    return sum(values) / len(values)\n"  # on which the red's unit would pass
    world.unit.with_name("num.py").write_text(means, encoding="utf-8")
    world.test("test_calc.py", GIVEN.replace("== 2.0", "== 2.0, 'mean'"))
    assert recorded(world.green()) == "green"
    red, amended, green = (link.entry for link in world.state().links)
    assert (amended.units, amended.sources) == (red.units, red.sources)
    assert green.sources != red.sources
