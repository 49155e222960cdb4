"""All proofs of one module, and of several side by side: read afresh, and run unless what they hang on is as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ol.commands.proofs import NOT_TRIED, READ, RUN, Evidence, Proof
from ol.commands.proofs.remembered import Remembered, remember, state
from ol.commands.steps.side_by_side import side_by_side
from ol.commands.steps.together import Silent, Together
from ol.domain.course import CourseModule, ModuleId
from ol.domain.course_report import Ruling
from ol.domain.errors import CourseWrong
from ol.domain.report import Verdict
from ol.ports import Ports

Rulings = dict[str, Ruling]
Told = Callable[[str], None]
Gather = Callable[[Ports, CourseModule], Evidence]  # what is proved of a module, through these ports


def rulings_of(
    ports: Ports, modules: Sequence[CourseModule], gather: Gather, remembered: Remembered, at_once: int
) -> dict[ModuleId, Rulings]:
    """By module, in the order given. One alone tells of each run, several only of what is proved."""
    if len(modules) == 1:
        return {each.id: _proved(gather(ports, each), remembered, _unheard) for each in modules}
    quiet, together = replace(ports, progress=Silent()), Together(ports.progress)
    ports.progress.begin(f"{len(modules)} modules", sum(map(_proofs, modules)), "proof")
    try:
        found = dict(
            side_by_side(
                lambda each: _proved(gather(quiet, each), remembered, together.step), modules, at_once
            )
        )
    finally:
        ports.progress.end()
    return {each.id: found[each] for each in modules}


def _proved(evidence: Evidence, remembered: Remembered, told: Told) -> Rulings:
    """Those that only read cost nothing, and hang on more of the course: they are never remembered."""
    rulings = dict(_tried(READ, evidence, told))
    if evidence.module.graded:
        rulings |= _run(evidence, remembered, told)
    wrong = any(ruling.verdict is not Verdict.PASSED for ruling in rulings.values())
    told(f"{evidence.id} {'does not hold' if wrong else 'holds'}")
    return rulings


def _run(evidence: Evidence, remembered: Remembered, told: Told) -> Rulings:
    if known := remembered.recall(evidence):
        for _ in RUN:
            told("")
        return known
    began = state(evidence)
    found = dict(_tried(RUN, evidence, told))
    remember(evidence, began, found)
    return found


def _tried(proofs: Sequence[Proof], evidence: Evidence, told: Told) -> Iterator[tuple[str, Ruling]]:
    for each in proofs:
        yield each.name, _ruled(each, evidence)
        told("")


def _ruled(each: Proof, evidence: Evidence) -> Ruling:
    if each.on_reference and not evidence.reference_passes:
        return Ruling(NOT_TRIED, tried=False)
    try:
        return each.of(evidence)
    except CourseWrong as error:
        return Ruling.of(error)


def _proofs(module: CourseModule) -> int:
    return 1 + len(READ) + (len(RUN) if module.graded else 0)


def _unheard(_: str) -> None: ...
