"""Who kills whom: cases by mutants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KillMatrix:
    """`kills` maps each mutant that ran to the cases that failed on it."""

    cases: tuple[str, ...]
    kills: Mapping[str, tuple[str, ...]]

    @property
    def idle(self) -> tuple[str, ...]:
        """Cases that kill nothing."""
        busy = {case for killers in self.kills.values() for case in killers}
        return tuple(case for case in self.cases if case not in busy)

    def lines(self) -> tuple[str, ...]:
        """A row a case, a column a mutant, `×` for a kill; then the cases that kill nothing."""
        width = max((len(case) for case in self.cases), default=0)
        head = " " * width + "  " + " ".join(self.kills)
        rows = [f"{case:<{width}}  {' '.join(self._cells(case))}".rstrip() for case in self.cases]
        return (head, *rows, *(f"kills nothing: {case}" for case in self.idle))

    def _cells(self, case: str) -> list[str]:
        return [f"{'×' if case in killers else '·':^{len(id)}}" for id, killers in self.kills.items()]
