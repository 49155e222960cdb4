"""Why a student's tests are no measure, in words: what they refuse, and what that assumes."""

from __future__ import annotations

from dataclasses import replace

from ol.domain.grading.baseline import Flaw, Refusal
from ol.domain.grading.variant import Variant
from ol.domain.report import Reason
from ol.domain.sentence import sentence
from ol.domain.telling.cause import why_failed, why_not_collected
from ol.domain.telling.detail import detail
from ol.domain.telling.ending import advice, how_it_ended
from ol.domain.telling.listing import Listing
from ol.domain.telling.unbegun import never_began


def told(refusal: Refusal, on: Variant, listing: Listing) -> Reason:
    """One reason; what the case printed is left out, for it could print the code."""
    if refusal.flaw is Flaw.REJECTS and refusal.case and (reason := never_began([refusal.case])):
        return reason
    return replace(_reason(refusal, on, listing), detail=_shown(refusal, listing))


def _reason(refusal: Refusal, on: Variant, listing: Listing) -> Reason:
    """What happened, and what to change."""
    name = _name(refusal)
    if refusal.crash is not None:
        text = f"Your tests did not end on {on.name}: {how_it_ended(refusal.crash)}."
        return Reason("suite-crashed", text, advice(refusal.crash.exit))
    if refusal.error is not None:
        cause = why_not_collected(refusal.error, listing)
        text = sentence(f"{name} cannot be imported on {on.name}: {cause.text}")
        return Reason("suite-not-collected", text, cause.next_step)
    match refusal.flaw:
        case Flaw.NO_CASES:
            step = "Write one: a function whose name begins with test_."
            return Reason("suite-empty", "Your test folder holds no test.", step)
        case Flaw.FLAKY:
            text = f"{name} passed on the reference, and not when the order was changed."
            step = "Let each test make its own model, files and seeds: none may lean on another, or on luck."
            return Reason("suite-flaky", text, step)
        case Flaw.MISSING:
            step = "Parametrize by constants, not by what the code holds."
            return Reason("suite-case-missing", f"{name} did not run on {on.name}.", step)
        case Flaw.NOT_PASSED:
            text = f"{name} did not run to its end on {on.name}: it grades nothing."
            return Reason("suite-not-passed", text, "Remove the mark, or the test.")
        case _:
            return _rejection(f"{name} fails on {on.name}.", on.kind)


def _rejection(text: str, kind: str) -> Reason:
    """A test that fails on correct code, and what it takes for granted."""
    match kind:
        case "wheat":
            step = "It assumes what the contract does not promise: assert only what stands there."
            return Reason("wheat-rejects", text, step)
        case "neutral":
            step = "It looks at the code, not at what the code does: only local names were changed."
            return Reason("neutral-rejects", text, step)
        case _:
            step = "It rejects a correct implementation: compare what it expects with the contract."
            return Reason("reference-rejects", text, step)


def _name(refusal: Refusal) -> str:
    if refusal.case is not None:
        return refusal.case.case_id
    return refusal.error.file if refusal.error is not None else ", ".join(refusal.missing[:3])


def _shown(refusal: Refusal, listing: Listing) -> tuple[str, ...]:
    if refusal.case is None:
        return ()
    cause = why_failed(refusal.case, listing)
    return (cause.text, *detail(refusal.case, replace(cause, next_step=""), listing, quiet=True))
