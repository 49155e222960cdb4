"""The replay gate of `ol check`, in words: which entries hold, and of each that does not, what it claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ol.domain.course import ModuleId, Policy
from ol.domain.journal.entry import JournalState, Link, object_path
from ol.domain.journal.gate import damaged, nothing_booked
from ol.domain.journal.replay import Fate, Replayed, runs
from ol.domain.journal.snapshot import Difference
from ol.domain.report import GateResult, Reason, Verdict

NAME = "replay"
_SHOWN = 5  # entries of a kind
_LINES = 8  # of one entry
_WIDTH = 240  # of one line: ids are the student's own words


def nothing_to_replay(state: JournalState) -> GateResult | None:
    """Why there is no replay: a journal that is damaged, or empty."""
    if reason := damaged(state):
        return GateResult(NAME, Verdict.FAILED, "journal not replayed", (reason,))
    if not runs(state.links):
        return GateResult(NAME, Verdict.FAILED, "nothing to replay", (nothing_booked(state),))
    return None


def judge_replay(module: ModuleId, found: Sequence[Replayed], policy: Policy) -> GateResult:
    """Every entry holds. One that is stale counts, unless the course refuses it."""
    bad = [each for each in found if not _counts(each, policy)]
    verdict = Verdict.FAILED if bad else Verdict.PASSED
    if bad and all(each.fate is Fate.UNDECIDED for each in bad):
        verdict = Verdict.INCONCLUSIVE
    return GateResult(
        NAME,
        verdict,
        _summary(found),
        tuple(_reasons(module, bad)),
        tuple(_notes(found)),
        fields=_fields(found),
    )


def _counts(replayed: Replayed, policy: Policy) -> bool:
    return replayed.fate is Fate.HELD or (replayed.fate is Fate.STALE and policy.stale != "refuse")


def _summary(found: Sequence[Replayed]) -> str:
    """`6 entries replayed`, `5/6 entries replayed, 1 stale`."""
    fates = Counter(each.fate for each in found)
    if fates[Fate.HELD] == len(found):
        return f"{len(found)} {'entry' if len(found) == 1 else 'entries'} replayed"
    others = ", ".join(
        f"{fates[fate]} {fate.value}" for fate in Fate if fates[fate] and fate is not Fate.HELD
    )
    return f"{fates[Fate.HELD]}/{len(found)} entries replayed, {others}"


def _reasons(module: ModuleId, bad: Sequence[Replayed]) -> Iterator[Reason]:
    """The first few of each kind, and how many more there are."""
    for fate in Fate:
        its = [each for each in bad if each.fate is fate]
        yield from (_reason(module, each) for each in its[:_SHOWN])
        if len(its) > _SHOWN:
            told = f"{len(its) - _SHOWN} more {'entry is' if len(its) == _SHOWN + 1 else 'entries are'} {fate.value}."
            yield Reason("replay-more", told, "`--json` lists them all.")


def _reason(module: ModuleId, replayed: Replayed) -> Reason:
    name, lines = _name(replayed.snapshot.link), _lines(replayed)
    begin_again = f"move journals/{module} away, and see a test of each file fail again."
    match replayed.fate:
        case Fate.LOST:
            told = f"{name} cannot be run again: snapshots of it are missing or changed."
            way = f"`git checkout journals` brings back what was committed. What never was is lost: {begin_again}"
            return Reason("replay-lost", told, way, lines)
        case Fate.STALE:
            told = f"{name} does not come out as it was written, with {_changed(replayed)}."
            way = f"Run it with what it was written with. Or {begin_again}"
            return Reason("replay-stale", told, way, lines)
        case Fate.UNDECIDED:
            told = f"{name} met a limit when it was run again, and proves nothing."
            way = "Try once more, with nothing else running; `-j 1` runs one entry at a time."
            return Reason("replay-undecided", told, way, lines)
        case _:
            told = f"{name} does not hold: run again from its snapshots, it comes out otherwise."
            way = (
                f"`git log -p journals/{module}` shows who wrote the line. A test that hangs on time, order "
            )
            way += f"or luck must be made steady. Then {begin_again}"
            return Reason("replay-forged", told, way, lines)


def _lines(replayed: Replayed) -> tuple[str, ...]:
    lost = replayed.snapshot.lost.items()
    lines = [f"{object_path(sha256)} ({name})" for name, sha256 in lost]
    lines += [difference.line for difference in replayed.differences]
    more = [f"and {len(lines) - _LINES} more"] if len(lines) > _LINES else []
    return (*(line[:_WIDTH] for line in lines[:_LINES]), *more)


def _notes(found: Sequence[Replayed]) -> Iterator[str]:
    """What its owner should know beside: stale entries, and reds that fail no more though nothing rests on them."""
    stale = [each for each in found if each.fate is Fate.STALE]
    for each in stale[:_SHOWN]:
        yield f"stale, with {_changed(each)}: {_name(each.snapshot.link)}: {each.differences[0].line[:_WIDTH]}"
    if len(stale) > _SHOWN:
        yield f"and {len(stale) - _SHOWN} more are stale"
    idle = [each for each in found if each.idle]
    for each in idle[:_SHOWN]:
        yield f"does not hold, and nothing rests on it: {_name(each.snapshot.link)}: {each.idle[0].line[:_WIDTH]}"


def _name(link: Link) -> str:
    """`Entry 3 of 20260102-1f2e3d4c (red, 2026-01-02 09:03)`."""
    entry = link.entry
    return f"Entry {entry.seq} of {link.chain} ({entry.phase.value}, {entry.at:%Y-%m-%d %H:%M})"


def _changed(replayed: Replayed) -> str:
    """`numpy 2.1.0 (on record 1.26.4)`."""
    changed = replayed.snapshot.changed.items()
    return ", ".join(f"{name} {now} (on record {then})" for name, (then, now) in changed)


def _fields(found: Sequence[Replayed]) -> Mapping[str, Any]:
    fates = Counter(each.fate for each in found)
    told = [_entry(each) for each in found if each.fate is not Fate.HELD or each.idle]
    return {"entries": len(found), **{fate.value: fates[fate] for fate in Fate}, "not_as_written": told}


def _entry(replayed: Replayed) -> Mapping[str, Any]:
    link, snapshot = replayed.snapshot.link, replayed.snapshot
    return {
        "chain": link.chain,
        "seq": link.entry.seq,
        "phase": link.entry.phase.value,
        "at": link.entry.at.isoformat(),
        "fate": replayed.fate.value,
        "differences": [_difference(replayed, each) for each in (*replayed.differences, *replayed.idle)],
        "changed": {name: list(pair) for name, pair in snapshot.changed.items()},
        "lost": dict(snapshot.lost),
    }


def _difference(replayed: Replayed, each: Difference) -> Mapping[str, Any]:
    return {
        "what": each.what,
        "claimed": each.claimed,
        "found": each.found,
        "weighs": each not in replayed.idle,
    }
