"""Proof of the probes: they agree on all correct code, whatever the seed, and each differs on some mutant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.surface import every_contract
from ol.domain.code.imports import forbidden_in_units
from ol.domain.course import Probe
from ol.domain.course_report import Ruling, counted
from ol.domain.file import File
from ol.domain.grading.probes import case_of, handed_out, probes_test
from ol.domain.grading.values import Difference, Pair
from ol.domain.report import Reason
from ol.domain.suite import Budget, Crashed, SuiteRun
from ol.domain.telling.cause import first_line
from ol.domain.telling.ending import how_it_ended

SEEDS = 3
_KIT = "frozen"
_REFERENCE = "the reference"
_NOTHING = Difference("nothing")  # no bytes came: it ended by an exception, a limit or an exit


def telling(evidence: Evidence) -> Ruling:
    """On three seeds the reference, run twice, and every wheat agree; the mutants run on the first."""
    file = evidence.ports.catalog.probes(evidence.module)
    if file is None:
        return Ruling("no probe")
    if reasons := _forbidden(evidence, file):
        return Ruling("probes, not run", reasons)
    found = _Found.of(evidence, file)
    reasons = (*_of_reference(evidence, file, found), *_of_correct_code(file, found))
    reasons = reasons or tuple(_blind(evidence, file, found))
    caught = {id for ids in found.caught.values() for id in ids}
    probes, shown = counted(len(evidence.module.probes), "probe"), f"{len(caught)}/{len(evidence.mutants)}"
    told = f"{probes}, wrong" if reasons else f"{probes} catch {shown} mutants"
    fields = {"caught": {name: list(ids) for name, ids in found.caught.items()}, "first_seed": evidence.seed}
    return Ruling(told, reasons, tuple(_notes(evidence, found)), fields)


def _forbidden(evidence: Evidence, file: File) -> tuple[Reason, ...]:
    """Beside what units may use, the frozen kit; nothing that could lead to the reference's files."""
    course = evidence.ports.catalog.course
    rules = replace(course.imports, third_party=(*course.imports.third_party, _KIT))
    return forbidden_in_units([file], rules, course.package, every_contract(evidence.ports.catalog))


@dataclass(frozen=True, slots=True)
class _Found:
    """`on_reference` by seed; `correct` by (seed, what code), each with a difference for each probe that has one."""

    on_reference: Mapping[int, SuiteRun]
    correct: Mapping[tuple[int, str], Mapping[Probe, Difference]]
    caught: Mapping[str, Sequence[str]]  # the mutants on which a probe differs, by its name

    @staticmethod
    def of(evidence: Evidence, file: File) -> _Found:
        runs = _runs(evidence, file)
        on_reference = {seed: run for (seed, what), run in runs.items() if what == _REFERENCE}
        others = {place: run for place, run in runs.items() if place[1] != _REFERENCE}
        differing = _differences(evidence, on_reference, others)
        mutants = {mutant.id for mutant in evidence.mutants}
        caught = {
            probe.name: [what for (_, what), found in differing.items() if what in mutants and probe in found]
            for probe in evidence.module.probes
        }
        correct = {place: found for place, found in differing.items() if place[1] not in mutants}
        return _Found(on_reference, correct, caught)


def _runs(evidence: Evidence, file: File) -> dict[tuple[int, str], SuiteRun]:
    """By seed and what the probes ran on."""
    reference, first = evidence.reference.sources, evidence.seed
    sources: dict[tuple[int, str], Mapping[str, str]] = {}
    for seed in range(first, first + SEEDS):
        sources |= {(seed, _REFERENCE): reference, (seed, "the reference, run again"): reference}
        for wheat in evidence.ports.catalog.wheats(evidence.module):
            sources[seed, f"wheat {wheat.id}"] = evidence.with_units(wheat.sources)
    sources |= {(first, mutant.id): evidence.faulty(mutant) for mutant in evidence.mutants}
    budget, probes = Budget.measured(evidence.baseline.cpu_s), evidence.module.probes
    requests = [
        evidence.request(each, tests=(probes_test(file, probes, seed),), budget=budget)
        for (seed, _), each in sources.items()
    ]
    return dict(zip(sources, evidence.runs("probes", requests), strict=True))


def _differences(
    evidence: Evidence, on_reference: Mapping[int, SuiteRun], others: Mapping[tuple[int, str], SuiteRun]
) -> dict[tuple[int, str], dict[Probe, Difference]]:
    """All compared in one child."""
    found: dict[tuple[int, str], dict[Probe, Difference]] = {place: {} for place in others}
    places, pairs = [], []
    for place, run in others.items():
        for probe in evidence.module.probes:
            expected, got = handed_out(on_reference[place[0]], probe), handed_out(run, probe)
            if expected is not None and got is not None:
                places.append(place)
                pairs.append(Pair(probe, got, expected))
            elif expected is not None:
                found[place][probe] = _NOTHING
    for place, pair, difference in zip(places, pairs, evidence.ports.values.compare(pairs), strict=True):
        if difference:
            found[place][pair.probe] = difference
    return found


def _of_reference(evidence: Evidence, file: File, found: _Found) -> Iterator[Reason]:
    """Of the first seed on which a probe gives nothing."""
    for probe in evidence.module.probes:
        for seed, run in found.on_reference.items():
            if handed_out(run, probe) is None:
                told = f"{file.name}: probe_{probe.name}({seed}) on the reference {_why_nothing(run, probe)}."
                yield Reason("probe-fails", told, "Mend it: it is to return arrays of numbers by name.")
                break


def _why_nothing(run: SuiteRun, probe: Probe) -> str:
    case = case_of(run, probe)
    if case is not None and case.facts.exception:
        return f"raises {case.facts.exception}: {first_line(case.facts)}"
    if isinstance(run, Crashed):
        return f"does not end: {how_it_ended(run)}"
    errors = [error.facts for error in run.collection_errors]
    return f"cannot be imported: {errors[0].exception}: {first_line(errors[0])}" if errors else "was not run"


def _of_correct_code(file: File, found: _Found) -> Iterator[Reason]:
    """Of each probe the first difference on correct code."""
    told: set[Probe] = set()
    for (seed, what), differing in found.correct.items():
        for probe, difference in differing.items():
            if probe not in told:
                yield _unlike(f"{file.name}: probe_{probe.name}({seed})", what, difference)
                told.add(probe)


def _unlike(place: str, what: str, difference: Difference) -> Reason:
    if difference.fault == "margin":
        step = "Let it make more choices, or clearer ones; margin in the manifest says how clear."
        return Reason("probe-unclear", f"{place}: {difference.told}.", step)
    told = difference.told if difference is not _NOTHING else "it gives nothing"
    step = "Let it give only what the contract promises, or widen its tolerance."
    return Reason("probe-disagrees", f"{place} on {what}: {told}.", step, difference.lines)


def _blind(evidence: Evidence, file: File, found: _Found) -> Iterator[Reason]:
    for probe in evidence.module.probes:
        if not found.caught[probe.name]:
            told = f"{file.name}: probe_{probe.name} gives the same on every mutant as on the reference."
            step = "Tighten its tolerance, let it give what a mutant changes, or take it out."
            yield Reason("probe-blind", told, step)


def _notes(evidence: Evidence, found: _Found) -> Iterator[str]:
    for name, ids in found.caught.items():
        yield f"{name}: {', '.join(ids) or 'no mutant'}"
    caught = {id for ids in found.caught.values() for id in ids}
    if missed := [mutant.id for mutant in evidence.mutants if mutant.id not in caught]:
        yield f"no probe differs on {', '.join(missed)}"
