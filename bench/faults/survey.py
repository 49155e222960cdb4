"""What was found of one course module: each fault with its verdict, each survivor with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from faults.fault import Fault
from faults.reviewed import SAME, Place, Reason
from faults.verdict import KILLED, Fate, Verdict


@dataclass(frozen=True, slots=True)
class Survey:
    module: str
    faults: list[Fault]
    verdicts: list[Verdict]
    reasons: dict[Place, Reason]

    @property
    def survivors(self) -> list[Fault]:
        pairs = zip(self.faults, self.verdicts, strict=True)
        return [fault for fault, verdict in pairs if verdict.fate in (Fate.SURVIVED, Fate.OPEN)]

    def count(self, *fates: Fate) -> int:
        return sum(verdict.fate in fates for verdict in self.verdicts)

    @property
    def killed(self) -> int:
        return self.count(*KILLED)

    @property
    def all(self) -> int:
        """Those that can be imported at all."""
        return len(self.faults) - self.count(Fate.TRIVIAL)

    @property
    def seen(self) -> int:
        """Those that only a test which looks at what comes out can catch."""
        return self.all - self.count(Fate.RAISED, Fate.STOPPED)

    @property
    def differing(self) -> int:
        """Those that the reviewer did not find to give what correct code gives."""
        return self.all - sum(self.kinds(kind) for kind in SAME)

    def kinds(self, kind: str) -> int:
        return sum(
            self.reasons[each.place].kind == kind for each in self.survivors if each.place in self.reasons
        )

    def wrong(self) -> Iterator[str]:
        """A line for each survivor without a reason, and for each reason without a survivor."""
        alive = {fault.place for fault in self.survivors}
        for fault in self.survivors:
            if fault.place not in self.reasons:
                yield f"{fault.unit}:{fault.line} {fault.function} survives:\n  - {fault.before}\n  + {fault.after}"
        for place in self.reasons:
            if place not in alive:
                unit, function, _, after = place
                yield f"course/survivors/{self.module}.toml: {unit} {function}, {after!r}, is no survivor: take it out."
