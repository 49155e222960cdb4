"""The values gate: what the student's unit gives on fresh inputs, compared where no student code runs.

Course tests run in the process of the unit that they judge, and a unit can patch whatever judges it there.
A probe judges nothing: it hands arrays out as bytes. The student's process has ended before the reference's
begins, so nothing of the reference's answers exists while student code runs; a third process compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ol.commands.steps.course_tests import listing, not_run
from ol.commands.steps.passing import course_run, key
from ol.commands.steps.seeds import seed_of
from ol.commands.steps.sources import Resolved, reference_closure
from ol.domain.course import CourseModule, Probe
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.grading.probes import TEST_FILE, case_of, handed_out, of_probe, path, probes_test
from ol.domain.grading.values import Difference, Pair
from ol.domain.report import GateResult, Reason, Verdict
from ol.domain.sentence import sentence
from ol.domain.suite import CaseResult, Crashed, SuiteRun
from ol.domain.telling.cause import Cause, Why, why_crashed, why_failed, why_not_collected
from ol.domain.telling.detail import detail
from ol.domain.telling.listing import Listing, Text
from ol.ports import Ports

NAME = "values"


def values_gate(
    ports: Ports, resolved: Resolved, seed: int | None = None, cached: bool = False
) -> GateResult:
    """Every probe on the sources that the course tests ran on, then on the reference. `seed` None: a new one."""
    module = resolved.module
    if early := not_run(ports, resolved):
        return not_compared(early.verdict, early.gate)
    known = key(ports, module, resolved.units, NAME)
    if cached and known and ports.memo.get(known) is not None:
        return GateResult(NAME, Verdict.PASSED, _summary(len(module.probes), module), cached=True)
    found = _Comparing(ports, resolved, _file(ports, module), seed_of(ports, seed)).gate()
    if known and found.verdict is Verdict.PASSED:
        ports.memo.put(known, b"")
    return found


def not_compared(verdict: Verdict, gate: str) -> GateResult:
    """Another gate has said what is in the way."""
    told = f"nothing is run before what `{gate}` says above is mended, so there are no values to compare"
    reason = Reason("not-compared", told, f"Begin with what `{gate}` says.")
    return GateResult(NAME, verdict, "values not compared", (reason,))


def _file(ports: Ports, module: CourseModule) -> File:
    file = ports.catalog.probes(module)
    assert file is not None, "a module that declares probes has a file of them, or is wrong"
    return file


def _summary(agreeing: int, module: CourseModule) -> str:
    return f"{agreeing}/{len(module.probes)} probes"


@dataclass(frozen=True, slots=True)
class _Comparing:
    ports: Ports
    resolved: Resolved
    file: File
    seed: int

    @property
    def module(self) -> CourseModule:
        return self.resolved.module

    def gate(self) -> GateResult:
        run = self._run(dict(self.resolved.units))
        mine = {probe: given for probe in self.module.probes if (given := handed_out(run, probe)) is not None}
        found = self._differences(mine)
        differing = {probe: difference for probe, difference in found.items() if difference}
        agreeing = len(found) - len(differing)
        return GateResult(
            NAME,
            Verdict.PASSED if agreeing == len(self.module.probes) else Verdict.FAILED,
            _summary(agreeing, self.module),
            (*self._of_run(run), *self._of_values(run, differing)),
            (f"inputs drawn from seed {self.seed}",),
            fields={"seed": self.seed, "probes": [self._field(probe, found) for probe in self.module.probes]},
        )

    def _run(self, units: dict[str, str]) -> SuiteRun:
        test = probes_test(self.file, self.module.probes, self.seed)
        return course_run(self.ports, self.module, units, (test,))

    def _differences(self, mine: dict[Probe, bytes]) -> dict[Probe, Difference]:
        """The reference runs only now, and only where there is something to compare it with."""
        if not mine:
            return {}
        run = self._run(reference_closure(self.ports, self.module))
        pairs = [Pair(probe, given, self._expected(run, probe)) for probe, given in mine.items()]
        found = dict(zip(mine, self.ports.values.compare(pairs), strict=True))
        for probe, difference in found.items():
            if difference.fault == "margin":
                told = f"{self.file.name}: probe_{probe.name} with seed {self.seed}: {difference.told}."
                step = "Let it make more choices, or clearer ones; margin in the manifest says how clear."
                raise CourseWrong("probe-unclear", told, step)
        return found

    def _expected(self, run: SuiteRun, probe: Probe) -> bytes:
        given = handed_out(run, probe)
        if given is None:
            told = f"{path(self.module.id)}: probe_{probe.name} gives nothing on the reference with seed {self.seed}."
            raise CourseWrong("probe-fails", told, f"`ol verify {self.module.id}` says why.")
        return given

    def _of_run(self, run: SuiteRun) -> Iterator[Reason]:
        """What stopped all probes, or those that were left."""
        if isinstance(run, Crashed):
            cause = why_crashed(run, self._listing)
            told = cause.text.replace(f"{TEST_FILE}::test_", f"{path(self.module.id)}::probe_")
            yield Reason(cause.why.value, sentence(f"The probes did not end: {told}"), cause.next_step)
        else:
            causes = [why_not_collected(error, self._listing) for error in run.collection_errors]
            for cause in dict.fromkeys(causes):
                yield Reason(
                    cause.why.value,
                    sentence(f"The probes could not be imported: {cause.text}"),
                    cause.next_step,
                )

    def _of_values(self, run: SuiteRun, differing: dict[Probe, Difference]) -> Iterator[Reason]:
        """A line for each probe that does not agree; all that is known for the first."""
        first = True
        for probe in self.module.probes:
            reason = None
            if probe in differing:
                reason = self._differs(probe, differing[probe], first)
            elif (case := case_of(run, probe)) is not None and handed_out(run, probe) is None:
                case = of_probe(case, probe)
                cause = self._why(case) if case.facts.exception else None
                lines = detail(case, cause, self._listing, why=probe.why) if cause and first else ()
                reason = _gives_nothing(probe, cause, lines)
            if reason is not None:
                yield reason
                first = False

    def _why(self, case: CaseResult) -> Cause:
        """A probe holds on the reference: where it breaks by itself, it could not use what the unit gave."""
        cause = why_failed(case, self._listing)
        if cause.why is not Why.TEST:
            return cause
        told = f"the probe cannot use what your unit gave: {cause.raised}"
        return replace(cause, why=Why.UNIT, text=told)

    def _differs(self, probe: Probe, difference: Difference, first: bool) -> Reason:
        again = f"ol check {self.module.id}{self.resolved.option} --seed {self.seed}"
        lines = (*difference.lines, f"{'why':<9} {probe.why}", f"{'again':<9} {again}") if first else ()
        step = "If your course tests pass all the same, look for what your unit does there and not here."
        return Reason("values-differ", f"{probe.name}: {difference.told}", step if first else "", lines)

    def _field(self, probe: Probe, found: dict[Probe, Difference]) -> dict[str, object]:
        told = found[probe].told if found.get(probe) else ""
        agrees = probe in found and not found[probe]
        return {"name": probe.name, "agrees": agrees, "difference": told}

    @property
    def _listing(self) -> Listing:
        text = Text(path(self.module.id), self.file.text())
        return replace(listing(self.ports, self.resolved, ()), tests={TEST_FILE: text})


def _gives_nothing(probe: Probe, cause: Cause | None, lines: tuple[str, ...]) -> Reason:
    if cause is None:
        told = f"{probe.name}: it ended without handing its values out."
        return Reason("values-missing", told, "Let your unit leave pytest and the process it runs in alone.")
    return Reason(cause.why.value, f"{probe.name}: {cause.text}", detail=lines)
