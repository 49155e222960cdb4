"""Proof of the bars: they follow from their figures, and each bound of a learning test catches a mutant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.told import NOT_TRIED, folder
from ol.domain.authoring import bar_record
from ol.domain.authoring.bar_record import BarRecord, bar_faults
from ol.domain.authoring.manifest import manifest_path
from ol.domain.course_report import Ruling, counted
from ol.domain.report import Reason
from ol.domain.suite import SuiteRun


def catching(evidence: Evidence) -> Ruling:
    """The figures that the learning tests record on the mutants decide, not what a failure says."""
    records = evidence.author.bar_records(evidence.id)
    learning = [test.name for test in evidence.module.tests if "learning" in test.kinds]
    if not (evidence.module.bars or records or learning):
        return Ruling("no bar")
    reasons, bars = tuple(_of_records(evidence, records)), counted(len(evidence.module.bars), "bar")
    if learning and not evidence.reference_passes:
        return Ruling(f"{bars}, wrong" if reasons else NOT_TRIED, reasons, tried=False)
    measured = _figures(evidence.in_order, learning)
    held = [_held_to(evidence, name, records[name]) for name in records if name in measured]
    reasons += tuple(_unrecorded(evidence, learning, records))
    reasons += tuple(reason for each in held for reason in each.reasons(evidence))
    return Ruling(f"{bars}, wrong" if reasons else bars, reasons, tuple(each.told for each in held))


@dataclass(frozen=True, slots=True)
class _Held:
    """A bar and the mutants whose figure it refuses, by id."""

    name: str
    record: BarRecord
    above: Mapping[str, float]
    below: Mapping[str, float]

    @property
    def told(self) -> str:
        """`corpus_perplexity: s08 (3.017) above 2.4815; s05 (1.008), s12 (0.8899) below 1.1221`."""
        above, below = (_listed(figures) for figures in (self.above, self.below))
        upper, lower = self.record.upper, self.record.lower
        return f"{self.name}: {above} above {upper:.4f}; {below} below {lower:.4f}"

    def reasons(self, evidence: Evidence) -> Iterator[Reason]:
        for bound, caught in (("upper", self.above), ("lower", self.below)):
            if not caught:
                told = f"{bar_record.path(evidence.id)}: the {bound} bound of {self.name} catches no mutant."
                step = (
                    "A bar that every fault passes is no bar: train longer, tighten it, or write that fault."
                )
                yield Reason("bar-catches-nothing", told, step)


def _held_to(evidence: Evidence, name: str, record: BarRecord) -> _Held:
    learning = [test.name for test in evidence.module.tests if "learning" in test.kinds]
    found = {id: _figures(run, learning).get(name) for id, run in evidence.on_mutants.items()}
    figures = {id: figure for id, figure in found.items() if figure is not None}
    above = {id: figure for id, figure in figures.items() if figure > record.upper}
    return _Held(name, record, above, {id: figure for id, figure in figures.items() if figure < record.lower})


def _of_records(evidence: Evidence, records: Mapping[str, BarRecord]) -> Iterator[Reason]:
    declared = evidence.module.bars
    for bar in declared:
        yield from bar_faults(evidence.id, bar, records.get(bar.name))
    for name in records.keys() - {bar.name for bar in declared}:
        told = f"{bar_record.path(evidence.id)} has a bar {name}, and {manifest_path(evidence.id)} none."
        yield Reason("bar-undeclared", told, f"Declare it, or run `ol calibrate {evidence.id}`.")


def _unrecorded(
    evidence: Evidence, learning: list[str], records: Mapping[str, BarRecord]
) -> Iterator[Reason]:
    """A learning test that tells no figure of a bar cannot be held to one."""
    for test in learning:
        if not _figures(evidence.in_order, [test]).keys() & records.keys():
            told = f"{folder(evidence)}: {test} is of the kind learning and records the figure of no bar."
            step = "Let it call record_property(<name of the bar>, figure) before it asserts."
            yield Reason("figure-unrecorded", told, step)


def _figures(run: SuiteRun, learning: list[str]) -> dict[str, float]:
    """What these tests recorded, by name; what is no number is not a figure."""
    pairs = [pair for case in run.results if case.name in learning for pair in case.facts.properties]
    return {name: number for name, text in pairs if (number := _number(text)) is not None}


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _listed(figures: Mapping[str, float]) -> str:
    return ", ".join(f"{id} ({figure:.4g})" for id, figure in figures.items()) or "no mutant"
