"""Tests that fail before a line of them runs: what is wrong with how they are declared, and how to mend that."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ol.domain.report import Reason
from ol.domain.suite import CaseResult
from ol.domain.telling.cause import first_line

_SHOWN = 10
_SELF = "A function takes no `self`: take it out, or make the test a method of a class Test…."
_METHOD = "A method of a class takes `self` first: write it in."
_FIXTURE = "pytest fills in parameters by their name: correct the name, or define a fixture of it."
_ASYNC = "Write it as a plain `def`."
_OTHER = "Mend what stands around the test: its parameters, its marks, its fixtures."
_STEPS = (
    (re.compile(r"^fixture 'self' not found"), _SELF),
    (re.compile(r"^fixture .* not found"), _FIXTURE),
    (re.compile(r"\(\) takes \d+ positional arguments? but"), _METHOD),
    (re.compile(r"^async def"), _ASYNC),
)


def never_began(cases: Iterable[CaseResult]) -> Reason | None:
    """None where none of these is such a test: one fails on any code, so it is no red and no measure."""
    found = {case.function_id: first_line(case.facts) for case in cases if case.never_began}
    if not found:
        return None
    (id, said), *others = found.items()
    told = f"{id} fails before its first line, whatever the unit holds: {said.rstrip('.')}."
    lines = [f"{each}: {why}" for each, why in others[:_SHOWN]]
    lines += [f"and {len(others) - _SHOWN} more"] if len(others) > _SHOWN else []
    return Reason("test-never-began", told, _step(said), tuple(lines))


def _step(said: str) -> str:
    return next((step for pattern, step in _STEPS if pattern.search(said)), _OTHER)
