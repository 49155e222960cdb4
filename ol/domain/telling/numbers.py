"""What numpy's and the frozen kit's assertion texts say of two arrays: facts to show, never to judge by."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COUNT = re.compile(
    r"^Mismatched elements: (\d+) / (\d+)|^(?:[^:\n]+: )?(\d+) of (\d+) values differ", re.MULTILINE
)
_OF = re.compile(r"^([^:\n]+): \d+ of \d+ values differ", re.MULTILINE)
_ABSOLUTE = re.compile(r"Max absolute difference[^:\n]*: (\S+)|greatest difference: (\S+) absolute")
_RELATIVE = re.compile(r"Max relative difference[^:\n]*: (\S+)|absolute, (\S+) relative")
_NUMPY_PLACE = re.compile(r"^ \[([\d, ]*)\]: (.+) \(ACTUAL\), (.+) \(DESIRED\)$", re.MULTILINE)
_FROZEN_PLACE = re.compile(r"^first bad value(?: at \[([\d, ]*)\])?: got (.+), expected (.+)$", re.MULTILINE)
_SCALAR = re.compile(r"^np\.\w+\((.*)\)$")  # `np.float32(0.5)` says no more than `0.5`


@dataclass(frozen=True, slots=True)
class Numbers:
    """How two arrays differ, each figure as the message has it; "" where it does not say."""

    bad: str = ""  # `3 of 12`
    absolute: str = ""
    relative: str = ""
    place: str = ""  # index of the first bad value: `0, 2`
    got: str = ""
    expected: str = ""
    of: str = ""  # the array's name: `emb.weight`

    @staticmethod
    def told_by(message: str) -> Numbers | None:
        """None where the message is no comparison of arrays."""
        bad = " of ".join(_held(_COUNT.search(message)))
        if not bad:
            return None
        absolute, relative = ("".join(_held(p.search(message))).rstrip(".") for p in (_ABSOLUTE, _RELATIVE))
        first = _NUMPY_PLACE.search(message) or _FROZEN_PLACE.search(message)
        texts = first.groups() if first else ("", "", "")
        place, got, expected = (_SCALAR.sub(r"\1", text or "") for text in texts)
        return Numbers(bad, absolute, relative, place, got, expected, "".join(_held(_OF.search(message))))

    @property
    def summary(self) -> str:
        """`the values of emb.weight differ by up to 0.5`, `the value of the loss differs by 0.5`."""
        of = f" of {self.of}" if self.of else ""
        if self._alone:
            return f"the value{of} differs{f' by {self.absolute}' if self.absolute else ''}"
        return f"the values{of} differ{f' by up to {self.absolute}' if self.absolute else ''}"

    @property
    def _alone(self) -> bool:
        return self.bad == "1 of 1"

    def lines(self) -> tuple[str, ...]:
        """One fact a line, those that are known."""
        sizes = ((self.absolute, "absolute"), (self.relative, "relative"))
        known = ", ".join(f"{size} {kind}" for size, kind in sizes if size)
        place = f" at [{self.place}]" if self.place else ""
        lines = (
            "" if self._alone else f"{self.bad} values differ",
            f"greatest difference: {known}" if known else "",
            f"{'value' if self._alone else 'first bad value'}{place}: got {self.got}, expected {self.expected}"
            if self.got
            else "",
        )
        return tuple(line for line in lines if line)


def _held(match: re.Match[str] | None) -> list[str]:
    return [group for group in match.groups() if group] if match else []
