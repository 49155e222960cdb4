"""Proof of the blanks: correct code gives one answer, nothing that students read tells it, some fault changes one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ol.commands.proofs.evidence import Evidence
from ol.commands.proofs.faults import mutants_path
from ol.domain.authoring.manifest import manifest_path
from ol.domain.course import Blank
from ol.domain.course_report import Ruling, counted
from ol.domain.file import File
from ol.domain.grading.answers import answered, answers_test, path, why_unanswered
from ol.domain.grading.blanks import fillings, wrong
from ol.domain.grading.leak import stands_in
from ol.domain.grading.literal import Value, agree
from ol.domain.grading.witness import witness_test, witnessed
from ol.domain.report import Reason
from ol.domain.suite import Budget, SuiteRun

_REFERENCE = "the reference"


def worth_working_out(evidence: Evidence) -> Ruling:
    """That each stands once in the given tests, open, and is filled in the exemplar ones, was seen by reading."""
    file, blanks = evidence.ports.catalog.answers(evidence.module), evidence.module.blanks
    if file is None:
        return Ruling("no blank")
    runs = _runs(evidence, file)
    right = {blank: value for blank in blanks if (value := answered(runs[_REFERENCE], blank)) is not None}
    caught = _caught(evidence, runs, right)
    reasons = (
        *_unanswered(file, runs, blanks),
        *_disagreeing(evidence, file, runs, right),
        *_given_away(evidence, right),
        *_wrong_exemplars(evidence, right),
    )
    reasons = reasons or tuple(_blind(evidence, caught))
    told = counted(len(blanks), "blank")
    ids = {id for of_blank in caught.values() for id in of_blank}
    return Ruling(
        f"{told}, wrong" if reasons else f"{told} catch {len(ids)}/{len(evidence.mutants)} mutants",
        reasons,
        tuple(f"{blank.name}: {', '.join(caught.get(blank, ())) or 'no mutant'}" for blank in blanks),
        {"caught": {blank.name: list(found) for blank, found in caught.items()}},
    )


def _runs(evidence: Evidence, file: File) -> dict[str, SuiteRun]:
    """The answers on the reference, on every wheat, and on every mutant."""
    sources: dict[str, Mapping[str, str]] = {_REFERENCE: evidence.reference.sources}
    for wheat in evidence.ports.catalog.wheats(evidence.module):
        sources[f"wheat {wheat.id}"] = evidence.with_units(wheat.sources)
    sources |= {mutant.id: evidence.faulty(mutant) for mutant in evidence.mutants}
    test, budget = answers_test(file, evidence.module.blanks), Budget.measured(evidence.baseline.cpu_s)
    requests = [evidence.request(each, tests=(test,), budget=budget) for each in sources.values()]
    return dict(zip(sources, evidence.runs("blanks", requests), strict=True))


def _caught(
    evidence: Evidence, runs: Mapping[str, SuiteRun], right: Mapping[Blank, Value]
) -> dict[Blank, tuple[str, ...]]:
    """Of each blank the mutants on which it has another value, or none."""
    return {
        blank: tuple(each.id for each in evidence.mutants if not _same(runs[each.id], blank, value))
        for blank, value in right.items()
    }


def _same(run: SuiteRun, blank: Blank, value: Value) -> bool:
    found = answered(run, blank)
    return found is not None and agree(found, value, blank)


def _unanswered(file: File, runs: Mapping[str, SuiteRun], blanks: tuple[Blank, ...]) -> Iterator[Reason]:
    run = runs[_REFERENCE]
    for blank in blanks:
        if answered(run, blank) is None:
            told = f"{file.name}: {blank.answer} on the reference {why_unanswered(run, blank)}."
            yield Reason(
                "answer-fails", told, "Let it return a number, a text, a truth value, or a list of them."
            )


def _disagreeing(
    evidence: Evidence, file: File, runs: Mapping[str, SuiteRun], right: Mapping[Blank, Value]
) -> Iterator[Reason]:
    """Of each blank the first wheat that gives another value."""
    wheats = [f"wheat {wheat.id}" for wheat in evidence.ports.catalog.wheats(evidence.module)]
    for blank, value in right.items():
        for wheat in wheats:
            if not _same(runs[wheat], blank, value):
                found = answered(runs[wheat], blank)
                gives = f"gives {found!r:.60}" if found is not None else why_unanswered(runs[wheat], blank)
                told = f"{file.name}: {blank.answer} on {wheat} {gives}, and {value!r:.60} on the reference."
                step = f"Ask for what the contract promises, or widen its tolerance in {manifest_path(evidence.id)}."
                yield Reason("answer-disagrees", told, step)
                break


def _given_away(evidence: Evidence, right: Mapping[Blank, Value]) -> Iterator[Reason]:
    """Of each blank the files, and the hints, that tell its value."""
    texts = _read_by_students(evidence) | _told_by_hints(evidence)
    for blank, value in right.items():
        if places := [place for place, text in texts.items() if stands_in(value, blank, text)]:
            told = f"{places[0]} holds the value of the blank {blank.name}, {value!r:.60}."
            more = f" So do {', '.join(places[1:])}." if places[1:] else ""
            step = "Ask for another input, one whose value is written nowhere that students read."
            yield Reason("blank-given-away", told + more, step)


def _read_by_students(evidence: Evidence) -> dict[str, str]:
    """Course tests, given tests, contracts and the chapter, by their paths."""
    catalog, module = evidence.ports.catalog, evidence.module
    texts = {f"course/tests/{module.id}/{file.name}": file for file in catalog.course_tests(module)}
    texts |= {f"course/given/{module.id}/{file.name}": file for file in catalog.given(module)}
    chapter = f"course/chapters/{module.id}.md"
    texts |= {chapter: file} if (file := evidence.author.file(chapter)) is not None else {}
    told = {place: each.text() for place, each in texts.items() if each.name.endswith((".py", ".md"))}
    package = f"course/contracts/py/{catalog.course.package}"
    return told | {f"{package}/{unit}i": catalog.contract(unit) for unit in module.units}


def _told_by_hints(evidence: Evidence) -> dict[str, str]:
    """Of each mutant, by its place, what `ol hint` tells before its diff: what its witness gives on the reference."""
    tests = [witness_test(mutant.witness) for mutant in evidence.mutants]
    requests = [
        evidence.request(evidence.reference.sources, tests=(each,), course_root=None) for each in tests
    ]
    told = zip(evidence.mutants, evidence.runs("blanks and hints", requests), strict=True)
    return {
        f"{mutants_path(evidence)}: {mutant.id}": "\n".join([mutant.symptom, mutant.witness, witnessed(run)])
        for mutant, run in told
    }


def _wrong_exemplars(evidence: Evidence, right: Mapping[Blank, Value]) -> Iterator[Reason]:
    place = f"course/exemplars/{evidence.id}"
    for each in fillings(evidence.ports.catalog.exemplars(evidence.module), tuple(right)):
        value = right[each.blank]
        if each.value is not None and not agree(each.value, value, each.blank):
            reason = wrong(each, value, place)
            yield Reason(
                reason.slug, f"{reason.text} {path(evidence.id)} gives {value!r:.60}.", "Mend one of the two."
            )


def _blind(evidence: Evidence, caught: Mapping[Blank, tuple[str, ...]]) -> Iterator[Reason]:
    if evidence.mutants and not any(caught.values()):
        told = f"{path(evidence.id)}: every mutant gives the value of every blank as the reference does."
        yield Reason("blanks-blind", told, "Ask for a value that hangs on what students do wrong.")
