"""Raw facts of a failure -> why it failed, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from ol.domain.suite import (
    CaseResult,
    CollectionError,
    Crashed,
    Exit,
    Exited,
    Facts,
    Frame,
    OutOfMemory,
    Signalled,
    TimedOut,
    TooMuchOutput,
)
from ol.domain.telling.ending import advice, how_it_ended
from ol.domain.telling.expected import expected
from ol.domain.telling.lacking import lacking
from ol.domain.telling.listing import Listing
from ol.domain.telling.numbers import Numbers
from ol.domain.telling.raised import is_of_none, step_after


class Why(Enum):
    ASSERTION = "assertion"
    NUMERIC = "numeric"  # an assertion on arrays whose values differ
    STUB = "stub"  # NotImplementedError out of a unit
    UNIT = "unit"  # another exception out of a unit
    TEST = "test"  # an exception of the test's own
    IMPORT = "import"  # an import outside the contracts
    SYNTAX = "syntax"
    TIME = "time"
    MEMORY = "memory"
    OUTPUT = "output"
    EXIT = "exit"  # the process left early or crashed
    NOT_PROVED = "not-proved"  # skipped, xfailed, xpassed or not run: no proof either way


@dataclass(frozen=True, slots=True)
class Cause:
    """`frame` is the innermost place in a unit or a test; `numbers` are for display only.

    `known_wrong` is the course test's own sentence on values that it knows to be wrong, "" where it knows none.
    """

    why: Why
    text: str
    next_step: str
    frame: Frame | None = None
    numbers: Numbers | None = None
    known_wrong: str = ""
    raised: str = ""  # the exception alone, where the test met one


_COMPARE = {
    Why.ASSERTION: "Compare what the test asks for with the contract and the chapter.",
    Why.NUMERIC: "Work the first bad value out by hand, and see where your code leaves that way.",
}
_WHEN_KNOWN = "Find where your code does that; the chapter says what it should do instead."

_FROM_WHERE = re.compile(r" \([^()]*\)$")  # a path of this machine, or `unknown location`
_GIVEN = "Ask what that line was given."
_GIVEN_BY_UNIT = (
    "See what your code gave it at that line: a type or a shape that the contract does not promise?"
)
_EXPECTED = "{} is to be raised there: look at what was given before that line works with it."
_IMPORTS = "Import only what contracts and course allow."

_ENDINGS: dict[type[Exit], Why] = {
    TimedOut: Why.TIME,
    OutOfMemory: Why.MEMORY,
    TooMuchOutput: Why.OUTPUT,
    Exited: Why.EXIT,
    Signalled: Why.EXIT,
}


def why_failed(case: CaseResult, listing: Listing) -> Cause:
    """Of a case that did not pass."""
    if case.outcome.broken:
        return _of_facts(case.facts, listing)
    told = f"{case.outcome.value}{f': {first_line(case.facts)}' if case.facts.message else ''}"
    return Cause(Why.NOT_PROVED, told, "Only a test that runs and passes proves anything.")


def why_not_collected(error: CollectionError, listing: Listing) -> Cause:
    """Of a test file that did not parse or import; the fault may lie in a unit it imports."""
    return _of_facts(error.facts, listing)


def why_crashed(run: Crashed, listing: Listing) -> Cause:
    """Of a run without a closing record; a time-out says where it stood."""
    stuck = run.exit.stuck if isinstance(run.exit, TimedOut) else ()
    return Cause(_ENDINGS[type(run.exit)], how_it_ended(run), advice(run.exit), listing.last_own(stuck))


def first_line(facts: Facts) -> str:
    return facts.message.strip().split("\n", 1)[0].strip()


def _of_facts(facts: Facts, listing: Listing) -> Cause:
    kinds = {name.rsplit(".", 1)[-1] for name in (facts.exception, *facts.bases)}
    frame = listing.last_own(facts.frames)
    in_unit = frame is not None and listing.in_unit(frame)
    if "SyntaxError" in kinds:
        return Cause(Why.SYNTAX, f"does not parse: {first_line(facts)}", "Correct that line.", frame)
    if "NotImplementedError" in kinds and in_unit and frame is not None:
        told = first_line(facts).partition(": ")[2] or f"{frame.function} is not written yet"
        return Cause(Why.STUB, told, f"Write {frame.function}.", frame)
    if "ImportError" in kinds:
        said = first_line(facts)
        told, step = lacking(said, frame, listing) or (_FROM_WHERE.sub("", said), _IMPORTS)
        return Cause(Why.IMPORT, told, step, frame)
    if "MemoryError" in kinds:
        return Cause(Why.MEMORY, "out of memory", "Look for an array that grows without end.", frame)
    if "OSError" in kinds and "File too large" in facts.message:
        told = "wrote more than a run may, to a file or by printing"
        return Cause(Why.OUTPUT, told, "Remove what writes in the loop.", frame)
    if kinds & {"AssertionError", "Failed"} and not in_unit:
        return _of_assertion(facts, frame)
    return _of_exception(facts, kinds, frame, listing)


def _of_assertion(facts: Facts, frame: Frame | None) -> Cause:
    numbers = Numbers.told_by(facts.message)
    why = Why.ASSERTION if numbers is None else Why.NUMERIC
    text = numbers.summary if numbers else first_line(facts) or "the assertion does not hold"
    step = _WHEN_KNOWN if facts.known_wrong else _COMPARE[why]
    return Cause(why, text, step, frame, numbers, facts.known_wrong)


def _of_exception(facts: Facts, kinds: Collection[str], frame: Frame | None, listing: Listing) -> Cause:
    raised = f"{facts.exception.rsplit('.', 1)[-1]}: {first_line(facts)}".rstrip(": ")
    awaited = expected(facts.frames, listing)
    step = step_after(kinds, first_line(facts), listing, frame) or (
        _EXPECTED.format(awaited) if awaited else ""
    )
    where = f", where the test expects {awaited}" if awaited else ""
    if frame is not None and listing.in_unit(frame):
        return Cause(Why.UNIT, f"{raised} (in {frame.function}){where}", step or _GIVEN, frame)
    told = f"{_in_test(kinds, facts, known=bool(step))} {raised}{where}"
    return Cause(Why.TEST, told, step or _GIVEN_BY_UNIT, frame, raised=raised)


def _in_test(kinds: Collection[str], facts: Facts, known: bool) -> str:
    """What stopped the test, without blame where it could only meet what a unit lacks or gave."""
    if is_of_none(kinds, facts.message):
        return "the test was given None:"
    return "the test stops at" if known and "NameError" not in kinds else "the test itself raised"
