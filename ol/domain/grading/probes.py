"""A module's probes: `probe_<name>(seed)`, run as tests that hand their arrays out as bytes."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace

from ol.domain.code.defined import apart
from ol.domain.course import ModuleId, Probe
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.suite import CaseResult, Outcome, SuiteRun

TEST_FILE = "test_probes.py"
_ARRAYS = "arrays"
_PREFIX = "probe_"


def path(module: ModuleId) -> str:
    return f"course/probes/{module}.py"


def check(file: File, probes: Sequence[Probe]) -> None:
    """CourseWrong unless the file defines exactly the probes of the manifest."""
    lacking, idle = apart(file, _PREFIX, {f"{_PREFIX}{probe.name}" for probe in probes})
    if lacking:
        told = f"{file.name} defines no {lacking}, and the manifest declares that probe."
        raise CourseWrong("probe-missing", told, "Write it, or take it out of the manifest.")
    if idle:
        told = f"{file.name} defines {idle}, and the manifest declares no such probe."
        raise CourseWrong(
            "probe-undeclared", told, "Add it to [[probes]], with its tolerance and why it matters."
        )


def probes_test(file: File, probes: Sequence[Probe], seed: int) -> File:
    """The probes with a test at their end for each, which records the bytes of what it gives for the seed."""
    tests = [
        f"\n\ndef test_{probe.name}(record_property):\n"
        f"    record_property({_ARRAYS!r}, _packed({_PREFIX}{probe.name}({seed})))\n"
        for probe in probes
    ]
    packing = "\n\nfrom ol.child.arrays import packed as _packed  # noqa: E402\n"
    return File(TEST_FILE, "".join([file.text(), packing, *tests]).encode("utf-8"))


def case_of(run: SuiteRun, probe: Probe) -> CaseResult | None:
    return next((case for case in run.results if case.name == f"test_{probe.name}"), None)


def of_probe(case: CaseResult, probe: Probe) -> CaseResult:
    """The case without the frames of the test around the probe, which stands in no file of the course."""
    frames = tuple(frame for frame in case.facts.frames if frame.function != f"test_{probe.name}")
    return replace(case, facts=replace(case.facts, frames=frames))


def handed_out(run: SuiteRun, probe: Probe) -> bytes | None:
    """A probe's bytes as they came, None where it did not come to its end."""
    case = case_of(run, probe)
    if case is None or case.outcome is not Outcome.PASSED:
        return None
    try:
        return b64decode(dict(case.facts.properties).get(_ARRAYS, "!"), validate=True)
    except ValueError:  # it is no base64
        return None
