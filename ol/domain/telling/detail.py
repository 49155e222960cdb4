"""The detail of one failure in at most 25 lines: what differs, where, why it matters, how to see it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ol.domain.suite import CaseResult, Facts, Frame
from ol.domain.telling.called import called
from ol.domain.telling.cause import Cause
from ol.domain.telling.listing import Listing

LIMIT = 25
_WIDTH = 160
_SAYS_NOTHING = "Use -v to get"  # pytest's own advice is of no use here
_MESSAGE = 8  # lines of the message, and as many of what was printed


def detail(
    case: CaseResult,
    cause: Cause,
    listing: Listing,
    *,
    why: str = "",
    again: str = "",
    quiet: bool = False,
) -> tuple[str, ...]:
    """`why` the test matters, the command that runs only it `again`; `quiet` leaves out what it printed."""
    lines = [
        *_labelled(("known", cause.known_wrong)),
        *_told(cause, case.facts),
        *_places(cause, case.facts.frames, listing),
        *(() if quiet else _printed(case.facts.output)),
    ]
    last = _labelled(("why", why), ("next", cause.next_step), ("again", again))
    return tuple(_cut(line) for line in (*lines[: LIMIT - len(last)], *last))


def where(frame: Frame, listing: Listing, label: str) -> tuple[str, ...]:
    """A place and its source line."""
    line = listing.line(frame)
    return (f"{label:<9} {listing.place(frame)}", *([f"{'':<13} {line}"] if line else []))


def _labelled(*facts: tuple[str, str]) -> list[str]:
    return [f"{label:<9} {text}" for label, text in facts if text]


def _told(cause: Cause, facts: Facts) -> Iterable[str]:
    """The numbers where there are arrays, else what the message adds to the cause's own line."""
    if cause.numbers is not None:
        return cause.numbers.lines()
    lines = [
        line for line in facts.message.strip().splitlines() if line.strip() and _SAYS_NOTHING not in line
    ]
    return lines[1:_MESSAGE] if lines and lines[0].strip() in cause.text else lines[:_MESSAGE]


def _places(cause: Cause, frames: Sequence[Frame], listing: Listing) -> Iterator[str]:
    """The innermost line of the student's unit, or what of it the test calls; then the line of the test."""
    all_frames = frames or ([cause.frame] if cause.frame else [])
    own = next((frame for frame in reversed(all_frames) if listing.in_own(frame)), None)
    unit = next((frame for frame in reversed(all_frames) if listing.in_unit(frame)), None)
    test = next((frame for frame in all_frames if listing.in_tests(frame)), None)
    if own is not None:
        yield from where(own, listing, "your line")
    elif test is not None:
        yield from (f"your code {told}" for told in _called(test, listing))
    if unit is not None and unit != own:
        yield from where(unit, listing, "in")
    if test is not None:
        yield from where(test, listing, "the test")


def _called(test: Frame, listing: Listing) -> Iterator[str]:
    text = listing.text(test)
    for name in sorted(listing.own):
        if text is not None and (told := called(text, test.line, listing.units[name])):
            yield told


def _printed(output: str) -> Iterator[str]:
    lines = output.rstrip().splitlines()
    if lines:
        shown = lines[-_MESSAGE:]
        yield "it printed" + (f" ({len(lines)} lines, the last {_MESSAGE})" if len(lines) > _MESSAGE else "")
        yield from (f"{'':<13} {line}" for line in shown)


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
