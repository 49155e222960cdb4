"""`ol milestone`: the student's own command line, typed step by step, and what came of it judged by frozen code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ol.commands.steps.judging import Judging
from ol.commands.steps.merged import merged, own_entry, told_entry
from ol.commands.steps.milestone_memo import remember_pass
from ol.commands.steps.playing import Played, Playing, Words
from ol.commands.steps.probing import Probing
from ol.commands.steps.seeds import seed_of
from ol.commands.steps.sources import reference_closure, resolve
from ol.commands.steps.untampered import untampered
from ol.domain.file import File
from ol.domain.milestone.material import Material
from ol.domain.milestone.milestone import Milestone
from ol.domain.report import GateResult, Report
from ol.ports import Ports, Stage


@dataclass(frozen=True, slots=True)
class Options:
    """`smoke`: the short recipe, held to no bar. `seed` None: a fresh one each time."""

    ref_deps: str | None = None
    smoke: bool = False
    seed: int | None = None


def milestone(ports: Ports, stage: Stage, asked: Milestone, options: Options = Options()) -> Report:
    """Tampered before anything else; a need that does not pass blocks it."""
    untampered(ports, asked.module, asked.locked)
    material = ports.catalog.material(asked)
    declared = ports.workspace.declared_entry(asked.id)
    entry = own_entry(ports, asked, material, declared)
    resolved = resolve(ports, asked.module, options.ref_deps)
    seed = seed_of(ports, options.seed)
    play = Play(ports, stage, asked, material, options.smoke, seed)
    gates, unconfined = play.gates(resolved.units, entry)
    report = Report(
        "milestone",
        asked.id,
        tuple(gates),
        ports.catalog.course.version,
        ports.catalog.lock_hash,
        resolved.origin,
        (*resolved.notes, *told_entry(declared), *_notes(options.smoke, seed)),
        tuple(dict.fromkeys((*unconfined, *ports.runner.unconfined))),
    )
    if report.passed and not options.smoke:
        remember_pass(ports, asked, merged(resolved.units, entry))
    return report


@dataclass(frozen=True, slots=True)
class Play:
    """A milestone, and how it is played: by the short recipe or the whole one, and from which seed."""

    ports: Ports
    stage: Stage
    milestone: Milestone
    material: Material
    smoke: bool
    seed: int

    def gates(
        self, units: Mapping[str, str], entry: Sequence[File]
    ) -> tuple[list[GateResult], tuple[str, ...]]:
        """Judged only when every step did what it should; and what the kernel did not keep the steps from."""
        played = self._played(units, entry)
        gates = [played.gate(self.milestone)]
        if not played.reasons:
            gates += Judging(self.stage, self.milestone, self.material, self.smoke).gates(played)
            model = [played.files[name] for name in self.milestone.model]
            gates.append(Probing(self.ports, self.milestone, self.material, model, self.seed).gate(units))
        return gates, played.unconfined

    def _played(self, units: Mapping[str, str], entry: Sequence[File]) -> Played:
        words = Words.drawn(self.ports, self.milestone, self.smoke, self.seed)
        theirs = reference_closure(self.ports, self.milestone.module)
        reference = merged(theirs, self.material.reference)
        return Playing(
            self.ports, self.stage, self.milestone, words, merged(units, entry), reference
        ).played()


def _notes(smoke: bool, seed: int) -> tuple[str, ...]:
    fresh = f"fresh seed {seed}: `--seed {seed}` takes it again"
    return (
        (fresh, "--smoke: a short recipe, and no bar was held; only the whole run counts")
        if smoke
        else (fresh,)
    )
