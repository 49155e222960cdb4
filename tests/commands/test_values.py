"""The values gate on honest units: what it compares, what it says, and what stands when it runs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from ol.adapters.runner import SuiteRunner
from ol.commands.steps.gates import Ground, ValuesGate
from ol.commands.steps.sources import survey
from ol.domain.course import ModuleId
from ol.domain.exit_code import ExitCode
from ol.domain.report import Reason, Verdict
from ol.render.text import plain
from tests.commands.values_world import ADDED, PROBED, RIGHT, Student, Watched, gate, gates

STUB = 'def scaled(values, factor):\n    raise NotImplementedError("P1: scaled is not written yet")\n'
STUB += 'def largest(values):\n    raise NotImplementedError("P1: largest is not written yet")\n'


@pytest.fixture
def student(probed_runner: SuiteRunner) -> Student:
    return Student(Watched(probed_runner))


def asked(student: Student) -> list[str]:
    """What began and ended, and on whose unit."""
    assert isinstance(student.runner, Watched)
    return [f"{what}: {request.sources['tinyarr.scale'][:40]}" for what, request, _ in student.runner.seen]


# ---- agreement


def test_right_code_passes_and_the_seed_is_told(student: Student) -> None:
    found = gate(student, RIGHT)
    assert (found.verdict, found.summary) == (Verdict.PASSED, "2/2 probes")
    (note,) = found.notes
    assert note == f"inputs drawn from seed {found.fields['seed']}"


def test_a_wheat_passes_on_twenty_seeds(student: Student) -> None:
    wheat = (PROBED / "course/wheats/P1/w01.py").read_text(encoding="utf-8")
    assert {gate(student, wheat, seed).verdict for seed in range(20)} == {Verdict.PASSED}


def test_the_gate_stands_between_course_tests_and_journal_in_a_report(student: Student) -> None:
    report = student.check(RIGHT)
    assert list(gates(report)) == ["contract", "course tests", "values"]
    assert report.last_line == "P1 PASSED — 2/2 course tests, 2/2 probes"
    assert report.exit_code is ExitCode.PASSED


def test_inputs_are_drawn_afresh_each_time_unless_a_seed_is_given(student: Student) -> None:
    seeds = {gate(student, RIGHT).fields["seed"] for _ in range(3)}
    assert len(seeds) == 3
    assert gates(student.check(RIGHT, seed=7))["values"].fields["seed"] == 7


# ---- disagreement


def test_a_difference_is_told_with_its_size_its_place_and_why_it_matters(student: Student) -> None:
    found = gate(student, ADDED, seed=7)
    assert (found.verdict, found.summary) == (Verdict.FAILED, "1/2 probes")
    (reason,) = found.reasons
    assert reason.slug == "values-differ"
    assert re.fullmatch(r"scaled: product is off in 6 of 6 values, by up to [\d.]+", reason.text)
    greatest, first, why, again = reason.detail
    assert re.fullmatch(r"greatest difference: \S+ absolute, \S+ relative", greatest)
    assert re.fullmatch(r"first bad value at \[0, 0\]: got \S+, expected \S+", first)
    assert why == "why       a factor is for every value"
    assert again == "again     ol check P1 --seed 7"


def test_one_seed_gives_one_difference_and_another_another(student: Student) -> None:
    once, twice, other = (gate(student, ADDED, seed).reasons[0].detail[1] for seed in (7, 7, 8))
    assert once == twice != other


def test_the_fields_name_every_probe(student: Student) -> None:
    scaled, largest = gate(student, ADDED, seed=7).fields["probes"]
    assert (scaled["name"], scaled["agrees"]) == ("scaled", False)
    assert scaled["difference"].startswith("product is off in 6 of 6 values")
    assert largest == {"name": "largest", "agrees": True, "difference": ""}


def test_a_choice_that_rounding_could_turn_does_not_count_and_a_tie_does(student: Student) -> None:
    last = RIGHT.replace(
        "int(np.asarray(values).argmax())", "len(values) - 1 - int(np.asarray(values)[::-1].argmax())"
    )
    (reason,) = gate(student, last, seed=7).reasons
    assert reason.text == "largest: index is off in 1 of 4 values, by up to 2"


def test_what_a_unit_raises_is_told_with_its_line(student: Student) -> None:
    raises = RIGHT.replace("* factor", "* factor[0]")
    first = gate(student, raises, seed=7).reasons[0]
    assert first.slug == "unit"
    assert first.text.startswith("scaled: TypeError: 'float' object is not subscriptable (in scaled)")
    assert any("your line" in line for line in first.detail)


def test_where_a_probe_breaks_on_what_a_unit_gave_the_unit_is_said_to_be_at_fault(student: Student) -> None:
    nothing = RIGHT + "\n\ndef scaled(values, factor):\n    return None\n"
    first = gate(student, nothing, seed=7).reasons[0]
    told = "scaled: the probe cannot use what your unit gave: TypeError: product is no array of numbers, but None"
    assert (first.slug, first.text) == ("unit", told)
    assert not any("test_probes" in line or "record_property" in line for line in first.detail)


def test_a_line_of_a_probe_is_told_by_the_file_it_stands_in(student: Student) -> None:
    raises = RIGHT.replace("* factor", "* factor[0]")
    first = gate(student, raises, seed=7).reasons[0]
    assert any("course/probes/P1.py:" in line and "in probe_scaled" in line for line in first.detail)


def test_a_unit_that_ends_its_process_is_told_so(student: Student) -> None:
    ends = RIGHT.replace("import numpy as np", "import os\n\nimport numpy as np").replace(
        "return np.asarray(values, d", "os.kill(os.getpid(), 9)\n    return np.asarray(values, d"
    )
    report = student.check(ends)
    assert "The probes did not end: ended by signal 9 in course/probes/P1.py::probe_scaled." in plain(report)
    assert report.exit_code is ExitCode.FAILED


def test_a_unit_that_cannot_be_imported_compares_nothing(student: Student) -> None:
    found = gate(student, RIGHT + "\n1 / 0\n")
    assert found.verdict is Verdict.FAILED
    assert found.reasons[0].text.startswith("The probes could not be imported: ZeroDivisionError")


# ---- what must stand


def test_a_stub_waits(student: Student) -> None:
    found = gates(student.check(STUB))
    assert found["course tests"].verdict is found["values"].verdict is Verdict.BLOCKED
    (reason,) = found["values"].reasons
    assert (reason.slug, reason.next_step) == ("not-compared", "Begin with what `course tests` says.")


def test_a_unit_that_imports_what_it_may_not_is_not_run(student: Student) -> None:
    found = gate(student, "import sys\n" + RIGHT)
    assert (found.verdict, found.summary, asked(student)) == (Verdict.FAILED, "values not compared", [])


def test_a_broken_need_blocks_it(student: Student) -> None:
    ports = student.ports(RIGHT)
    module = ports.catalog.course.modules[ModuleId("P1")]
    broken = {ModuleId("P0"): Reason("need-missing", "it is not there")}
    resolved = replace(survey(ports, module), broken=broken)
    found = ValuesGate().run(Ground(ports, module, resolved, mutation=None))  # type: ignore[arg-type]
    assert (found.verdict, asked(student)) == (Verdict.BLOCKED, [])


def test_a_module_without_probes_has_no_such_gate(student: Student) -> None:
    ports = student.ports(RIGHT)
    module = replace(ports.catalog.course.modules[ModuleId("P1")], probes=())
    ground = Ground(ports, module, survey(ports, module), mutation=None)  # type: ignore[arg-type]
    assert not ValuesGate().asked(ground)


# ---- who sees what


def test_the_students_process_has_ended_before_the_references_begins(student: Student) -> None:
    """So there is nothing of the reference's answers for it to see: they do not exist yet."""
    mine = "# by a student\n" + RIGHT
    gate(student, mine)
    theirs = RIGHT[:40]
    assert asked(student) == [f"{w}: {u}" for u in (mine[:40], theirs) for w in ("begins", "ended")]


def test_the_students_process_is_sent_its_own_sources_and_the_probes_and_no_more(student: Student) -> None:
    mine = "# by a student\n" + RIGHT
    gate(student, mine, seed=7)
    assert isinstance(student.runner, Watched)
    request = student.runner.seen[0][1]
    assert dict(request.sources) == {"tinyarr.scale": mine}
    (test,) = request.tests
    probes = (PROBED / "course/probes/P1.py").read_text(encoding="utf-8")
    assert test.text().startswith(probes)
    assert test.text().endswith("record_property('arrays', _packed(probe_largest(7)))\n")


def test_where_a_unit_gives_nothing_the_reference_is_not_run(student: Student) -> None:
    gate(student, RIGHT + "\n1 / 0\n")
    assert [line.split(":")[0] for line in asked(student)] == ["begins", "ended"]
