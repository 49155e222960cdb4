"""A place in a student's file that breaks a rule on what it may use."""

from __future__ import annotations

from dataclasses import dataclass

from ol.domain.report import Reason


@dataclass(frozen=True, slots=True)
class Finding:
    """`word` is the name found: two rules that object to one word on one line make one finding."""

    line: int
    word: str
    slug: str
    told: str
    next_step: str

    def reason(self, file: str) -> Reason:
        return Reason(self.slug, f"{file}:{self.line}: {self.told}", self.next_step)
