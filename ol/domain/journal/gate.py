"""The journal's gate of `ol check`: what is there is booked, and was seen red before it was green."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from ol.domain.code.identity import FolderIdentity
from ol.domain.course import ModuleId, Policy
from ol.domain.journal.entry import Entry, FunctionRecord, JournalState, object_path
from ol.domain.journal.history import History, story
from ol.domain.journal.seen_red import seen_red, too_few, unseen_files
from ol.domain.report import GateResult, Reason, Verdict

NAME = "journal"


def judge_journal(state: JournalState, folder: FolderIdentity, policy: Policy) -> GateResult:
    """`policy.seen_red_min` is the share that this module asks for."""
    notes = tuple(remarks(state))
    last = state.last_booked
    if reasons := tuple(_unreadable(state)):
        return GateResult(NAME, Verdict.FAILED, "journal damaged", reasons, notes)
    green = _way_to_green(state, folder)
    if last is None:
        return GateResult(NAME, Verdict.FAILED, _empty(state), (nothing_booked(state, green),), notes)
    seen = seen_red(state)
    reasons = (
        *_not_booked(green, last, folder),
        *unseen_files(state),
        *too_few(state.module, seen, policy.seen_red_min),
    )
    verdict = Verdict.FAILED if reasons else Verdict.PASSED
    summary = "journal incomplete" if reasons else "journal complete"
    fields = asdict(seen) | {"open": [history.id for history in story(state.links).open]}
    return GateResult(NAME, verdict, summary, reasons, (seen.line, *notes), fields=fields)


def remarks(state: JournalState) -> Iterator[str]:
    """What its owner should know of a journal that holds."""
    if state.lost is not None:
        yield f"{state.lost}.jsonl, written here last, is gone: `git checkout journals` brings it back"
    for fault in state.faults:
        if fault.torn:
            yield f"{fault.file}, line {fault.line} was never finished; the next entry sets it aside"


def damaged(state: JournalState) -> Reason | None:
    """Why nothing can be added to a journal before `ol tdd repair`."""
    if not state.damage:
        return None
    fault = state.damage[0]
    told = f"The journal is damaged: {fault.file}, line {fault.line}, {fault.text}."
    kept = f"{state.mendable} {'entry' if state.mendable == 1 else 'entries'}"
    ways = f"`git checkout journals` brings back what was committed; else `ol tdd repair {state.module}` "
    return Reason("journal-damaged", told, f"{ways}keeps {kept}, and sets the rest aside.")


def _unreadable(state: JournalState) -> Iterator[Reason]:
    if reason := damaged(state):
        yield reason
    if state.missing:
        names = [object_path(sha256) for sha256 in state.missing]
        told = f"The journal names {len(names)} snapshot(s) that are missing or changed: {names[0]}."
        way = "`git checkout journals` brings back what was committed. What never was is lost: move "
        way += f"journals/{state.module} away, and see a test of each file fail again."
        yield Reason("journal-object-missing", told, way, tuple(names[1:10]))


def _empty(state: JournalState) -> str:
    return "no green yet" if state.links else "journal empty"


def nothing_booked(state: JournalState, green: str = "") -> Reason:
    """Why a journal without a green proves nothing, and how it begins. `green`: the way to one, where it is long."""
    id = state.module
    if state.lost is not None:
        told = f"The journal of {id} is gone: journals/{id}/{state.lost}.jsonl was written here."
        way = f"`git checkout journals` brings it back; else `ol tdd green {id}` begins a new one."
        return Reason("journal-gone", told, way)
    if state.links:
        return Reason("journal-no-green", "A red is on record and no green.", f"{green or _green(id)}.")
    told = "Nothing is on record: neither a red nor a green."
    return Reason("journal-empty", told, f"`ol tdd red {id}` while a test fails, then `ol tdd green {id}`.")


def _way_to_green(state: JournalState, folder: FolderIdentity) -> str:
    """A green is refused while reds are open and every test of them is gone."""
    found = story(state.links).moved_to({id: FunctionRecord(hash) for id, hash in folder.functions.items()})
    if not found.open or any(_is_there(history, folder) for history in found.open):
        return _green(state.module)
    return (
        f"`ol tdd abandon {state.module}` (the tests of every open red are gone), then {_green(state.module)}"
    )


def _green(id: ModuleId) -> str:
    return f"`ol tdd green {id}`"


def _is_there(history: History, folder: FolderIdentity) -> bool:
    """Whether a run may still collect it; an inherited test is there as long as its file is."""
    red = history.open
    inherited = red is not None and not _is_written(red.id, red.hash, red.link.entry)
    return history.id in folder.functions or (inherited and history.id.partition("::")[0] in folder.rests)


def _not_booked(green: str, last: Entry, folder: FolderIdentity) -> Iterator[Reason]:
    changes = tuple(_changes(last, folder))
    if changes:
        told = "The tests are not those of the last green."
        yield Reason("journal-not-booked", told, f"{green} books what changed.", changes)


def _changes(last: Entry, folder: FolderIdentity) -> Iterator[str]:
    for id, function in last.functions.items():
        now = folder.hash_of(id)
        if now != function.hash and (id in folder.functions or _is_written(id, function.hash, last)):
            yield f"{id} {'was edited' if id in folder.functions else 'is gone'}"
    yield from (f"{id} is new" for id in folder.functions if id not in last.functions)
    yield from (f"{name} is gone" for name in last.files if name not in folder.rests)
    for name, rest in folder.rests.items():
        if name not in last.files:
            yield f"{name} is new"
        elif last.files[name].rest != rest:
            yield f"{name} was edited"


def _is_written(id: str, hash: str, last: Entry) -> bool:
    """Whether its hash was its own text's, not that of its file's rest (an inherited test)."""
    return FolderIdentity({}, last.rests).hash_of(id) != hash
