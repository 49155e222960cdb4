"""`course/survivors/<ID>.toml`: why a fault that no course test catches is none to catch."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

KINDS = {
    "equivalent": "gives the same for every input",
    "beyond the contract": "differs only where the contract promises nothing",
    "rounding": "differs in the last bits, by less than any honest tolerance",
    "speed": "gives the same, slower or with more memory",
}
SAME = ("equivalent", "rounding", "speed")  # no test could catch these

Place = tuple[str, str, str, str]  # unit, function, lines before, lines after


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """`after` may list several changes of the same lines that one reason covers."""

    unit: str
    function: str
    before: str
    after: str | list[str]
    kind: Literal["equivalent", "beyond the contract", "rounding", "speed"]
    reason: str

    def places(self) -> Iterator[Place]:
        for after in [self.after] if isinstance(self.after, str) else self.after:
            yield self.unit, self.function, self.before, after


class Review(msgspec.Struct, forbid_unknown_fields=True):
    survivor: list[Entry]


@dataclass(frozen=True, slots=True)
class Reason:
    kind: str
    text: str


def reviewed(path: Path) -> dict[Place, Reason]:
    """By the fault's place; none where the file is not there. SystemExit names what is wrong in the file."""
    if not path.is_file():
        return {}
    try:
        review = msgspec.toml.decode(path.read_bytes(), type=Review)
    except msgspec.DecodeError as error:
        sys.exit(f"{path.name} cannot be read: {error}. Mend that entry.")
    found: dict[Place, Reason] = {}
    for entry in review.survivor:
        for place in entry.places():
            if place in found:
                sys.exit(f"{path.name}: {place[1]}, {place[3]!r} has a reason already. Take one out.")
            found[place] = Reason(entry.kind, entry.reason)
    return found
