"""Replay: what a run from an entry's snapshots gave, held against what the entry says.

HELD        it comes out as it was written
STALE       it comes out otherwise, and versions or units of the reference are others than on record
FORGED      it comes out otherwise, and nothing that is another now explains it: what it says did not happen
UNDECIDED   the run met a limit: it says nothing
LOST        a snapshot is not there: it cannot be run again
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from ol.domain.code.identity import FolderIdentity
from ol.domain.journal.entry import FunctionRecord, Link, Phase
from ol.domain.journal.history import story
from ol.domain.journal.own_run import failures, function_records
from ol.domain.journal.snapshot import Difference, Snapshot
from ol.domain.suite import Crashed, Exited, Outcome, SuiteRun
from ol.domain.telling.cause import Why, why_failed, why_not_collected
from ol.domain.telling.ending import how_it_ended

_KINDS = {
    Why.STUB.value: "on the stub",
    Why.ASSERTION.value: "on an assertion",
}
_WIDTH = 120


class Fate(Enum):
    HELD = "held"
    STALE = "stale"
    FORGED = "forged"
    UNDECIDED = "undecided"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Replayed:
    """One entry and what its replay came to. `idle`: differences of reds on which nothing rests."""

    snapshot: Snapshot
    differences: tuple[Difference, ...] = ()
    idle: tuple[Difference, ...] = ()
    met_limit: bool = False

    @property
    def fate(self) -> Fate:
        if self.snapshot.lost:
            return Fate.LOST
        if not self.differences:
            return Fate.HELD
        if any(each.stands(self.snapshot.changed) for each in self.differences):
            return Fate.FORGED
        if self.snapshot.changed:
            return Fate.STALE
        return Fate.UNDECIDED if self.met_limit else Fate.FORGED


def runs(links: Iterable[Link]) -> tuple[Link, ...]:
    """The entries that a run stands behind: all but abandons."""
    return tuple(link for link in links if link.entry.phase is not Phase.ABANDON)


def weighing(links: Iterable[Link]) -> frozenset[tuple[str, str]]:
    """(line, function) of each red that a green closed, or that is open yet.

    The others were abandoned, or made again later, or their tests are gone: they count for nothing.
    """
    histories = story(links).histories.values()
    reds = [red for history in histories for red in (*history.closed, history.open) if red]
    return frozenset((red.link.sha256, red.id) for red in reds)


def replayed(snapshot: Snapshot, run: SuiteRun, weighing: frozenset[tuple[str, str]]) -> Replayed:
    """A green's functions pass again, all of them; a red's fail again, with the same kind of cause."""
    found = tuple(_booked(snapshot, run) if snapshot.entry.booked else _red(snapshot, run))
    idle = tuple(
        each
        for each in found
        if not snapshot.entry.booked and (snapshot.link.sha256, each.what) not in weighing
    )
    met_limit = isinstance(run, Crashed) and not isinstance(run.exit, Exited)
    return Replayed(snapshot, tuple(each for each in found if each not in idle), idle, met_limit)


def kind(cause: str) -> str:
    """What makes two failures the same: the stub, an assertion, or another exception."""
    return _KINDS.get(cause, "on an exception")


def _booked(snapshot: Snapshot, run: SuiteRun) -> Iterator[Difference]:
    if isinstance(run, Crashed):
        yield Difference("the run", "ended by itself", how_it_ended(run))
    elif run.deselected:
        yield Difference("the run", "of every case", f"{run.deselected} left out")
    on_record, now = snapshot.entry.functions, _records(snapshot, run)
    for id in dict.fromkeys((*on_record, *now)):
        claimed, found = on_record.get(id, FunctionRecord("")), now.get(id, FunctionRecord(""))
        as_it_should = found.outcome in (Outcome.PASSED, Outcome.NOT_RUN)
        if claimed.outcome is not found.outcome or not as_it_should:
            yield Difference(id, _told(claimed), _told_of(id, found, snapshot, run))


def _red(snapshot: Snapshot, run: SuiteRun) -> Iterator[Difference]:
    now = _records(snapshot, run)
    for id, claimed in snapshot.entry.functions.items():
        found = now.get(id, FunctionRecord(""))
        if claimed.failed and not (found.failed and kind(found.cause) == kind(claimed.cause)):
            yield Difference(id, _told(claimed), _told_of(id, found, snapshot, run))


def _records(snapshot: Snapshot, run: SuiteRun) -> dict[str, FunctionRecord]:
    """Hashes as on record: that they are those of the snapshot was seen before anything ran."""
    hashes = {id: function.hash for id, function in snapshot.entry.functions.items()}
    return function_records(FolderIdentity(hashes, snapshot.entry.rests), run.results, snapshot.listing)


def _told(function: FunctionRecord) -> str:
    if function.failed:
        return f"failed {kind(function.cause)}"
    if function.outcome.broken:
        return "failed after its call"
    return "did not run" if function.outcome is Outcome.NOT_RUN else function.outcome.value


def _told_of(id: str, found: FunctionRecord, snapshot: Snapshot, run: SuiteRun) -> str:
    """What came, and why, as far as the run tells."""
    case = next((case for case in failures(run.results) if case.function_id == id), None)
    why = why_failed(case, snapshot.listing).text if case else ""
    if found.outcome is Outcome.NOT_RUN:
        why = _why_not_run(id, snapshot, run)
    told = f"{_told(found)}: {why}" if why else _told(found)
    return told if len(told) <= _WIDTH else f"{told[: _WIDTH - 1]}…"


def _why_not_run(id: str, snapshot: Snapshot, run: SuiteRun) -> str:
    if isinstance(run, Crashed):
        return how_it_ended(run)
    errors = sorted(run.collection_errors, key=lambda error: error.file != id.partition("::")[0])
    return why_not_collected(errors[0], snapshot.listing).text if errors else ""
