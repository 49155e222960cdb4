"""Which tests were seen red before they were green, and what a course asks of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ol.domain.course import ModuleId
from ol.domain.journal.entry import JournalState
from ol.domain.journal.history import History, story
from ol.domain.journal.red import recipe
from ol.domain.report import Reason


@dataclass(frozen=True, slots=True)
class SeenRed:
    """How many tests were seen red, of those that the last green or refactor ran."""

    tests: int
    seen: int
    stub_only: int
    earlier: int

    @staticmethod
    def of(histories: Sequence[History]) -> SeenRed:
        return SeenRed(
            len(histories),
            sum(history.seen_red for history in histories),
            sum(history.stub_only for history in histories),
            sum(history.earlier_version for history in histories),
        )

    @property
    def share(self) -> float:
        return self.seen / self.tests if self.tests else 0.0

    @property
    def line(self) -> str:
        """`14 tests: 11 seen red (3 on the stub only, 1 in an earlier version), 3 booked as refactor`."""
        parts = (f"{self.stub_only} on the stub only", f"{self.earlier} in an earlier version")
        told = [part for part in parts if not part.startswith("0 ")]
        inside = f" ({', '.join(told)})" if told else ""
        count = f"{self.tests} test{'' if self.tests == 1 else 's'}"
        return f"{count}: {self.seen} seen red{inside}, {self.tests - self.seen} booked as refactor"


def seen_red(state: JournalState) -> SeenRed:
    return SeenRed.of(_booked(state))


def unseen_files(state: JournalState) -> Iterator[Reason]:
    """The files with tests of which none was seen red, each with the way to it."""
    histories = _booked(state)
    red_files = {_file(history) for history in histories if history.seen_red}
    for file in dict.fromkeys(_file(history) for history in histories):
        if file not in red_files:
            told = f"No test of {file} was seen red before its green."
            way = f"Take one test of {file} and {recipe(state.module)}"
            yield Reason("journal-unseen-file", told, way)


def too_few(module: ModuleId, seen: SeenRed, share: float) -> Iterator[Reason]:
    """Whether fewer were seen red than a course asks for."""
    if seen.share < share:
        told = f"{seen.seen} of {seen.tests} tests were seen red; the course asks for a share of {share:g}."
        yield Reason("journal-few-red", told, f"{_short_by(seen, share)} more: {recipe(module)}")


def _booked(state: JournalState) -> tuple[History, ...]:
    """Of the tests that the last green or refactor ran, under the names that they had then."""
    last = state.last_booked
    if last is None:
        return ()
    told = story(state.links).moved_to(last.functions)
    return tuple(told.of(id) for id in last.collected)


def _short_by(seen: SeenRed, share: float) -> int:
    """How many more must be seen red."""
    enough = (n for n in range(1, seen.tests) if (seen.seen + n) / seen.tests >= share)
    return next(enough, seen.tests - seen.seen)


def _file(history: History) -> str:
    return history.id.partition("::")[0]
