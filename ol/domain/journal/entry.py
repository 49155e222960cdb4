"""The red-then-green journal as values: an entry, its place in a chain, all that a journal holds.

    Entry           one run of a student's tests, as it is written: a line of a chain
    Link            an entry where it stands: its chain, its line's hash, and what it could have seen
    Fault           a line that does not hold
    JournalState    the links of every chain in one order, the chain that goes on here, the faults

One workspace on one branch writes one chain; clones and branches write chains of their own, so that they
merge without conflict. `line` writes and reads a line, `chain` a chain, `chains` puts several in order,
`history` says what they come to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Annotated

from msgspec import Meta

from ol.domain.course import ModuleId
from ol.domain.report import Source
from ol.domain.suite import Outcome

VERSION = 1

# What a line must hold to be read: a hash is a path too, and times are put in order.
Sha256 = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Time = Annotated[datetime, Meta(tz=True)]


class Phase(Enum):
    RED = "red"
    AMENDED = "amended"  # an edited test, failing on the units of its own red
    GREEN = "green"
    REFACTOR = "refactor"  # all pass and no red was open
    ABANDON = "abandon"


@dataclass(frozen=True, slots=True)
class FunctionRecord:
    """A test function in one run. `cause` is a Why's value, there only where it failed in setup or call."""

    hash: str
    outcome: Outcome = Outcome.NOT_RUN  # not collected, not asked for, or dropped by an abandon
    cause: str = ""

    @property
    def failed(self) -> bool:
        return bool(self.cause)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file of the test folder: its object, and the identity of what is no test function in it."""

    sha256: Sha256
    rest: str


@dataclass(frozen=True, slots=True)
class UnitRecord:
    """A unit that a run loaded.

    `code` is the identity of a student's unit, which is kept as an object. It is empty for a unit of the
    reference: the course keeps that.
    """

    sha256: Sha256
    code: str = ""

    @property
    def kept(self) -> bool:
        return bool(self.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line. `heads` holds the last line seen of each chain; `seq` and `previous` come at writing."""

    version: int = VERSION
    seq: int = 0
    at: Time
    module: ModuleId
    phase: Phase
    functions: Mapping[str, FunctionRecord] = field(default_factory=dict)
    files: Mapping[str, FileRecord] = field(default_factory=dict)
    units: Mapping[str, UnitRecord] = field(default_factory=dict)  # by dotted name
    sources: Mapping[ModuleId, Source] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    heads: Mapping[str, str] = field(default_factory=dict)  # chain -> sha256 of its last line
    previous: str = ""  # sha256 of the line before; empty for a journal's first

    @property
    def booked(self) -> bool:
        return self.phase in (Phase.GREEN, Phase.REFACTOR)

    @property
    def collected(self) -> Mapping[str, FunctionRecord]:
        """The functions that ran."""
        return {id: f for id, f in self.functions.items() if f.outcome is not Outcome.NOT_RUN}

    @property
    def rests(self) -> Mapping[str, str]:
        return {name: file.rest for name, file in self.files.items()}

    @property
    def objects(self) -> frozenset[str]:
        """The hashes of what it needs to be run again, beside the course's own files."""
        kept = {unit.sha256 for unit in self.units.values() if unit.kept}
        return frozenset(kept | {file.sha256 for file in self.files.values()})


@dataclass(frozen=True, slots=True)
class Link:
    """`past` holds, per chain, the sequence number up to which the entry knew it; its own number too."""

    chain: str
    sha256: str
    entry: Entry
    past: Mapping[str, int]

    def knew(self, other: Link) -> bool:
        return self.past.get(other.chain, 0) >= other.entry.seq


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that does not hold. `torn`: the last one, never finished; the next writing sets it aside."""

    file: str
    line: int
    text: str
    torn: bool = False


@dataclass(frozen=True, slots=True)
class JournalState:
    """`chain` goes on at the next writing (None: a new one begins). `missing`: objects that are not there.

    `lost` is the chain that was written here last, where its file is gone. `mendable` counts the entries that
    `ol tdd repair` would leave of a damaged one.
    """

    module: ModuleId
    links: tuple[Link, ...] = ()
    chain: str | None = None
    faults: tuple[Fault, ...] = ()
    missing: tuple[str, ...] = ()
    lost: str | None = None
    mendable: int = 0

    @property
    def heads(self) -> Mapping[str, str]:
        return {link.chain: link.sha256 for link in self.links}

    @property
    def damage(self) -> tuple[Fault, ...]:
        """The faults that `ol tdd repair` must see to."""
        return tuple(fault for fault in self.faults if not fault.torn)

    @property
    def last_booked(self) -> Entry | None:
        """The last green or refactor."""
        return next((link.entry for link in reversed(self.links) if link.entry.booked), None)


def object_path(sha256: str) -> str:
    """Where a snapshot lies below the workspace."""
    return f"journals/objects/{sha256[:2]}/{sha256}"


def same_to_a_run(before: Entry, now: Entry) -> bool:
    """Whether nothing that a run can see lies between two entries: tests, units loaded by both, versions."""
    units = before.units.keys() & now.units.keys()
    return (
        same_tests(before, now)
        and all(_seen(before.units[unit]) == _seen(now.units[unit]) for unit in units)
        and before.versions == now.versions
    )


def same_tests(before: Entry, now: Entry) -> bool:
    return before.rests == now.rests and _hashes(before) == _hashes(now)


def _hashes(entry: Entry) -> dict[str, str]:
    return {id: function.hash for id, function in entry.functions.items()}


def _seen(unit: UnitRecord) -> str:
    return unit.code or unit.sha256
