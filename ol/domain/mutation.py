"""Mutants, wheats, and the grade that a student's tests earn on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ol.domain.errors import CourseWrong


class MutantOutcome(Enum):
    KILLED = "killed"
    SURVIVED = "survived"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A seeded fault: a find/replace pair over one reference unit, with what a student would see of it."""

    id: str
    title: str
    symptom: str
    unit: str
    find: str
    replace: str
    witness: str  # lines that assign `out`, which differs between reference and mutant
    killed_by: tuple[str, ...]  # the course tests that must fail on it
    pitfall: str = ""
    section: str = ""  # of the chapter: where a student who makes this mistake should read
    required: bool = False
    may_hang: bool = False
    retired: str = ""

    def applied_to(self, reference: str) -> str:
        """The mutant's source. CourseWrong unless `find` stands exactly once in the reference."""
        count = reference.count(self.find)
        if count != 1:
            raise CourseWrong(
                "mutant-find",
                f"Mutant {self.id}: its `find` stands {count} times in the reference {self.unit}; it must stand once.",
                "Lengthen or correct `find` in the mutants file until it names one place.",
            )
        return reference.replace(self.find, self.replace)


@dataclass(frozen=True, slots=True)
class Wheat:
    """A correct implementation of a module's units, or of some of them, written differently."""

    id: str
    sources: Mapping[str, str]  # unit -> source


@dataclass(frozen=True, slots=True)
class MutantResult:
    mutant: Mutant
    outcome: MutantOutcome
    killers: tuple[str, ...] = ()  # the cases that failed on it
    reason: str = ""  # why inconclusive, or "retired: …"


@dataclass(frozen=True, slots=True)
class MutationScore:
    killed: int
    survived: int
    inconclusive: int

    @property
    def all(self) -> int:
        return self.killed + self.survived + self.inconclusive

    @property
    def value(self) -> float:
        return self.killed / self.all if self.all else 0.0

    @staticmethod
    def of(results: tuple[MutantResult, ...]) -> MutationScore:
        def count(outcome: MutantOutcome) -> int:
            return sum(result.outcome is outcome for result in results)

        return MutationScore(*(count(outcome) for outcome in MutantOutcome))
