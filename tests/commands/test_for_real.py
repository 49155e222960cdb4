"""Whole commands on the tiny course, real files and real runs: grades, and tricks that must earn none."""

from __future__ import annotations

import pytest

from ol.commands.check import Options as CheckOptions
from ol.commands.check import check
from ol.commands.hint import hint
from ol.commands.mutate import Options, mutate
from ol.commands.tests import tests as run_course_tests
from ol.domain.exit_code import ExitCode
from ol.domain.report import GateResult, Report
from ol.render.text import plain
from tests.commands.journal_world import GIVEN, IMPORTS, RIGHT, STUB, TINY, World, stub_but

EXEMPLARS = (TINY / "course/exemplars/A1/test_calc.py").read_text(encoding="utf-8")


def grade(world: World, suite: str, **options: object) -> GateResult:
    world.test("test_calc.py", suite)
    (gate,) = mutate(world.ports, world.module, Options(jobs=2, seed=1, **options)).gates  # type: ignore[arg-type]
    return gate


def outcomes(gate: GateResult) -> dict[str, str]:
    return {each["id"]: each["outcome"] for each in gate.fields["mutants"]}


def on_unit(world: World, unit: str) -> Report:
    return run_course_tests(world.code(unit).ports, world.module)


# ---- honest work


def test_the_exemplars_kill_every_mutant(world: World) -> None:
    assert grade(world, EXEMPLARS).summary == "5/5 mutants (1.00 ≥ 0.70), s01 killed"


def test_the_given_test_alone_kills_too_few(world: World) -> None:
    gate = grade(world, GIVEN)
    assert gate.verdict.value == "failed"
    assert gate.summary.startswith("1/5 mutants (0.20 < 0.70)")


def test_the_matrix_names_every_killer(world: World) -> None:
    gate = grade(world, EXEMPLARS, matrix=True)
    killers = {each["id"]: each["killers"] for each in gate.fields["mutants"]}
    assert killers["s02"] == ["test_calc.py::test_clamp[3.0-1.0]"]
    assert killers["s05"] == ["test_calc.py::test_running"]
    assert "kills nothing: test_calc.py::test_mean_of_nothing" in gate.notes


def test_right_code_passes_the_course_tests(world: World) -> None:
    report = on_unit(world, RIGHT)
    assert report.last_line == "A1 PASSED — 5/5 course tests [unverified: A0]"


def test_a_stub_is_not_attempted(world: World) -> None:
    report = on_unit(world, STUB)
    assert report.exit_code is ExitCode.BLOCKED
    assert "not attempted" in report.last_line


def test_a_half_written_unit_counts_what_waits_for_each_function(world: World) -> None:
    report = on_unit(world, stub_but("mean", "return sum(values) / len(values) if values else 1 / 0"))
    told = plain(report)
    assert "clamp is not written yet: 4 cases wait for it" in told
    assert "test_mean_refuses_nothing: ZeroDivisionError" in told
    assert "your line python/tinycalc/calc.py:" in told
    assert "return sum(values) / len(values) if values else 1 / 0" in told


def test_check_passes_when_everything_is_done(world: World) -> None:
    world.code(STUB).test("test_calc.py", EXEMPLARS).red()
    world.code(RIGHT).green()
    report = check(world.ports, world.module, CheckOptions(jobs=2, seed=1))
    done = "5/5 course tests, journal complete, 5/5 mutants (1.00 ≥ 0.70), s01 killed"
    assert report.last_line == f"A1 PASSED — {done} [unverified: A0]"


def test_a_fault_in_an_unverified_need_is_told_from_one_in_the_module(world: World) -> None:
    world.code(RIGHT).test("test_calc.py", EXEMPLARS)
    world.unit.with_name("num.py").write_text(
        "def total(values):\n    return sum(values, 1.0)\n", encoding="utf-8"
    )
    told = plain(check(world.ports, world.module, CheckOptions(jobs=2, seed=1)))
    assert "A1 is right; the fault is in your A0." in told


def test_a_witness_shows_what_really_differs(world: World) -> None:
    hint(world.ports, world.module, "s04")
    lines = hint(world.ports, world.module, "s04").lines
    assert "  correct  out: ValueError" in lines
    assert "  s04      out: 1.0" in lines


# ---- tricks: each suite would kill mutants without testing anything

ON_A_MUTANT = "mean([1.0, 3.0]) != 2.0"


@pytest.mark.parametrize(
    ("trick", "outcome"),
    [
        (f"assert not {ON_A_MUTANT}\n\ndef test_a():\n    pass\n", "inconclusive"),
        (f"if not {ON_A_MUTANT}:\n    def test_a():\n        pass\n", "inconclusive"),
        (f"def test_a():\n    if {ON_A_MUTANT}:\n        pytest.skip('later')\n", "inconclusive"),
        (f"def test_a():\n    if {ON_A_MUTANT}:\n        pytest.xfail('later')\n", "inconclusive"),
        (f"def test_a():\n    if {ON_A_MUTANT}:\n        pytest.exit('out', returncode=0)\n", "inconclusive"),
        (f"def test_a():\n    if {ON_A_MUTANT}:\n        raise KeyboardInterrupt\n", "inconclusive"),
        (
            "@pytest.fixture\ndef late():\n    yield\n    assert mean([1.0, 3.0]) == 2.0\n\n"
            "def test_a(late):\n    pass\n",
            "inconclusive",
        ),
        (
            "def test_a():\n    with open('counter', 'a+') as file:\n        file.seek(0)\n"
            "        ran = file.read()\n        file.write('x')\n    assert not ran\n",
            "survived",
        ),
        ("def test_a():\n    assert True\n", "survived"),
    ],
    ids=["import", "no test", "skip", "xfail", "exit", "interrupt", "teardown", "counter", "nothing"],
)
def test_what_tests_nothing_kills_nothing(trick: str, outcome: str, world: World) -> None:
    assert outcomes(grade(world, IMPORTS + trick))["s01"] == outcome


def test_a_suite_that_reads_code_objects_by_a_hidden_name_fails_on_a_wheat(world: World) -> None:
    reads = (
        "def test_a():\n    code = getattr(mean, '__co' + 'de__')\n"
        "    assert getattr(code, 'co' + '_names') == ('ValueError', 'total', 'len')\n"
    )
    gate = grade(world, IMPORTS + reads)
    assert gate.fields["refused"] == "wheat-rejects"
    assert gate.verdict.value == "failed"


def test_a_suite_that_reads_code_openly_is_told_the_line(world: World) -> None:
    gate = grade(world, IMPORTS + "def test_a():\n    assert mean.__code__\n")
    assert "test_calc.py:5" in gate.reasons[0].text


@pytest.mark.parametrize(
    "trick",
    [
        "class Odd(float):\n    def __eq__(self, other): return True\n"
        "    def __sub__(self, other): return 0.0\n"
        "def mean(values): return Odd(0.0)\n",
        "raise SystemExit(0)\n",
        "def mean(values): raise SystemExit(0)\n",
    ],
    ids=["equal to all", "exit at import", "exit in a call"],
)
def test_a_unit_that_tricks_its_way_out_passes_no_course_test(trick: str, world: World) -> None:
    assert not on_unit(world, RIGHT + trick).passed
