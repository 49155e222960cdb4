"""Which fault of the course a set of failures looks like. Conclusions of a mark's equality only, no text."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from ol.domain.course import ModuleId
from ol.domain.mutation import Mutant
from ol.domain.report import Reason
from ol.domain.telling.mark import is_known

Marks: TypeAlias = "Mapping[str, str]"  # failing case -> its mark: how and where it failed

ENOUGH = 0.75
APART = 0.25  # by which the likest must be liker than the next


def likest(failures: Marks, ran: Collection[str], known: Mapping[str, Marks]) -> str:
    """The id in `known` whose marks these failures have, among the cases that ran; "" where none fits clearly."""
    known_here = {id: {case: mark for case, mark in of.items() if case in ran} for id, of in known.items()}
    possible = {id: marks for id, marks in known_here.items() if not _ruled_out(failures, marks)}
    scores = sorted((_likeness(failures, marks), id) for id, marks in possible.items())
    (second, _), (best, id) = [(0.0, ""), (0.0, ""), *scores][-2:]
    return id if best >= ENOUGH and best - second >= APART else ""


def _likeness(one: Marks, other: Marks) -> float:
    """From 0 to 1: of the cases that fail in either, the share that fail in both and in one way."""
    cases = one.keys() | other.keys()
    return len(one.items() & other.items()) / len(cases) if cases else 0.0


def _ruled_out(failures: Marks, fault: Marks) -> bool:
    """Whether a test that ran knows the very values which this fault gives, and did not meet them."""
    return any(is_known(mark) and failures.get(case) != mark for case, mark in fault.items())


def looks_like(module: ModuleId, mutant: Mutant) -> Reason:
    """The symptom and where to read on: never what is wrong with the code, let alone what mends it."""
    of = f"pitfall {mutant.pitfall} of the chapter" if mutant.pitfall else "a known mistake"
    read = f"Read section {mutant.section} of the chapter. " if mutant.section else ""
    return Reason(
        "looks-like",
        f"These failures look like {of}: {mutant.symptom}",
        f"{read}`ol hint {module} {mutant.id}` tells more, a step a call.",
    )
