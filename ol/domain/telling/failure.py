"""Failing cases as plain fields, for --json: what is told of them in words, and no more."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ol.domain.suite import Crashed, Outcome, SuiteRun
from ol.domain.telling.cause import Cause, why_crashed, why_failed
from ol.domain.telling.listing import Listing


def told_as_fields(run: SuiteRun, listing: Listing) -> list[dict[str, Any]]:
    """Every case that did not pass, then the one that was running when the run ended before its time.

    `why` and `next_step` always; `known_wrong`, `at` and `numbers` where there are such. `case` is "" where a run
    ended outside its cases.
    """
    told = [
        _fields(case.case_id, case.outcome, why_failed(case, listing), listing)
        for case in run.results
        if case.outcome is not Outcome.PASSED
    ]
    if isinstance(run, Crashed):
        told.append(_fields(run.running or "", Outcome.NOT_RUN, why_crashed(run, listing), listing))
    return told


def _fields(case_id: str, outcome: Outcome, cause: Cause, listing: Listing) -> dict[str, Any]:
    told: dict[str, Any] = {"case": case_id, "outcome": outcome.value}
    told |= {"why": cause.why.value, "text": cause.text, "next_step": cause.next_step}
    if cause.known_wrong:
        told["known_wrong"] = cause.known_wrong
    if cause.frame is not None:
        told["at"] = {"place": listing.place(cause.frame), "line": listing.line(cause.frame)}
    if cause.numbers is not None:
        told["numbers"] = asdict(cause.numbers)
    return told
