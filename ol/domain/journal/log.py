"""The story of a journal in lines."""

from __future__ import annotations

from collections.abc import Iterator

from ol.domain.journal.entry import Entry, JournalState, Phase
from ol.domain.journal.gate import damaged, remarks
from ol.domain.journal.history import story
from ol.domain.journal.seen_red import seen_red


def log_lines(state: JournalState) -> tuple[str, ...]:
    return tuple(_lines(state))


def _lines(state: JournalState) -> Iterator[str]:
    if not state.links:
        yield f"Nothing is on record for {state.module}."
    for link in state.links:
        entry = link.entry
        yield f"{entry.at:%Y-%m-%d %H:%M}  {entry.phase.value:<8}  {_what(entry)}  [{link.chain}]"
    for history in story(state.links).open:
        yield f"open: {history.id}"
    if state.last_booked:
        yield seen_red(state).line
    yield from (f"note: {remark}" for remark in remarks(state))
    if reason := damaged(state):
        yield f"{reason.text} {reason.next_step}"


def _what(entry: Entry) -> str:
    if entry.phase is Phase.ABANDON:
        return ", ".join(entry.functions)
    failed = [id for id, function in entry.functions.items() if function.failed]
    if failed:
        return f"{len(failed)} of {len(entry.collected)} fail: {', '.join(failed)}"
    return f"{len(entry.collected)} pass"
