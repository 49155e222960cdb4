"""What the steps of a milestone left, judged by frozen code: figures that meet their bars, and claims that hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ol.commands.steps.playing import Played
from ol.domain.errors import WorkRefused
from ol.domain.milestone.held import figure_faults
from ol.domain.milestone.judged import Judgement
from ol.domain.milestone.material import Material
from ol.domain.milestone.milestone import Milestone
from ol.domain.report import GateResult, Reason, Verdict
from ol.ports import Stage

_PITFALLS = "The chapter's pitfalls name the usual causes."


@dataclass(frozen=True, slots=True)
class Judging:
    """`smoke`: figures are held to no bar. No code of the student's runs for it."""

    stage: Stage
    milestone: Milestone
    material: Material
    smoke: bool

    def gates(self, played: Played) -> list[GateResult]:
        """The gates `figures` and `claims`; one that fails where the judge came to no end over what was saved."""
        calls = [f"figure_{each.name}" for each in self.milestone.figures]
        calls += [f"claim_{each.name}" for each in self.milestone.claims]
        try:
            judgements = self.stage.judged(self.milestone, played.work(), calls)
        except WorkRefused as error:
            return [GateResult("figures", Verdict.FAILED, "figures not judged", (Reason.of(error),))]
        found = dict(zip(calls, judgements, strict=True))
        return [self._figures(played, found), self._claims(found)]

    def _figures(self, played: Played, found: Mapping[str, Judgement]) -> GateResult:
        reasons: list[Reason] = []
        told, fields, bars = [], {}, self.material.bars
        for figure in self.milestone.figures:
            judgement = found[f"figure_{figure.name}"]
            reasons += figure_faults(figure, judgement, played.said[figure.step], bars, self.smoke)
            fields[figure.name] = judgement.figure
            if judgement.figure is not None:
                told.append(f"{figure.name} {judgement.figure:.4f}")
        held = {} if self.smoke else bars
        notes = [f"bar {name} {bar.upper:.4f}: {bar.recipe}" for name, bar in held.items()]
        summary = ", ".join([*told, *(["no bar held"] if self.smoke else [])])
        verdict = Verdict.FAILED if reasons else Verdict.PASSED
        return GateResult("figures", verdict, summary, tuple(reasons), tuple(notes), fields=fields)

    def _claims(self, found: Mapping[str, Judgement]) -> GateResult:
        claims = self.milestone.claims
        reasons = [
            Reason("claim-fails", f"{claim.name}: {against}", _PITFALLS, (f"why       {claim.why}",))
            for claim in claims
            if (against := found[f"claim_{claim.name}"].against)
        ]
        verdict = Verdict.FAILED if reasons else Verdict.PASSED
        summary = f"{len(claims) - len(reasons)}/{len(claims)} claims"
        return GateResult("claims", verdict, summary, tuple(reasons))
