"""An evening on L2.2, from the first command to the verdict, as the chapter tells it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.cli.student import EXEMPLARS, REFERENCE, Student, edited, gates, slugs, tree, words_of

ALL = [f"s{number:02d}" for number in range(1, 13)]
NEEDS = {"M06.3", "M11.2", "M10.2", "L0.1", "L0.2", "L0.3", "L0.4", "L0.5", "L0.6"}
BELOW_THEM = {"M07.3", "M10.4"}


def records(student: Student) -> list[dict[str, Any]]:
    (chain,) = (student.root / "journals/L2.2").glob("*.jsonl")
    return [json.loads(line) for line in chain.read_text(encoding="utf-8").splitlines()]


def outcomes(gate: dict[str, Any], outcome: str) -> list[str]:
    return [each["id"] for each in gate["fields"]["mutants"] if each["outcome"] == outcome]


def test_start_writes_a_stub_and_the_given_test_and_says_what_comes_next(newcomer: Student) -> None:
    told = newcomer.does("start", "L2.2", "--ref-deps")
    assert newcomer.unit.is_file()
    assert "raise NotImplementedError" in newcomer.unit.read_text(encoding="utf-8")
    assert [path.name for path in newcomer.tests.iterdir()] == ["test_nplm.py"]
    assert told.lines[0].endswith("[R3: one test given]")
    for said in ("python/tinyllm/lm/nplm.py", "python/tests/l2-2-nplm/", "ol tests L2.2", "ol tdd red L2.2"):
        assert said in told.out
    assert len(told.lines) <= 14


def test_a_stub_is_not_attempted_and_each_of_its_names_is_told(started: Student) -> None:
    report = started.json("tests", exits=3)
    gate = gates(report)["course tests"]
    assert (gate["verdict"], slugs(gate)) == ("blocked", ["not-attempted"])
    for name in ("windows", "NPLM.forward", "NPLM.generate", "train_nplm", "save_nplm", "load_nplm"):
        assert name in words_of(gate)


def test_the_given_test_goes_red_then_green_and_both_are_recorded(newcomer: Student) -> None:
    newcomer.does("start", "L2.2", "--ref-deps")
    assert newcomer.does("tdd", "red").lines[0] == "Red recorded: the test fails, on the stub only."
    (red,) = records(newcomer)
    assert red["phase"] == "red"
    assert red["functions"]["test_nplm.py::test_hand_example_logits"]["cause"] == "stub"

    newcomer.writes(REFERENCE)
    green = newcomer.does("tdd", "green").lines
    assert green[0] == "Green recorded: 1 test passes, 1 open red closed."
    assert [each["phase"] for each in records(newcomer)] == ["red", "green"]
    assert records(newcomer)[1]["functions"]["test_nplm.py::test_hand_example_logits"]["outcome"] == "passed"


def test_a_red_keeps_the_tests_and_the_unit_it_was_seen_with(started: Student) -> None:
    started.does("tdd", "red")
    (red,) = records(started)
    kept = {path.name: path.read_bytes() for path in (started.root / "journals/objects").rglob("*/*")}
    assert kept[red["files"]["test_nplm.py"]["sha256"]] == (started.tests / "test_nplm.py").read_bytes()
    assert kept[red["units"]["tinyllm.lm.nplm"]["sha256"]] == started.unit.read_bytes()
    assert red["sources"] == {"L2.2": "student"} | dict.fromkeys(NEEDS | BELOW_THEM, "reference")


def test_the_given_test_alone_is_below_the_threshold_and_told_what_got_away(started: Student) -> None:
    told = started.writes(REFERENCE).ol("mutate", "L2.2")
    assert (told.code, told.err) == (1, "")
    assert told.last == "L2.2 FAILED — 2/12 mutants (0.17 < 0.70), s01 survived"
    assert "the embedding table is the same after it as before" in told.out  # the symptom of s01
    assert "It is pitfall 1 of the chapter." in told.out
    assert "`ol hint L2.2 s01` helps, a step at a time" in told.out
    assert "passes at once on your correct code, as it should: `ol tdd green L2.2` books it" in told.out
    assert "Tensor(self.emb.weight.data" not in told.out  # the fault itself is not given away


def test_what_survives_is_told_three_at_a_time_the_worst_first(started: Student) -> None:
    gate = gates(started.json("mutate", exits=1))["mutation"]
    assert outcomes(gate, "survived") == ["s01", *ALL[3:]]
    assert slugs(gate) == ["survived", "survived", "survived", "more"]
    assert gate["reasons"][0]["text"].startswith("s01 survived, and it is required: ")
    every = gates(started.json("mutate", "--all", exits=1))["mutation"]
    assert slugs(every) == ["survived"] * 10


def test_the_exemplar_tests_kill_all_twelve_whatever_the_students_own_unit(started: Student) -> None:
    report = started.has_tests(EXEMPLARS).json("mutate", exits=0)
    gate = gates(report)["mutation"]
    assert outcomes(gate, "killed") == ALL
    assert gate["fields"]["score"] == 1.0
    assert gate["fields"]["threshold"] == 0.7
    assert report["last_line"] == "L2.2 PASSED — 12/12 mutants (1.00 ≥ 0.70), s01 killed"


def test_an_unchanged_suite_is_answered_from_the_cache_until_it_changes(calc: Student) -> None:
    def cached(*options: str) -> bool:
        return bool(gates(calc.json("mutate", *options, exits=1))["mutation"]["cached"])

    assert [cached(), cached(), cached("--no-cache")] == [False, True, False]
    given = calc.tests / "test_calc.py"
    given.write_text(given.read_text(encoding="utf-8") + "\n# a remark\n", encoding="utf-8")
    assert not cached()


def test_check_passes_assisted_after_an_honest_journal(done: Student) -> None:
    report = done.json("check", exits=0)
    verdicts = {name: gate["verdict"] for name, gate in gates(report).items()}
    names = ["contract", "needs", "course tests", "values", "journal", "mutation"]
    assert verdicts == dict.fromkeys(names, "passed")
    assert report["passed"] is True
    assert set(report["assisted_by"]) == NEEDS | BELOW_THEM
    line, _, assisted = report["last_line"].partition(" [assisted: ")
    done_all = "17/17 course tests, 8/8 probes, journal complete, 12/12 mutants (1.00 ≥ 0.70), s01 killed"
    assert line == f"L2.2 PASSED — {done_all}"
    assert assisted.endswith(" from the reference]")


def test_what_comes_next_is_the_module_last_started_until_its_check_has_passed(done: Student) -> None:
    done.does("tests")
    done.writes(REFERENCE + "# edited\n")
    assert "next   ol check L2.2" in done.does("status").lines
    done.does("check")
    assert any(line.startswith("next   ol start ") for line in done.does("status").lines)


def test_without_the_references_needs_check_is_blocked_by_them_and_grades_the_rest(done: Student) -> None:
    report = done.json("check", "--ref-deps=none", exits=3)
    verdicts = {name: gate["verdict"] for name, gate in gates(report).items()}
    assert {verdicts[name] for name in ("needs", "course tests", "values")} == {"blocked"}
    assert {verdicts[name] for name in ("contract", "journal", "mutation")} == {"passed"}
    assert "need-missing" in slugs(gates(report)["needs"])


def test_from_a_folder_below_the_same_course_and_work_are_found(done: Student) -> None:
    told = replace(done, root=done.tests).does("check", "--cached")
    assert told.last.startswith("L2.2 PASSED — 17/17 course tests")
    assert tree(done.tests) == {"test_nplm.py": EXEMPLARS.encode()}


def test_with_a_trusted_course_what_the_work_says_of_course_and_memory_counts_for_nothing(
    done: Student, tmp_path: Path
) -> None:
    ci = done.abroad(tmp_path / "ci")
    for folder in ("course", ".ol"):
        shutil.copytree(done.root / folder, ci.root / folder)
    edited(ci.root / "course/modules/L2.2.toml", 'rung = "R3"', 'rung = "R0"')
    before = tree(ci.root)
    report = ci.json("check", "L2.2", "--ref-deps", exits=0)
    assert report["passed"]
    assert len(gates(report)) == 6
    assert not any(gate["cached"] for gate in report["gates"])
    assert tree(ci.root) == before
    assert ci.ol("check").code == 2  # nor is there a module last started
