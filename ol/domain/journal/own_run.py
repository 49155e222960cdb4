"""A run of a student's own tests, function by function, and why it may prove nothing at all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ol.domain.code.identity import FolderIdentity
from ol.domain.journal.entry import FunctionRecord
from ol.domain.report import Reason
from ol.domain.sentence import sentence
from ol.domain.suite import CaseResult, Crashed, Outcome, SuiteRun
from ol.domain.telling.cause import Cause, Why, why_crashed, why_failed, why_not_collected
from ol.domain.telling.listing import Listing

_SHOWN = 10
_AS_RECORDED = {Why.NUMERIC: Why.ASSERTION}  # numbers are read out of a text: no record hangs on them
_BOUND = {Why.TIME: "timed-out", Why.MEMORY: "out-of-memory", Why.OUTPUT: "too-much-output"}


def function_records(
    folder: FolderIdentity, results: Iterable[CaseResult], listing: Listing
) -> dict[str, FunctionRecord]:
    """Of every function that ran, and of those that the folder holds and pytest did not run."""
    cases: defaultdict[str, list[CaseResult]] = defaultdict(list)
    for result in results:
        cases[result.function_id].append(result)
    records = {id: FunctionRecord(hash) for id, hash in folder.functions.items()}
    for id, its in cases.items():
        records[id] = FunctionRecord(folder.hash_of(id), _outcome(its), _cause(its, listing))
    return records


def failures(results: Iterable[CaseResult]) -> tuple[CaseResult, ...]:
    """The cases that make a red."""
    return tuple(case for case in results if case.failed)


def why_no_proof(run: SuiteRun, listing: Listing) -> Reason | None:
    """Why a run is neither red nor green, whatever its cases say. None: it ended by itself, all collected."""
    if isinstance(run, Crashed):
        cause = why_crashed(run, listing)
        told = sentence(f"Your tests gave no verdict: {cause.text}")
        return _reason(_BOUND.get(cause.why, "left-early"), told, cause, listing)
    if run.collection_errors:
        error = run.collection_errors[0]
        return _not_collected(error.file, why_not_collected(error, listing), listing)
    for case in failures(run.results):
        cause = why_failed(case, listing)
        if cause.why is Why.MEMORY:
            return _reason("out-of-memory", f"{case.case_id} ran out of memory.", cause, listing)
    return None


def told_failures(cases: Sequence[CaseResult], listing: Listing) -> tuple[str, ...]:
    """`test_calc.py::test_add: assert 3 == 4`, a line a case; of very many the first ones."""
    lines = [f"{case.case_id}: {why_failed(case, listing).text}" for case in cases[:_SHOWN]]
    more = [f"and {len(cases) - _SHOWN} more"] if len(cases) > _SHOWN else []
    return (*lines, *more)


def _outcome(cases: Sequence[CaseResult]) -> Outcome:
    """What one case is, all are; else the first that is not passed, failures before others."""
    outcomes = [case.outcome for case in cases]
    worst = [o for o in outcomes if o.broken] or [o for o in outcomes if o is not Outcome.PASSED]
    return worst[0] if worst else Outcome.PASSED


def _cause(cases: Sequence[CaseResult], listing: Listing) -> str:
    """On the stub only when every failing case is; an assertion before another exception."""
    whys = {_AS_RECORDED.get(why, why) for why in (why_failed(case, listing).why for case in failures(cases))}
    order = sorted(whys, key=lambda why: (why is Why.STUB, why is not Why.ASSERTION, why.value))
    return order[0].value if order else ""


def _not_collected(file: str, cause: Cause, listing: Listing) -> Reason:
    if cause.frame is not None and listing.in_unit(cause.frame):
        return _reason("unit-broken", sentence(f"The unit cannot be imported: {cause.text}"), cause, listing)
    return _reason("tests-broken", sentence(f"{file} cannot be collected: {cause.text}"), cause, listing)


def _reason(slug: str, text: str, cause: Cause, listing: Listing) -> Reason:
    detail = (listing.place(cause.frame), listing.line(cause.frame)) if cause.frame else ()
    return Reason(slug, text, cause.next_step or "Mend it, then run the command again.", detail)
