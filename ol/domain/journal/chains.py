"""Several chains of one journal, read together and put in one order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from ol.domain.journal.chain import Chain, is_name, read_chain
from ol.domain.journal.entry import Entry, Fault, Link

_Line = tuple[str, Entry]


def read_chains(folder: str, files: Mapping[str, bytes]) -> dict[str, Chain]:
    """Every chain of a journal. One that begins after a line that no chain holds is wrong from its first."""
    chains = {name: _read(folder, name, content) for name, content in files.items()}
    known = {sha256 for chain in chains.values() for sha256, _ in chain.lines}
    return {name: _rooted(f"{folder}/{name}.jsonl", chain, known) for name, chain in chains.items()}


def in_order(chains: Mapping[str, Chain]) -> tuple[Link, ...]:
    """Each entry after all that it knew of; where that leaves a choice, the earlier one first."""
    waiting = {name: deque(chain.lines) for name, chain in chains.items() if chain.lines}
    known = {sha256 for chain in chains.values() for sha256, _ in chain.lines}
    placed: dict[str, Link] = {}
    while waiting:
        name = _next(waiting, known - placed.keys())
        sha256, entry = waiting[name].popleft()
        placed[sha256] = Link(name, sha256, entry, _past(name, entry, placed))
        if not waiting[name]:
            del waiting[name]
    return tuple(placed.values())


def _read(folder: str, name: str, content: bytes) -> Chain:
    if is_name(name) or not content:
        return read_chain(f"{folder}/{name}.jsonl", content)
    return Chain((), 0, Fault(f"{folder}/{ascii(name)[1:-1]}.jsonl", 1, "is in a file that no ol named so"))


def _rooted(file: str, chain: Chain, known: set[str]) -> Chain:
    if not chain.lines:
        return chain
    first = chain.lines[0][1]
    if first.previous in known or (first.previous == "" and first.seq == 1):
        return chain
    return Chain((), 0, Fault(file, 1, "follows a line that no chain of this journal holds"))


def _next(waiting: Mapping[str, deque[_Line]], unplaced: set[str]) -> str:
    """The chain whose next entry comes now. A ring of entries naming each other is forged: then by time."""
    ready = [name for name, lines in waiting.items() if not unplaced.intersection(_before(lines[0][1]))]
    return min(ready or waiting, key=lambda name: (waiting[name][0][1].at, name))


def _before(entry: Entry) -> Iterable[str]:
    return (entry.previous, *entry.heads.values())


def _past(name: str, entry: Entry, placed: Mapping[str, Link]) -> dict[str, int]:
    past: dict[str, int] = {}
    for sha256 in _before(entry):
        if sha256 in placed:
            for chain, seq in placed[sha256].past.items():
                past[chain] = max(seq, past.get(chain, 0))
    return past | {name: entry.seq}
