"""An entry as its snapshots have it: what a replay runs, and where they are not what the line says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ol.domain.code.identity import FolderIdentity, code_hash, identify
from ol.domain.course import ModuleId
from ol.domain.errors import WorkRefused
from ol.domain.file import File, is_plain_name
from ol.domain.journal.entry import Entry, FunctionRecord, Link, Phase
from ol.domain.run import RunRequest
from ol.domain.suite import Budget
from ol.domain.telling.listing import Listing, Text

_SHOWN = 12  # of a hash
_READING = ("ol", "python")  # what the reading of a text hangs on: another Python may not parse it


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an entry does not hold. `what` is a function's id, a file or a unit.

    `hangs_on`: the versions that could bring it about in honest work. None: of a run, which hangs on all.
    """

    what: str
    claimed: str
    found: str
    hangs_on: tuple[str, ...] | None = None

    @property
    def line(self) -> str:
        return f"{self.what}: on record: {self.claimed}; found: {self.found}"

    def stands(self, changed: Iterable[str]) -> bool:
        """Whether nothing that is another now than on record can explain it."""
        return self.hangs_on is not None and not set(self.hangs_on).intersection(changed)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An entry rebuilt. `units`: all that its run is served, by dotted name.

    `changed`: what is another now than on record, as (then, now): versions, units of the reference. `lost`: the
    objects that are not there, by the file or unit that they are of. `forbidden`: what no entry may use. `untried`:
    the tests that a green closes though they were edited since their red. `own`: the module's units, which are the
    student's.
    """

    link: Link
    files: tuple[File, ...]
    units: Mapping[str, str]
    changed: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    lost: Mapping[str, str] = field(default_factory=dict)
    forbidden: tuple[str, ...] = ()
    untried: tuple[str, ...] = ()
    own: frozenset[str] = frozenset()

    @property
    def entry(self) -> Entry:
        return self.link.entry

    @property
    def listing(self) -> Listing:
        tests = {file.name: Text(file.name, file.text()) for file in self.files if file.name.endswith(".py")}
        return Listing({unit: Text(unit, text) for unit, text in self.units.items()}, tests, self.own)

    def request(self, budget: Budget) -> RunRequest:
        """The same run: all tests, or those that were tried on the units of their red."""
        failed = tuple(id for id, function in self.entry.functions.items() if function.failed)
        return RunRequest(
            self.files, self.units, budget, failed if self.entry.phase is Phase.AMENDED else None
        )

    def contradictions(self, module: ModuleId) -> tuple[Difference, ...]:
        """Where the line is not what its own snapshots say, known without a run."""
        return tuple(self._contradictions(module))

    def _contradictions(self, module: ModuleId) -> Iterator[Difference]:
        if self.entry.module != module:
            yield Difference("the entry", f"of {module}", f"of {self.entry.module}", ())
        yield from (
            Difference("a file", repr(name), "no name of a test file", ()) for name in self._misnamed()
        )
        rules = ("course", *_READING)
        yield from (Difference("the code", "recorded", told, rules) for told in self.forbidden)
        edited = "edited since, and not tried on the code of its red"
        yield from (Difference(id, "closed as it failed", edited, ()) for id in self.untried)
        yield from self._unlisted()
        yield from self._of_units()
        try:
            yield from self._of_tests(identify(self.files))
        except WorkRefused as error:
            yield Difference("the tests", "run", error.message, _READING)

    def _misnamed(self) -> Iterator[str]:
        """Names that lead out of the test folder, or through a file."""
        names = set(self.entry.files)
        for name in sorted(names):
            parts = name.split("/")
            folders = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
            if folders & names or not all(map(is_plain_name, parts)):
                yield name

    def _unlisted(self) -> Iterator[Difference]:
        """Own units that are not on record. Only another course explains it, and only beside units that are."""
        kept = any(record.kept for record in self.entry.units.values())
        for unit in sorted(self.own - self.entry.units.keys()):
            yield Difference(unit, "not there", "a unit of the student's", ("course",) if kept else ())

    def _of_units(self) -> Iterator[Difference]:
        for unit, record in self.entry.units.items():
            if unit in self.own and not record.kept:
                yield Difference(unit, "the student's", "not kept", ("course",))
            elif record.kept and unit in self.units:
                text = self.units[unit]
                if File(unit, text.encode("utf-8", "replace")).sha256 != record.sha256:
                    yield Difference(unit, "source text", "bytes that are no text", ())
                elif code_hash(text) != record.code:
                    then, now = record.code[:_SHOWN], code_hash(text)[:_SHOWN]
                    yield Difference(unit, f"code {then}", f"code {now}", _READING)

    def _of_tests(self, folder: FolderIdentity) -> Iterator[Difference]:
        for id in dict.fromkeys((*self.entry.functions, *folder.functions)):
            claimed = self.entry.functions.get(id, FunctionRecord("")).hash
            if claimed != folder.hash_of(id):
                yield Difference(id, _text(claimed), _text(folder.hash_of(id)), _READING)
        for name, rest in folder.rests.items():
            if self.entry.rests[name] != rest:
                claimed = self.entry.rests[name]
                yield Difference(f"{name} beside its tests", _text(claimed), _text(rest), _READING)


def changes(entry: Entry, today: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The versions that are others now, of those that the entry names."""
    then = entry.versions
    return {name: (then[name], now) for name, now in today.items() if then.get(name, now) != now}


def _text(hash: str) -> str:
    return f"text {hash[:_SHOWN]}" if hash else "not there"
