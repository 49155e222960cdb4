"""The commands that show the way: demo, status, hints, and the ways to choose among course tests."""

from __future__ import annotations

import json
import re

from tests.cli.student import GIVEN, REFERENCE, Student, gates, tree

COURSE_TESTS = 17
FAULTY = REFERENCE.replace("sequence[context:]", "sequence[context - 1 : -1]")  # s05


# ---- demo


def test_the_demo_plays_a_whole_session_and_ends_with_its_verdict(newcomer: Student) -> None:
    before = tree(newcomer.root)
    told = newcomer.does("demo")
    assert told.err == ""
    assert re.match(
        r"L2\.2 PASSED — 17/17 course tests, .*journal complete, 12/12 mutants \(1\.00 ≥ 0\.70\), s01 killed",
        told.last,
    )
    typed = [line for line in told.lines if line.startswith("$ ol ")]
    assert typed[0] == "$ ol start L2.2 --ref-deps"
    assert typed[-1] == "$ ol check L2.2"
    assert len(typed) == 8
    assert "    L2.2 FAILED — 2/12 mutants (0.17 < 0.70), s01 survived" in told.lines
    assert tree(newcomer.root) == before
    assert list(newcomer.temporary.iterdir()) == []


def test_a_demo_whose_check_fails_fails(started: Student) -> None:
    (started.root / "course/exemplars/L2.2/test_nplm.py").write_text(GIVEN, encoding="utf-8")
    told = started.ol("demo")
    assert told.code == 1
    assert told.last.startswith("L2.2 FAILED — ")
    assert "2/12 mutants (0.17 < 0.70), s01 survived" in told.last


# ---- help


def test_ol_and_ol_tdd_alone_show_their_help(newcomer: Student) -> None:
    for group, command in (((), "check"), (("tdd",), "abandon")):
        told = newcomer.does(*group)
        assert told.out == newcomer.does(*group, "--help").out
        assert f"  {command} " in told.out


# ---- status


def row(student: Student, id: str) -> dict[str, object]:
    (found,) = [each for each in student.json("status", exits=0)["fields"]["modules"] if each["id"] == id]
    return dict(found)


def test_status_follows_the_work(newcomer: Student) -> None:
    assert newcomer.does("status").last == "next   ol start L0.1"
    assert tree(newcomer.root) == {}
    newcomer.does("start", "L2.2")
    assert row(newcomer, "L2.2")["state"] == "stub"
    assert row(newcomer, "L0.1")["state"] == "not started"
    assert newcomer.does("status").last == "next   ol start L0.1"  # which L2.2 waits for
    newcomer.does("start", "L2.2", "--ref-deps")
    assert newcomer.does("status").last == "next   ol tests L2.2"


def test_status_tells_of_journal_and_grade_and_runs_nothing(done: Student) -> None:
    told = done.does("status").out
    assert "16 tests: 16 seen red" in told
    assert "12/12 mutants (1.00 of 0.70)" in told
    assert row(done, "L2.2")["state"] == "assisted"
    done.writes(f"{REFERENCE}\n\nraise SystemExit('status ran me')\n")
    told = done.does("status").out
    assert "status ran me" not in told
    assert row(done, "L2.2")["state"] != "assisted"  # nothing is believed of another text


# ---- hint


def test_hints_climb_three_steps_and_then_no_further(started: Student) -> None:
    steps = [started.json("hint", "s01", exits=0) for _ in range(4)]
    assert [each["fields"]["step"] for each in steps] == [1, 2, 3, 3]
    symptom, witness, diff, again = ("\n".join(each["lines"]) for each in steps)
    assert "the embedding table is the same after it as before" in symptom
    assert "out" not in symptom.split()
    assert "emb.weight.grad: None" in witness
    assert "Tensor(self.emb.weight.data[" not in witness
    assert "self.emb(ids)" in diff
    assert "Tensor(self.emb.weight.data[" in diff
    assert again == diff
    for climbed, next_step in ((symptom, "witness"), (witness, "diff")):
        assert climbed.splitlines()[-1] == f"`ol hint L2.2 s01` once more shows the {next_step}."
    assert "once more" not in diff


def test_the_witness_shows_what_right_and_faulty_code_give(started: Student) -> None:
    for _ in range(2):
        told = started.does("hint", "L2.2", "S12")
    correct, wrong = (line.split("out: ")[1] for line in told.lines if " out: " in line)
    assert float(correct) > float(wrong) > 0


def test_the_steps_taken_are_kept_for_their_owner(started: Student) -> None:
    started.does("hint", "s04")
    started.does("hint", "s04")
    started.does("hint", "s07")
    assert started.json("hint", exits=0)["fields"]["steps"] == {"s04": 2, "s07": 1}
    kept = (started.root / ".ol/hints.jsonl").read_text(encoding="utf-8").splitlines()
    assert len([json.loads(line) for line in kept]) == 3


# ---- which course tests


def test_k_chooses_as_pytest_does(started: Student) -> None:
    report = started.writes(REFERENCE).json("tests", "-k", "generate and not ties", exits=0)
    gate = gates(report)["course tests"]
    assert gate["fields"]["passed"] == [
        "test_generate_seeded_and_greedy",
        "test_generate_uses_the_last_window",
    ]
    assert gate["summary"] == f"2/2 course tests selected of {COURSE_TESTS}"


def test_smoke_takes_the_quick_ones_of_the_manifest(started: Student) -> None:
    gate = gates(started.writes(REFERENCE).json("tests", "--smoke", exits=0))["course tests"]
    assert gate["fields"]["passed"] == ["test_windows_hand_example", "test_hand_example_forward"]


def test_all_details_every_failure_and_else_the_first_alone(started: Student) -> None:
    started.writes(FAULTY)
    first, *others = gates(started.json("tests", exits=1))["course tests"]["reasons"]
    assert first["detail"]
    assert len(others) >= 4
    assert not any(each["detail"] for each in others)
    every = gates(started.json("tests", "--all", exits=1))["course tests"]["reasons"]
    assert len(every) == len(others) + 1
    assert all(any(line.startswith("again ") for line in each["detail"]) for each in every)


def test_a_selection_that_passes_is_no_pass_of_the_module(started: Student) -> None:
    report = started.writes(FAULTY).json("tests", "-k", "greedy_ties", exits=0)
    assert report["last_line"].startswith(f"L2.2 PASSED — 1/1 course tests selected of {COURSE_TESTS}")
    assert row(started, "L2.2")["state"] not in ("passing", "assisted")


def test_arguments_after_two_dashes_are_pytests_and_nothing_is_graded(started: Student) -> None:
    started.writes(REFERENCE)
    before = tree(started.root)
    told = started.typed("tests", "L2.2", "--", "-q", "-k", "windows_hand")
    assert told.code == 0
    assert "1 passed, 18 deselected" in told.out
    assert told.last == "Run in the foreground on your files as they are: nothing was graded or recorded."
    assert started.writes(FAULTY).typed("tests", "--", "-q", "-k", "windows_hand").code == 1
    assert tree(started.writes(REFERENCE).root) == before


def test_the_foreground_takes_the_students_unit_before_the_references(started: Student) -> None:
    told = started.typed("tests", "--", "-q", "-x")  # the stub, not the reference
    assert told.code == 1
    assert "NotImplementedError" in told.out
