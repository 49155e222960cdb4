"""The guides and the chapters show commands that exist, and repeat course and harness faithfully."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

from frozen.toml_file import read_toml
from ol.cli import spelled_out
from ol.commands.proofs import READ, RUN
from ol.domain.code.identity import is_test_file
from ol.domain.code.overlooked import overlooked
from ol.domain.course import Bar, Blank, CourseModule, CourseTest, Golden, Probe
from ol.domain.exit_code import ExitCode
from ol.domain.file import File
from ol.domain.mutation import Mutant
from ol.domain.suite import Budget
from ol.verbs import ol
from tests.course.chapter import blocks, flat, prose, section, table

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ("students", "instructors", "authors", "messages")
PAGES = [*(f"docs/{guide}.md" for guide in GUIDES), "course/chapters/L2.2.md"]
PLACEHOLDERS = {"ID": "L2.2", "TEST": "test_it", "EXPR": "hand", "ARGS": "-q", "COMMAND": "check", "N": "1"}
GROUPS = {"ol tdd"}  # named, not called
STUDENTS, INSTRUCTORS, AUTHORS = ((ROOT / page).read_text(encoding="utf-8") for page in PAGES[:3])


def commands(page: str) -> list[str]:
    """Every `ol …` of a page that is a whole command: in a block a line, in a sentence a span of code."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = [line for block in blocks(text, "") for line in block.splitlines()]
    spans = re.findall(r"`([^`\n]+)`", prose(text))
    told = (re.split(r"\s+[#>]", line)[0] for line in [*lines, *spans])
    return sorted({each for each in told if re.match(r"ol\s", each)} - GROUPS)


def words(command: str) -> list[str]:
    """The words after `ol`, with something in the place of each placeholder."""
    spelled = shlex.split(re.sub(r"[\[\]…]", " ", command))[1:]
    return spelled_out([PLACEHOLDERS.get(word, word) for word in spelled if word != "--help"])


@pytest.mark.parametrize("page", PAGES)
def test_every_command_shown_is_one_that_ol_takes(page: str) -> None:
    assert len(commands(page)) > 3
    for shown in commands(page):
        command: click.Command = ol
        name, arguments = "ol", words(shown)
        while isinstance(command, click.Group):
            name, *arguments = arguments
            assert name in command.commands, f"{page} shows `{shown}`"
            command = command.commands[name]
        try:
            command.make_context(name, arguments)
        except click.UsageError as error:
            pytest.fail(f"{page} shows `{shown}`: {error.format_message()}")


def test_the_rungs_are_those_of_the_course() -> None:
    rungs = read_toml(ROOT / "course" / "course.toml")["rungs"]
    told = {row[0]: row[1] for row in table(section(STUDENTS, "Rungs"))}
    assert set(told) == set(rungs)
    for id, rung in rungs.items():
        assert told[id].startswith(rung["means"])
        assert ("journal is kept" in told[id]) == rung["journal"]
        share = f"at least {rung['threshold']:.2f} of the faults must be caught"
        assert (share in told[id].lower()) == (rung["threshold"] > 0)


@pytest.mark.parametrize(
    ("page", "title"),
    [(STUDENTS, "The last line, and the exit code"), (INSTRUCTORS, "Exit codes")],
    ids=["students", "instructors"],
)
def test_the_exit_codes_are_those_of_ol(page: str, title: str) -> None:
    assert [int(row[0]) for row in table(section(page, title))] == [int(code) for code in ExitCode]


def test_what_counts_as_a_test_is_what_ol_takes_for_one_and_names_what_it_does_not() -> None:
    told = section(STUDENTS, "What counts as a test")
    (example,) = re.findall(r"`(test_\w+\.py)`", told)
    assert "`test_*.py`" in told and is_test_file(example) and not is_test_file(example[len("test_") :])
    text = b"def test_it():\n    return 1 == 2\n"
    passed_over, returning = (next(overlooked("t", [File(n, text)])) for n in ("windows.py", example))
    assert "passed over" in passed_over and "passed over" in told
    assert "write `assert` for `return`" in returning and "`return x == y` proves nothing" in told


def test_the_order_of_gravity_is_the_one_that_ol_keeps() -> None:
    told = re.search(r"in the order ([\d, ]+)\.", INSTRUCTORS)
    assert told
    order = [ExitCode(int(code)) for code in told[1].split(",")]
    assert len(order) == len(ExitCode) - 1
    assert all(ExitCode.worst(order[index:]) == code for index, code in enumerate(order))


def test_the_limits_are_those_of_a_run() -> None:
    budget = Budget.measured(1.0)
    assert (budget.memory_bytes, budget.output_bytes, budget.file_bytes) == (1 << 30, 8 << 20, 64 << 20)
    assert (budget.cpu_s, budget.wall_s) == (5.0 + 8.0, 3 * 13.0)
    told = flat(section(INSTRUCTORS, "Machines"))
    assert "1 GB of memory beyond its start, 8 MB of output, files of 64 MB" in told
    assert "5 s and eight times what the baseline took" in told
    assert read_toml(ROOT / "course" / "course.toml")["policy"]["unmeasured_cpu_s"] == 60.0


def test_the_manifest_shown_has_the_keys_that_are_read(tmp_path: Path) -> None:
    shown = toml_shown("The manifest", tmp_path)
    assert set(shown) == {field.name for field in fields(CourseModule)}
    tables = {"tests": CourseTest, "probes": Probe, "blanks": Blank, "goldens": Golden, "bars": Bar}
    for name, kind in tables.items():
        assert set(shown[name][0]) == {field.name for field in fields(kind)}


def test_the_mutant_shown_has_the_keys_that_are_read(tmp_path: Path) -> None:
    (shown,) = toml_shown("Mutants", tmp_path)["mutant"]
    assert set(shown) == {field.name for field in fields(Mutant)}


def toml_shown(title: str, folder: Path) -> dict[str, Any]:
    """The TOML of a section, the keys that it shows as comments taken in."""
    (text,) = blocks(section(AUTHORS, title), "toml")
    (folder / "shown.toml").write_text(re.sub(r"^# (?=\w+ = )", "", text, flags=re.M), encoding="utf-8")
    return read_toml(folder / "shown.toml")


def test_the_proofs_are_those_of_verify_in_its_order() -> None:
    told = section(AUTHORS, "What `ol verify` proves")
    read, run = told.split("By running", 1)
    assert [row[0] for row in table(read)] == ["files", *(proof.name for proof in READ)]
    assert [row[0] for row in table(run)] == [proof.name for proof in RUN]


def test_every_file_of_a_module_that_the_authors_guide_names_is_there() -> None:
    for row in table(section(AUTHORS, "The files of a module")):
        for path in re.findall(r"`([^`]+)`", row[0]):
            assert list(ROOT.glob(path.rstrip("/"))), path


def test_the_authors_guide_names_every_golden_that_torch_does_not_make_and_the_help_does_not_say_it_does() -> (
    None
):
    made = {
        f"course/oracle/{path.stem}/{golden['program']}"
        for path in (ROOT / "course/modules").glob("*.toml")
        for golden in read_toml(path).get("goldens", [])
    }
    without = {each for each in made if "import torch" not in (ROOT / each).read_text(encoding="utf-8")}
    told = section(AUTHORS, "Goldens")
    assert without and all(f"`{each}`" in told for each in without)
    assert "torch, or exact arithmetic" in (ol.commands["oracle"].help or "")
