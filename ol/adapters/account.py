"""The records of one run, and what they add up to.

A verdict needs the whole set: every record in its turn, marked with the run's nonce, from one process; one
result for each case that was collected; and the closing record. What came before the first that does not fit
is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

import msgspec

from ol.domain.suite import CaseResult, CollectionError, Facts, Outcome, Stage


class Record(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    nonce: str
    pid: int
    number: int


class Begin(Record, frozen=True, tag="begin"):
    """The child is the run's own; student code may come.

    `limit` bounds what comes next: "case" or "wall". `unconfined` names what the kernel cannot keep it from.
    """

    limit: str
    unconfined: list[str]


class CollectionFailed(Record, frozen=True, tag="collection_error"):
    file: str
    facts: Facts


class Usage(Record, frozen=True, tag="usage"):
    """pytest does not understand what it was asked."""

    message: str


class Collected(Record, frozen=True, tag="collected"):
    cases: list[str]
    deselected: int


class Start(Record, frozen=True, tag="start"):
    case: str
    limit: str


class Result(Record, frozen=True, tag="result"):
    case: str
    stage: Stage
    outcome: Outcome
    facts: Facts
    duration_s: float


class Broke(Record, frozen=True, tag="broke"):
    """The session was ended before its time."""

    exception: str


class Closing(Record, frozen=True, tag="closing"):
    duration_s: float
    cpu_s: float
    imported: list[str]


class Compiled(Record, frozen=True, tag="compiled"):
    """The test files' code, of a run that was asked for no more."""

    files: dict[str, str]


AnyRecord = Union[Begin, CollectionFailed, Usage, Collected, Start, Result, Broke, Closing, Compiled]  # noqa: UP007
_decode = msgspec.json.Decoder(AnyRecord).decode


@dataclass(slots=True)
class Account:
    """The records of one run, read in order until one is out of order."""

    nonce: str
    pid: int | None = None  # of the first record
    collected: dict[str, None] | None = None  # in the order of the run
    unconfined: tuple[str, ...] = ()
    deselected: int = 0
    errors: list[CollectionError] = field(default_factory=list)
    results: dict[str, CaseResult] = field(default_factory=dict)
    started: str | None = None
    limit: str = ""
    usage: str = ""
    broke: str = ""
    codes: dict[str, str] = field(default_factory=dict)
    closing: Closing | None = None
    wrong: str = ""
    _count: int = 0

    @property
    def begun(self) -> bool:
        return self.pid is not None

    @property
    def running(self) -> str | None:
        """The case that was started and has no result."""
        return None if self.started in self.results else self.started

    def read(self, records: bytes) -> Account:
        *lines, _cut = records.split(b"\n")
        for line in lines:
            try:
                self._add(_decode(line))
            except msgspec.DecodeError as error:
                self.wrong = f"a record is none of ours: {error}"
            if self.wrong:
                break
        return self

    def whole(self, stop_at_first: bool) -> bool:
        """Whether each collected case has its result, or the run was asked to stop and had cause to."""
        if self.wrong or self.closing is None or self.collected is None:
            return False
        failed = any(result.outcome.broken for result in self.results.values())
        return len(self.results) == len(self.collected) or (stop_at_first and failed)

    def _add(self, record: AnyRecord) -> None:
        self.wrong = self._misfit(record)
        self._count += 1
        if self.wrong:
            return
        match record:
            case Begin():
                self.pid, self.limit, self.unconfined = record.pid, record.limit, tuple(record.unconfined)
            case CollectionFailed():
                self.errors.append(CollectionError(record.file, record.facts))
            case Usage():
                self.usage = record.message
            case Collected():
                self.collected, self.deselected = dict.fromkeys(record.cases), record.deselected
            case Start():
                self.started, self.limit = record.case, record.limit
            case Result():
                self.results[record.case] = CaseResult(
                    record.case, record.outcome, record.stage, record.facts, record.duration_s
                )
            case Broke():
                self.broke = record.exception
            case Closing():
                self.closing = record
            case Compiled():
                self.codes = record.files

    def _misfit(self, record: AnyRecord) -> str:
        """Why a record cannot be the next of an honest run; empty where it can."""
        if record.nonce != self.nonce:
            return "a record lacks this run's mark"
        if self.pid not in (None, record.pid):
            return "a record came from another process"
        if record.number != self._count:
            return f"record {self._count} was due, and record {record.number} came"
        if isinstance(record, Begin) is (self._count > 0):
            return "the first record has to begin the run, and no other"
        if self.closing is not None:
            return "a record came after the closing one"
        match record:
            case Collected() if self.collected is not None:
                return "the tests were collected twice"
            case Start() if record.case not in (self.collected or ()):
                return f"{record.case} was started, but not collected"
            case Result() if record.case != self.running:
                return f"{record.case} has a result, but was not running"
            case _:
                return ""
