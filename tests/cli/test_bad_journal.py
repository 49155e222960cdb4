"""Journals that were cut short, edited, lost or written by two at once: nothing on record is ever lost."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.refused import refused
from tests.cli.student import EXEMPLARS, REFERENCE, Student, gates, slugs, tree, words_of

CALC = "course/reference/tinycalc/calc.py"


@pytest.fixture
def recorded(calc: Student) -> Student:
    """A1 with right code, seen red and green."""
    calc.does("tdd", "red")
    calc.writes((calc.root / CALC).read_text(encoding="utf-8")).does("tdd", "green")
    return calc


def chain(student: Student, module: str = "A1") -> Path:
    (path,) = (student.root / "journals" / module).glob("*.jsonl")
    return path


def entries(student: Student, module: str = "A1") -> list[dict[str, Any]]:
    return [json.loads(line) for line in chain(student, module).read_bytes().splitlines()]


def journal(student: Student) -> dict[str, Any]:
    told = student.ol("check", "--json")
    return gates(told.answer())["journal"]


def one_more(student: Student) -> None:
    path = student.tests / "test_calc.py"
    more = "\n\ndef test_more():\n    assert mean([2.0]) == 2.0\n"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")


def test_a_torn_last_line_is_set_aside_by_the_next_writing(recorded: Student) -> None:
    whole = chain(recorded).read_bytes()
    lines = whole.splitlines(keepends=True)
    chain(recorded).write_bytes(lines[0] + lines[1][: len(lines[1]) // 2])
    torn = tree(recorded.root)

    gate = journal(recorded)
    assert slugs(gate) == ["journal-no-green"]  # what was torn off does not count
    assert {name: torn[name] for name in torn if "cache" not in name}.items() <= tree(recorded.root).items()

    cut = chain(recorded)
    recorded.does("tdd", "green")
    assert cut.read_bytes() == lines[0]
    (begun,) = {*cut.parent.glob("*.jsonl")} - {cut}  # what was written last is not there: another chain
    assert json.loads(begun.read_bytes())["phase"] == "green"
    assert cut.with_suffix(".aside").read_bytes() == lines[1][: len(lines[1]) // 2]
    assert journal(recorded)["verdict"] == "passed"


def test_an_edited_line_stops_every_writing_until_it_is_repaired(recorded: Student) -> None:
    text = chain(recorded).read_bytes()
    chain(recorded).write_bytes(text.replace(b'"phase":"red"', b'"phase":"green"', 1))
    assert chain(recorded).read_bytes() != text
    edited = tree(recorded.root / "journals")
    for words in (("tdd", "red"), ("tdd", "green"), ("tdd", "abandon")):
        gate = recorded.json(*words, exits=1)["gates"][0]
        assert slugs(gate) == ["journal-damaged"]
        assert re.search(r"journals/A1/\S+\.jsonl", words_of(gate))
        assert "ol tdd repair" in words_of(gate)
    assert slugs(journal(recorded)) == ["journal-damaged"]
    assert tree(recorded.root / "journals") == edited

    told = recorded.does("tdd", "repair")
    aside = next((recorded.root / "journals/A1").glob("*.aside"))
    assert aside.name in told.out
    kept = aside.read_bytes() + b"".join(
        p.read_bytes() for p in (recorded.root / "journals/A1").glob("*.jsonl")
    )
    assert all(line in kept for line in edited[f"A1/{aside.stem}.jsonl"].splitlines())
    recorded.does("tdd", "green")
    assert recorded.does("tdd", "repair").out == "The journal of A1 is whole: nothing to repair.\n"


def test_a_forged_line_is_found_by_its_chain(recorded: Student) -> None:
    first, last = chain(recorded).read_bytes().splitlines()
    chain(recorded).write_bytes(b"\n".join([last.replace(b'"seq":2', b'"seq":1'), last, b""]))
    assert slugs(journal(recorded)) == ["journal-damaged"]
    assert first not in chain(recorded).read_bytes()


def test_a_snapshot_that_is_gone_or_changed_is_missed(recorded: Student) -> None:
    objects = [path for path in (recorded.root / "journals/objects").rglob("*") if path.is_file()]
    objects[0].write_bytes(objects[0].read_bytes() + b"\n")
    gate = journal(recorded)
    assert slugs(gate) == ["journal-object-missing"]
    assert objects[0].name[:8] in words_of(gate)


def test_a_journal_that_is_gone_is_missed_where_it_was_written(recorded: Student) -> None:
    chain(recorded).unlink()
    assert slugs(journal(recorded)) == ["journal-gone"]


def test_a_journal_of_a_newer_ol_is_left_alone(recorded: Student) -> None:
    body = chain(recorded).read_bytes().splitlines()[0].replace(b'"version":1', b'"version":99')
    body = body[: body.rindex(b',"sha256":"')] + b"}"
    line = b'%s,"sha256":"%s"}\n' % (body[:-1], hashlib.sha256(body).hexdigest().encode("ascii"))
    chain(recorded).write_bytes(line)
    for words in (("tdd", "green"), ("tdd", "log"), ("check",)):
        refused(recorded, *words, code=2, slug="journal-newer", says="newer ol")


def test_two_clones_each_write_their_own_chain_and_a_merge_keeps_both(
    recorded: Student, tmp_path: Path
) -> None:
    other = recorded.copied(tmp_path / "other")
    for student in (recorded, other):
        one_more(student)
        student.does("tdd", "green")
    for path in (other.root / "journals").rglob("*.jsonl"):
        (recorded.root / "journals/A1" / path.name).write_bytes(path.read_bytes())
    assert len(list((recorded.root / "journals/A1").glob("*.jsonl"))) == 2
    recorded.does("tdd", "green")
    assert journal(recorded)["verdict"] == "passed"


@pytest.mark.parametrize("writers", [2, 4])
def test_records_written_at_once_all_land(writers: int, calc: Student) -> None:
    processes = [calc.begin("tdd", "red") for _ in range(writers)]
    ended = [(*process.communicate(timeout=120), process.returncode) for process in processes]
    assert [code for *_, code in ended] == [0] * writers, ended
    assert [each["seq"] for each in entries(calc)] == list(range(1, writers + 1))
    assert {each["phase"] for each in entries(calc)} == {"red"}
    log = calc.json("tdd", "log", exits=0)
    assert log["fields"]["entries"] == writers
    calc.writes((calc.root / CALC).read_text(encoding="utf-8")).does("tdd", "green")
    assert journal(calc)["verdict"] == "passed"


def test_a_red_and_a_green_at_once_lose_nothing(recorded: Student) -> None:
    one_more(recorded)
    before = chain(recorded).read_bytes()
    processes = [recorded.begin("tdd", "green") for _ in range(2)]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
        assert "recorded" in out or "Nothing changed since the last green" in out
    assert chain(recorded).read_bytes().startswith(before)
    phases = [each["phase"] for each in entries(recorded)]
    assert phases[:3] == ["red", "green", "refactor"]
    assert set(phases[3:]) <= {"refactor"}
    assert journal(recorded)["verdict"] == "passed"


def test_nothing_is_recorded_twice_where_nothing_changed(recorded: Student) -> None:
    before = tree(recorded.root / "journals")
    assert recorded.does("tdd", "green").lines[0].startswith("Nothing changed since the last green")
    assert tree(recorded.root / "journals") == before


def test_the_whole_story_is_told_and_an_open_red_can_be_dropped(started: Student) -> None:
    started.has_tests(EXEMPLARS).does("tdd", "red")
    told = started.does("tdd", "abandon", "test_ties_go_to_the_lowest_id")
    assert "abandoned: the red of test_nplm.py::test_ties_go_to_the_lowest_id" in told.out
    started.writes(REFERENCE).does("tdd", "green")
    assert [each["phase"] for each in entries(started, "L2.2")] == ["red", "abandon", "green"]
    log = started.json("tdd", "log", exits=0)
    assert log["fields"] == {"entries": 3, "open": []}
    assert "16 tests: 15 seen red" in "\n".join(log["lines"])
