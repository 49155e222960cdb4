"""The probes of a milestone on the model that was saved: by the student's units, then by frozen code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ol.domain.course import Probe
from ol.domain.file import File
from ol.domain.grading.probes import case_of, handed_out, probes_test
from ol.domain.grading.values import Difference, Pair
from ol.domain.milestone.material import Material
from ol.domain.milestone.milestone import Milestone
from ol.domain.report import GateResult, Reason, Verdict
from ol.domain.run import RunRequest
from ol.domain.suite import Budget, SuiteRun
from ol.ports import Ports


@dataclass(frozen=True, slots=True)
class Probing:
    """`model` holds the saved files that the probes read: they lie beside them in either child."""

    ports: Ports
    milestone: Milestone
    material: Material
    model: Sequence[File]
    seed: int

    def gate(self, units: Mapping[str, str]) -> GateResult:
        """Frozen code runs only when the student's process has ended, and a third one compares.

        Where frozen code gives nothing it is the model's doing: `ol verify` has it read the reference's.
        """
        probes = self.milestone.probes
        run = self._run(units)
        mine = {probe: given for probe in probes if (given := handed_out(run, probe)) is not None}
        right = self._run(self.material.stand_in) if mine else run
        pairs = {
            probe: Pair(probe, given, asked)
            for probe, given in mine.items()
            if (asked := handed_out(right, probe)) is not None
        }
        found = dict(zip(pairs, self.ports.values.compare(list(pairs.values())), strict=True))
        unread = tuple(_unread(probe, right) for probe in mine if probe not in pairs)
        told = (
            _reason(probe, found.get(probe), run) for probe in probes if probe in pairs or probe not in mine
        )
        reasons = (*unread, *(reason for reason in told if reason))
        summary = f"{len(probes) - len(reasons)}/{len(probes)} probes"
        verdict = Verdict.FAILED if reasons else Verdict.PASSED
        return GateResult("probes", verdict, summary, reasons)

    def _run(self, units: Mapping[str, str]) -> SuiteRun:
        catalog = self.ports.catalog
        test = probes_test(self.material.probes, self.milestone.probes, self.seed)
        sources = {catalog.course.dotted(unit): text for unit, text in units.items()}
        budget = Budget.unmeasured(catalog.course.policy.unmeasured_cpu_s)
        return self.ports.runner.run(
            RunRequest((test, *self.model), sources, budget, course_root=catalog.root)
        )


def _reason(probe: Probe, difference: Difference | None, run: SuiteRun) -> Reason | None:
    """None where the values agree."""
    if difference is None:
        told = _silent(probe, "your units give nothing on the saved model", run)
        return Reason("probe-silent", told, "Load what your command saved, with your own units.")
    if difference:
        detail = (*difference.lines, f"why       {probe.why}")
        told = f"{probe.name}: {difference.told}"
        return Reason("values-differ", told, "Compare your units with their contracts.", detail)
    return None


def _unread(probe: Probe, run: SuiteRun) -> Reason:
    told = _silent(probe, "frozen code gives nothing on the saved model, which your units can read", run)
    return Reason("model-unreadable", told, "Save the model as its contract says, every number of it finite.")


def _silent(probe: Probe, what: str, run: SuiteRun) -> str:
    """With what it raised, in a line."""
    case = case_of(run, probe)
    raised = case.facts.message.splitlines()[:1] if case else []
    return ": ".join([probe.name, what, *raised])
