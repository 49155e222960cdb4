"""Exit codes, standard output and error, JSON by its schema."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.ended import leaves_nothing_running, one_sentence
from tests.cli.schema import breaches
from tests.cli.student import EXEMPLARS, ROOT, Student, Told, gates

FULL = [">/dev/full"] if Path("/dev/full").exists() else []  # Linux has one
posix_shell = pytest.mark.skipif(os.name != "posix", reason="closing a stream is told a POSIX shell")
COMMANDS = {
    "status": (("status",), 0),
    "start": (("start", "L2.2"), 0),
    "tests": (("tests", "--smoke"), 0),
    "tdd red": (("tdd", "red"), 1),
    "tdd green": (("tdd", "green"), 0),
    "tdd abandon": (("tdd", "abandon"), 0),
    "tdd log": (("tdd", "log"), 0),
    "tdd repair": (("tdd", "repair"), 0),
    "mutate": (("mutate",), 0),
    "check": (("check", "--cached"), 0),
    "hint": (("hint",), 0),
    "an unknown id": (("tests", "L9.9"), 2),
    "a usage": (("tests", "--fast"), 2),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_json_is_one_object_by_the_published_schema_that_says_what_the_text_says(
    name: str, done: Student
) -> None:
    words, code = COMMANDS[name]
    text = done.ol(*words)
    told = done.typed(*words, "--json")  # in a process of its own
    assert text.code == told.code == code
    answer = told.answer()
    assert answer["version"] == 1
    if answer["kind"] == "error":
        assert told.err == ""
        assert [f"ol: {answer['message']}", f"    {answer['next_step']}", f"    [{answer['slug']}]"] == (
            text.err.splitlines()
        )
    elif answer["kind"] == "report":
        assert text.last == answer["last_line"]
        assert len(answer["lock"]) == 64
        assert answer["course_version"] == "2026.1"
    else:
        assert answer["lines"][-1] == text.last


def test_the_schema_check_can_fail(done: Student) -> None:
    answer = done.json("tests", "--smoke", exits=0)
    for broken in (
        answer | {"passed": "yes"},
        answer | {"more": 1},
        answer | {"gates": [answer["gates"][0] | {"verdict": "fine"}]},
        {key: answer[key] for key in answer if key != "sources"},
        answer | {"kind": "page"},
    ):
        assert breaches(broken) != []


def test_an_error_goes_to_standard_error_with_its_slug(newcomer: Student) -> None:
    told = newcomer.typed("start", "L9.9")
    assert (told.code, told.out) == (2, "")
    assert told.err.splitlines()[-1] == "    [unknown-id]"


def test_a_verdict_goes_to_standard_output_and_its_last_line_is_the_verdict(started: Student) -> None:
    told = started.typed("tests")
    assert (told.code, told.err) == (3, "")
    assert told.last.startswith("L2.2 BLOCKED — ")


def test_a_fault_of_ol_is_code_70_with_a_file_to_send_in(calc: Student) -> None:
    broken = "import ol.commands.status as s\ns.status = lambda ports: 1 / 0\n"
    script = f"{broken}from ol.__main__ import main\nmain()\n"
    for more in ((), ("--json",)):
        done = subprocess.run(
            [sys.executable, "-c", script, "status", *more],
            cwd=calc.root,
            env=calc.environment(),
            capture_output=True,
            encoding="utf-8",
        )
        told = Told(done.returncode, done.stdout, done.stderr)
        assert told.code == 70
        said = told.answer()["message"] if more else told.err
        assert ("[fault]" in said) is not more or told.answer()["slug"] == "fault"
        assert "not of your work" in said
    reports = list(calc.temporary.glob("ol-fault-*.txt"))
    assert len(reports) == 2
    assert "ZeroDivisionError" in reports[0].read_text(encoding="utf-8")


# ---- what is imported, and what is left behind


@pytest.mark.parametrize("words", [["--help"], ["check", "--help"], ["--version"]])
def test_help_imports_neither_rich_nor_numpy_nor_msgspec_nor_pytest(words: list[str]) -> None:
    script = (
        f"import sys\nfrom ol.cli import run\ncode = run({words!r})\n"
        "heavy = sorted({'rich', 'numpy', 'msgspec', 'pytest', 'torch'} & set(sys.modules))\n"
        "print('\\nheavy', heavy, code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.splitlines()[-1] == "heavy [] 0"


@pytest.mark.parametrize("words", [["--help"], ["tdd", "--help"], ["mutate", "-h"]])
def test_help_is_code_0_and_on_standard_output(words: list[str], newcomer: Student) -> None:
    told = newcomer.typed(*words)
    assert (told.code, told.err) == (0, "")
    assert told.lines[0].startswith("Usage: ol")


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent to one process on POSIX alone")
def test_ctrl_c_in_the_middle_of_the_mutants_leaves_no_process_and_no_scratch(started: Student) -> None:
    process = started.has_tests(EXEMPLARS).begin("mutate", "--plain", "--no-cache")
    assert process.stderr is not None
    assert any("mutants: " in line for line in iter(process.stderr.readline, ""))
    assert list(started.temporary.iterdir()) != []
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err.strip().splitlines() == ["ol: Interrupted.", "    [interrupted]"]
    assert leaves_nothing_running(started)
    assert gates(started.json("mutate", exits=0))["mutation"]["cached"] is False


def test_a_reader_that_left_is_no_fault(done: Student) -> None:
    process = done.begin("mutate", "--matrix")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@posix_shell
@pytest.mark.parametrize(
    "words", ["status", "status --json", "tests --smoke", "--help", "--version", "check --help", ""]
)
@pytest.mark.parametrize("to", [">&-", ">&- 2>&-", *FULL])
def test_an_answer_that_cannot_be_written_is_code_2_and_a_sentence(
    to: str, words: str, done: Student
) -> None:
    told = in_a_shell(done, f"{words} {to}")
    assert (told.code, told.out) == (2, "")
    if "2>" not in to:
        one_sentence(told, "cannot-write")


@posix_shell
def test_a_closed_standard_error_takes_nothing_from_the_answer(done: Student) -> None:
    told = in_a_shell(done, "tests --smoke --plain 2>&-")
    assert (told.code, told.err) == (0, "")
    assert told.last.startswith("L2.2 PASSED")
    assert in_a_shell(done, "tests L9.9 2>&-").code == 2


def in_a_shell(student: Student, line: str) -> Told:
    done = subprocess.run(
        f'"{sys.executable}" -m ol {line}',
        shell=True,
        cwd=student.root,
        env=student.environment(),
        capture_output=True,
        encoding="utf-8",
    )
    return Told(done.returncode, done.stdout, done.stderr)


def test_json_of_an_interrupted_command_is_json_too(started: Student) -> None:
    process = started.has_tests(EXEMPLARS).begin("mutate", "--json", "--no-cache")
    assert process.stderr is not None
    assert any("mutants: " in line for line in iter(process.stderr.readline, ""))
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    answer = json.loads(out)
    assert breaches(answer) == []
    assert (process.returncode, answer["slug"], answer["exit_code"]) == (130, "interrupted", 130)
