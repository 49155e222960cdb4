"""The course as a value: its modules, the graph of their needs, and its rules."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, NewType

from ol.domain.errors import CourseWrong, WrongRequest

if TYPE_CHECKING:
    from ol.domain.milestone.milestone import Milestone

ModuleId = NewType("ModuleId", str)


@dataclass(frozen=True, slots=True)
class Rung:
    """How much of the testing a student does alone."""

    id: str
    title: str
    means: str
    journal: bool = False
    threshold: float = 0.0  # 0: the rung asks for no mutation grade

    @property
    def graded_by_mutation(self) -> bool:
        return self.threshold > 0


@dataclass(frozen=True, slots=True)
class CourseTest:
    """A course test of the manifest; a parametrised one stands for all its cases."""

    name: str
    kinds: tuple[str, ...]
    why: str

    @property
    def smoke(self) -> bool:
        return "smoke" in self.kinds


@dataclass(frozen=True, slots=True)
class Golden:
    """An oracle's output and how closely it must be met."""

    file: str
    program: str
    seed: int
    rtol: float
    atol: float
    reason: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure that `ol calibrate` measures and a learning test is held to."""

    name: str
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """A function of seeded inputs whose arrays must come out as the reference's: exactly, unless it says how near.

    `margin`: how clear a choice must be on the reference, to count where rounding could turn it.
    """

    name: str
    why: str
    rtol: float = 0.0
    atol: float = 0.0
    margin: float = 0.0


@dataclass(frozen=True, slots=True)
class Blank:
    """A value of the given tests that a student works out by hand: exactly, unless it says how near."""

    name: str
    why: str
    rtol: float = 0.0
    atol: float = 0.0

    @property
    def answer(self) -> str:
        """The function of the course's answers that computes it: `answer_first_draw`."""
        return f"answer_{self.name.lower()}"


@dataclass(frozen=True, slots=True)
class CourseModule:
    """One manifest. Units are posix paths below the course's package."""

    id: ModuleId
    title: str
    slug: str
    rung: str
    hours: tuple[float, float]
    units: tuple[str, ...]
    needs: tuple[ModuleId, ...] = ()
    used_by: tuple[ModuleId, ...] = ()
    reading: tuple[ModuleId, ...] = ()
    given: tuple[str, ...] = ()
    tests: tuple[CourseTest, ...] = ()
    goldens: tuple[Golden, ...] = ()
    bars: tuple[Bar, ...] = ()
    probes: tuple[Probe, ...] = ()
    blanks: tuple[Blank, ...] = ()
    seen_red_min: float | None = None

    @property
    def graded(self) -> bool:
        """Whether the course has tests for this module yet."""
        return bool(self.tests)


@dataclass(frozen=True, slots=True)
class Policy:
    unmeasured_cpu_s: float = 60.0
    seen_red_min: float = 0.0
    stale: str = "count"


@dataclass(frozen=True, slots=True)
class ImportRules:
    """What student code may import beside the contracts' own names."""

    third_party: tuple[str, ...] = ("numpy",)
    tests_only: tuple[str, ...] = ("pytest",)
    standard: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    name: str
    version: str
    package: str
    rungs: Mapping[str, Rung]
    modules: Mapping[ModuleId, CourseModule]
    policy: Policy = field(default_factory=Policy)
    imports: ImportRules = field(default_factory=ImportRules)
    milestones: Mapping[ModuleId, Milestone] = field(default_factory=dict)

    def module(self, wanted: str) -> CourseModule:
        """The module of an id in any case. WrongRequest names the nearest known ones, or says what it is."""
        if (id := _in_any_case(wanted, self.modules)) is not None:
            return self.modules[id]
        if (id := _in_any_case(wanted, self.milestones)) is not None:
            told = f"{id} is a milestone, and this command takes a course module."
            raise WrongRequest("is-a-milestone", told, f"`ol milestone {id}` runs it.")
        raise self._unknown(f"There is no course module {wanted}.", wanted, "`ol status` lists them all.")

    def milestone(self, wanted: str) -> Milestone:
        """The same of a milestone."""
        if (id := _in_any_case(wanted, self.milestones)) is not None:
            return self.milestones[id]
        if (id := _in_any_case(wanted, self.modules)) is not None:
            told = f"{id} is a course module, and `ol milestone` takes a milestone."
            raise WrongRequest("is-a-module", told, f"`ol check {id}` grades it.")
        listed = ", ".join(self.milestones) or "no milestone"
        raise self._unknown(f"There is no milestone {wanted}.", wanted, f"The course has {listed}.")

    def _unknown(self, told: str, wanted: str, otherwise: str) -> WrongRequest:
        known = {str(id).lower(): id for id in (*self.modules, *self.milestones)}
        near = difflib.get_close_matches(wanted.lower(), known, n=3, cutoff=0.5)
        meant = ", ".join(str(known[name]) for name in near)
        return WrongRequest("unknown-id", told, f"Did you mean {meant}?" if near else otherwise)

    def closure(self, id: ModuleId) -> tuple[CourseModule, ...]:
        """The needs of a module, direct and indirect, each after its own needs; the module itself last."""
        return self.below([id])

    def below(self, ids: Iterable[ModuleId]) -> tuple[CourseModule, ...]:
        """These modules and all that they need, each after its own needs."""
        wanted: set[ModuleId] = set()
        frontier = list(ids)
        while frontier:
            current = frontier.pop()
            if current not in wanted:
                wanted.add(current)
                frontier.extend(self.modules[current].needs)
        return tuple(self._sorted(wanted))

    def in_order(self) -> Iterator[CourseModule]:
        """Every module after its needs, in the manifests' order where needs leave a choice."""
        return self._sorted(frozenset(self.modules))

    def _sorted(self, wanted: Collection[ModuleId]) -> Iterator[CourseModule]:
        graph = {id: self.modules[id].needs for id in self.modules if id in wanted}
        try:
            yield from (self.modules[id] for id in TopologicalSorter(graph).static_order())
        except CycleError as error:
            ring = " → ".join(str(id) for id in error.args[1])
            raise CourseWrong(
                "needs-cycle",
                f"course/modules/{error.args[1][0]}.toml: its needs go in a ring: {ring}.",
                "Take one of these needs out of the manifest that lists it.",
            ) from error

    def dotted(self, unit: str) -> str:
        """`lm/nplm.py` → `tinyllm.lm.nplm`."""
        return f"{self.package}.{unit.removesuffix('.py').replace('/', '.')}"


def _in_any_case(wanted: str, known: Iterable[ModuleId]) -> ModuleId | None:
    return next((id for id in known if id.lower() == wanted.lower()), None)
