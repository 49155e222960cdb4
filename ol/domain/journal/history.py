"""What the entries of a journal come to: per test function, its reds, open or closed by a green."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from ol.domain.journal.entry import FunctionRecord, Link, Phase
from ol.domain.suite import Outcome
from ol.domain.telling.cause import Why


@dataclass(frozen=True, slots=True)
class Red:
    """A failure on record: where, and the function as it was then."""

    link: Link
    id: str
    hash: str
    cause: str

    @property
    def stub(self) -> bool:
        return self.cause == Why.STUB.value


@dataclass(frozen=True, slots=True)
class History:
    """Of one test function under its present id. `open`: its newest red that no green has closed yet."""

    id: str
    hash: str = ""
    open: Red | None = None
    closed: tuple[Red, ...] = ()

    @property
    def seen_red(self) -> bool:
        return bool(self.closed)

    @property
    def stub_only(self) -> bool:
        return self.seen_red and all(red.stub for red in self.closed)

    @property
    def earlier_version(self) -> bool:
        """Seen red, but edited since."""
        return self.seen_red and all(red.hash != self.hash for red in self.closed)


@dataclass(frozen=True, slots=True)
class Story:
    """Histories by function id. A function that is gone keeps its own, so that it can come back."""

    histories: Mapping[str, History] = field(default_factory=dict)

    @property
    def open(self) -> tuple[History, ...]:
        return tuple(history for history in self.histories.values() if history.open)

    def of(self, id: str) -> History:
        return self.histories.get(id, History(id))

    def moved_to(self, functions: Mapping[str, FunctionRecord]) -> Story:
        """The same histories under the ids and hashes that the functions have now."""
        before = {id: history.hash for id, history in self.histories.items()}
        was = followed(before, {id: function.hash for id, function in functions.items()})
        now = {
            id: replace(self.of(was[id]) if id in was else History(id), id=id, hash=function.hash)
            for id, function in functions.items()
        }
        left = self.histories.keys() - was.values()
        return Story({id: history for id, history in self.histories.items() if id in left} | now)


def story(links: Iterable[Link]) -> Story:
    """Of all entries, in their order."""
    told = Story()
    for link in links:
        told = retold(told, link)
    return told


def followed(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, str]:
    """Which function each one was: id now -> id before, both mappings being id -> hash.

    The same name and hash; else a hash that only one has left on either side; else the same file and name.
    """
    rounds: tuple[Callable[[str, str], object], ...] = (
        lambda id, hash: (id, hash),
        lambda id, hash: (id.partition("::")[2], hash),
        lambda id, hash: hash,
        lambda id, hash: id,
    )
    was: dict[str, str] = {}
    for key in rounds:
        left = _by_key(key, {id: hash for id, hash in before.items() if id not in was.values()})
        new = _by_key(key, {id: hash for id, hash in now.items() if id not in was})
        was |= {id: left[mark] for mark, id in new.items() if mark in left}
    return was


def _by_key(key: Callable[[str, str], object], hashes: Mapping[str, str]) -> dict[object, str]:
    """The ids whose key no other has."""
    keys = {id: key(id, hash) for id, hash in hashes.items()}
    count = Counter(keys.values())
    return {mark: id for id, mark in keys.items() if count[mark] == 1}


def retold(before: Story, link: Link) -> Story:
    """With one more entry."""
    if link.entry.phase is Phase.ABANDON:
        return _each(before, link.entry.functions, lambda history: _dropped(history, link))
    moved = before.moved_to(link.entry.functions)
    match link.entry.phase:
        case Phase.RED | Phase.AMENDED:
            failed = [id for id, function in link.entry.functions.items() if function.failed]
            return _each(moved, failed, lambda history: _failed(history, link))
        case Phase.GREEN:
            return _each(moved, moved.histories, lambda history: _closed(history, link))
        case Phase.REFACTOR:
            return moved


def _each(told: Story, ids: Iterable[str], change: Callable[[History], History]) -> Story:
    return Story({**told.histories, **{id: change(told.of(id)) for id in ids}})


def _failed(history: History, link: Link) -> History:
    cause = link.entry.functions[history.id].cause
    return replace(history, open=Red(link, history.id, history.hash, cause))


def _closed(history: History, link: Link) -> History:
    """A green closes what it knew to be open and saw pass, and drops what is gone."""
    if history.open is None or not link.knew(history.open.link):
        return history
    function = link.entry.functions.get(history.id)
    if function is None or function.outcome is not Outcome.PASSED:
        return replace(history, open=None)
    return replace(history, open=None, closed=(*history.closed, history.open))


def _dropped(history: History, link: Link) -> History:
    return replace(history, open=None) if history.open and link.knew(history.open.link) else history
