"""A line that says what did not happen is named, with what it claims and what was found."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from ol.commands.check import Options, check
from ol.domain.code.identity import code_hash
from ol.domain.course import ModuleId
from ol.domain.file import File
from ol.domain.journal.entry import Entry, FileRecord, Phase, UnitRecord
from ol.domain.report import GateResult, Verdict
from ol.domain.suite import Outcome
from ol.render.text import plain
from tests.commands import test_journal_sequences_of_edits as edits
from tests.commands.journal_world import (
    CLAMP,
    GIVEN,
    IMPORTS,
    MEAN,
    RIGHT,
    STUB,
    World,
    at_green,
    recorded,
    refused,
    started,
    stub_but,
)
from tests.commands.replay_world import TEST, UNIT, claiming, forge, keep, object_of, on_unit, replay


def forged(gate: GateResult) -> str:
    """The account of the one entry that does not hold."""
    assert gate.verdict is Verdict.FAILED
    (reason,) = gate.reasons
    assert reason.slug == "replay-forged" and reason.next_step
    (told,) = reason.detail
    return f"{reason.text} {told}"


def test_a_red_of_a_test_that_did_not_fail_is_named(world: World) -> None:
    world.code(stub_but("mean", "return sum(values) / len(values)"))
    world.test("test_calc.py", IMPORTS + MEAN + CLAMP).red()
    world.code(RIGHT).green()
    told = forged(replay(forge(world, 0, claiming("test_calc.py::test_mean", Outcome.FAILED, "assertion"))))
    assert told.startswith("Entry 1 of ")
    assert "(red, 2026-01-02 09:" in told
    assert told.endswith("test_calc.py::test_mean: on record: failed on an assertion; found: passed")


def test_a_red_whose_code_really_passes_is_named(world: World) -> None:
    at_green(world)
    told = forged(replay(forge(world, 0, on_unit(world, RIGHT))))
    assert told.endswith(f"{TEST}: on record: failed on the stub; found: passed")


def test_a_red_on_the_stub_that_calls_itself_an_assertion_is_named(world: World) -> None:
    at_green(world)
    told = forged(replay(forge(world, 0, claiming(TEST, Outcome.FAILED, "assertion"))))
    assert "on record: failed on an assertion; found: failed on the stub: mean is not written yet" in told


def test_a_green_whose_code_really_fails_is_named(world: World) -> None:
    at_green(world)
    told = forged(replay(forge(world, 1, on_unit(world, STUB))))
    assert told.startswith("Entry 2 of ") and "(green, " in told
    assert f"{TEST}: on record: passed; found: failed on the stub: mean is not written yet" in told


def test_a_green_that_hides_a_failing_test_is_named(world: World) -> None:
    failing = GIVEN + "\n\ndef test_more():\n    assert mean([2.0]) == 3.0\n"
    started(world).test("test_calc.py", failing).red()
    world.test("test_calc.py", GIVEN).code(RIGHT).green()
    change = as_of(world, "test_calc.py", failing)
    told = forged(replay(forge(world, 1, lambda entry: change(entry, world.state().links[0].entry))))
    assert "test_more: on record: did not run; found: failed on an assertion: assert 2.0 == 3.0" in told


def as_of(world: World, name: str, text: str) -> Callable[[Entry, Entry], Entry]:
    """The tests of another entry, those of its functions that this one lacks said not to have run."""

    def change(entry: Entry, other: Entry) -> Entry:
        record = FileRecord(keep(world, text), other.files[name].rest)
        others = {
            id: replace(each, outcome=Outcome.NOT_RUN, cause="") for id, each in other.functions.items()
        }
        return replace(entry, files={name: record}, functions={**others, **entry.functions})

    return change


def test_an_amended_red_that_passes_is_named(world: World) -> None:
    edits.test_2_a_wrong_expectation_found_after_the_code_is_right(world)
    told = forged(replay(forge(world, 1, on_unit(world, RIGHT))))
    assert "(amended, " in told
    assert told.endswith("on record: failed on the stub; found: passed")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            lambda entry: replace(entry, units={}),
            f"{UNIT}: on record: not there; found: a unit of the student's",
        ),
        (
            lambda entry: replace(entry, units={UNIT: replace(entry.units[UNIT], code="")}),
            f"{UNIT}: on record: the student's; found: not kept",
        ),
        (
            lambda entry: replace(entry, units={UNIT: replace(entry.units[UNIT], code="0" * 64)}),
            f"{UNIT}: on record: code 000000000000; found: code ",
        ),
        (
            lambda entry: replace(entry, functions={TEST: replace(entry.functions[TEST], hash="0" * 64)}),
            f"{TEST}: on record: text 000000000000; found: text ",
        ),
        (lambda entry: replace(entry, functions={}), f"{TEST}: on record: not there; found: text "),
        (
            lambda entry: replace(
                entry, files={name: replace(each, rest="1") for name, each in entry.files.items()}
            ),
            "test_calc.py beside its tests: on record: text 1; found: text ",
        ),
        (
            lambda entry: replace(
                entry,
                files={
                    **entry.files,
                    "../out": FileRecord(
                        entry.files["test_calc.py"].sha256, entry.files["test_calc.py"].sha256
                    ),
                },
            ),
            "a file: on record: '../out'; found: no name of a test file",
        ),
        (lambda entry: replace(entry, module=ModuleId("A0")), "the entry: on record: of A1; found: of A0"),
    ],
    ids=[
        "unit left out",
        "unit not kept",
        "other code",
        "other test",
        "test left out",
        "other rest",
        "name",
        "module",
    ],
)
def test_a_line_that_its_own_snapshots_contradict_is_named(
    change: Callable[[Entry], Entry], told: str, world: World
) -> None:
    at_green(world)
    gate = replay(forge(world, 0, change))
    assert (gate.fields["not_as_written"][0]["seq"], gate.fields["not_as_written"][0]["fate"]) == (
        1,
        "forged",
    )
    assert told in " ".join(gate.reasons[0].detail)


def test_a_green_of_a_test_that_was_edited_and_not_tried_is_named(world: World) -> None:
    wrong = GIVEN.replace("== 2.0", "== 4.0")
    world.code(RIGHT).test("test_calc.py", wrong)
    assert recorded(world.red()) == "red"
    world.test("test_calc.py", GIVEN)
    assert refused(world.green()) == "green-passes-on-red"
    world.abandon()
    assert recorded(world.green()) == "refactor"
    abandoned = forge(world, 1, lambda entry: replace(entry, functions={}))  # which then drops nothing,
    green = forge(abandoned, 2, lambda entry: replace(entry, phase=Phase.GREEN))  # and this closes the red
    assert green.gate().verdict is Verdict.PASSED
    told = forged(replay(green))
    assert told.startswith("Entry 3 of ") and "edited since, and not tried on the code of its red" in told


def test_code_that_no_run_would_have_taken_is_named(world: World) -> None:
    at_green(world)
    told = forged(replay(forge(world, 0, on_unit(world, "import sys\n" + STUB))))
    assert "found: calc.py:1: The course does not allow sys in a unit: " in told


def test_a_snapshot_that_is_no_text_is_named(world: World) -> None:
    at_green(world)
    content = b"\xff = 1"
    file = File("", content)
    object_of(world, file.sha256).parent.mkdir(exist_ok=True)
    object_of(world, file.sha256).write_bytes(content)
    change = {UNIT: UnitRecord(file.sha256, code_hash(content.decode("utf-8", "replace")))}
    gate = replay(forge(world, 0, lambda entry: replace(entry, units=change)))
    assert "found: bytes that are no text" in " ".join(gate.reasons[0].detail)


def test_the_report_says_it_in_text_and_in_json(world: World) -> None:
    at_green(world)
    forge(world, 0, on_unit(world, RIGHT))
    report = check(world.ports, world.module, Options(jobs=2, seed=1, replay=True))
    assert report.exit_code == 1
    assert "1/2 entries replayed, 1 forged" in report.last_line
    assert f"      {TEST}: on record: failed on the stub; found: passed\n" in plain(report)
    (gate,) = [gate for gate in report.gates if gate.gate == "replay"]
    fields = json.loads(json.dumps(gate.fields))
    counts = {name: fields[name] for name in ("entries", "held", "stale", "forged", "undecided", "lost")}
    assert counts == {"entries": 2, "held": 1, "stale": 0, "forged": 1, "undecided": 0, "lost": 0}
    (entry,) = fields["not_as_written"]
    assert (entry["seq"], entry["phase"], entry["fate"]) == (1, "red", "forged")
    claim = {"what": TEST, "claimed": "failed on the stub", "found": "passed", "weighs": True}
    assert entry["differences"] == [claim]


def test_of_many_forged_lines_the_first_are_told_and_json_has_them_all(world: World) -> None:
    at_green(world)
    bad = on_unit(world, RIGHT)(world.state().links[0].entry)
    for _ in range(7):
        world.ports.journal.append(world.module.id, replace(bad, heads=world.state().heads), ())
        world.ports.journal.append(
            world.module.id, replace(world.state().links[1].entry, heads=world.state().heads), ()
        )
    gate = replay(world)
    assert [reason.slug for reason in gate.reasons] == [*["replay-forged"] * 5, "replay-more"]
    assert gate.reasons[-1].text == "2 more entries are forged."
    assert len(gate.fields["not_as_written"]) == 7
