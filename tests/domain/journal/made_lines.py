"""Entries, their lines and a chain of four, made for tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, timezone

from ol.domain.course import ModuleId
from ol.domain.journal.entry import Entry, FunctionRecord, Phase
from ol.domain.journal.line import sha256, written
from ol.domain.suite import Outcome

START = datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=timezone.utc)


def entry(minute: int = 0, phase: Phase = Phase.RED, **more) -> Entry:
    functions = {"test_a.py::test_é": FunctionRecord("h", Outcome.FAILED, "stub")}
    at = START + timedelta(minutes=minute)
    return Entry(at=at, module=ModuleId("A1"), phase=phase, functions=functions, **more)


def lines(*entries: Entry, after: tuple[int, str] = (0, "")) -> list[bytes]:
    """Their lines in one chain, which may go on from another's line."""
    seq, previous = after
    made: list[bytes] = []
    for each in entries:
        seq += 1
        line = written(replace(each, seq=seq, previous=previous))
        previous = sha256(line)
        made.append(line + b"\n")
    return made


def chain(*minutes: int) -> bytes:
    return b"".join(lines(*(entry(minute) for minute in minutes)))


FOUR = chain(0, 1, 2, 3)
