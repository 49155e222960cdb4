"""What a probe gives on two units, and how the two differ, in words."""

from __future__ import annotations

from dataclasses import dataclass

from ol.domain.course import Probe
from ol.domain.telling.numbers import Numbers


@dataclass(frozen=True, slots=True)
class Pair:
    """One probe's bytes from the unit that is judged and from the reference."""

    probe: Probe
    got: bytes
    expected: bytes


@dataclass(frozen=True, slots=True)
class Difference:
    """The first array of a pair that is not as expected; none where `fault` is empty.

    `fault` is one of unreadable, missing, unexpected, margin, shape, dtype, finite, values.
    """

    fault: str = ""
    array: str = ""
    got: str = ""
    expected: str = ""
    place: str = ""  # index of the first bad value: `0, 2`
    absolute: str = ""
    relative: str = ""
    bad: int = 0
    size: int = 0

    def __bool__(self) -> bool:
        return bool(self.fault)

    @property
    def told(self) -> str:
        """In a line: `logits is off in 3 of 12 values, by up to 0.31`."""
        match self.fault:
            case "unreadable":
                return f"what came out of your process is no set of arrays ({self.got})"
            case "missing" | "unexpected":
                return f"the array {self.array} is {self.fault}"
            case "shape" | "dtype":
                return f"the array {self.array} has {self.fault} {self.got}, expected {self.expected}"
            case "finite":
                place = f"[{self.place}]" if self.place else ""
                return f"{self.array}{place} is {self.got}, expected {self.expected} ({self._share})"
            case "margin":
                return f"{self.array} may be chosen either way in {self._share}"
            case _:
                return f"{self.array} is off in {self._share}, by up to {self.absolute}"

    @property
    def lines(self) -> tuple[str, ...]:
        """What a line does not hold: the greatest difference and the first bad value."""
        if self.fault != "values":
            return ()
        share = f"{self.bad} of {self.size}"
        return Numbers(share, self.absolute, self.relative, self.place, self.got, self.expected).lines()[1:]

    @property
    def _share(self) -> str:
        return f"{self.bad} of {self.size} values"
