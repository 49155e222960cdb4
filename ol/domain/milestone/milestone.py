"""A milestone as a value: the commands that are typed, and what must come of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ol.domain.course import Bar, CourseModule, ModuleId, Probe


@dataclass(frozen=True, slots=True)
class Metric:
    """A field of a step's last line, and its bounds as printed."""

    name: str
    equals: int | float | str | None = None
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One command. `{name}` in an argument stands for a value of the recipe, a text of the course, or a seed.

    `like`: the ids of an earlier step must come again; `unlike`: they must not. `reference`: the same words are
    said to the reference's command line too, for a claim to compare what the two leave.
    """

    name: str
    argv: tuple[str, ...]
    limit_s: float = 60.0
    code: int = 0
    metrics: tuple[Metric, ...] = ()
    files: tuple[str, ...] = ()
    like: str = ""
    unlike: str = ""
    reference: bool = False


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that the judge computes from what a step left: the printed one must agree, and it meets the bar.

    `agree` and `within` are relative: to the figure, and to the bar's mean. Without `within` a bar is met between
    its lower and its upper bound. `below` names a bar of which the mean must not be reached.
    """

    name: str
    step: str
    metric: str
    agree: float
    bar: str
    advice: str  # to whom misses the bar
    within: float = 0.0
    below: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a false model cannot do, and the judge sees in what the steps left."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Wrong:
    """A command line that must not pass: the reference's, with one place replaced. `fails`: the reason's slug."""

    id: str
    title: str
    file: str
    find: str
    replace: str
    fails: str
    smoke: bool = True  # seen with the short recipe already


@dataclass(frozen=True, slots=True)
class Milestone:
    """`entry` names the files of the command line, by path below the package; one with a slash is a folder.

    `inputs` are texts of the course by placeholder; `recipe` the words of the whole run, and `smoke` those that
    differ in the short one. `model` are files of the steps that the probes read.
    """

    id: ModuleId
    title: str
    needs: tuple[ModuleId, ...]
    contract: str
    entry: tuple[str, ...]
    steps: tuple[Step, ...]
    inputs: Mapping[str, str] = field(default_factory=dict)
    recipe: Mapping[str, str] = field(default_factory=dict)
    smoke: Mapping[str, str] = field(default_factory=dict)
    figures: tuple[Figure, ...] = ()
    claims: tuple[Claim, ...] = ()
    model: tuple[str, ...] = ()
    probes: tuple[Probe, ...] = ()
    bars: tuple[Bar, ...] = ()
    oracle: tuple[str, ...] = ()
    wrong: tuple[Wrong, ...] = ()

    @property
    def slug(self) -> str:
        return self.id.lower()

    @property
    def module(self) -> CourseModule:
        """As a course module that owns no unit: what it needs is found and judged as for any other."""
        return CourseModule(
            self.id,
            self.title,
            self.slug,
            "",
            (0, 0),
            (),
            self.needs,
            bars=self.bars,
            probes=self.probes,
        )

    @property
    def locked(self) -> CourseModule:
        """As one whose units are the command line: the course's files of it are what a verdict hangs on."""
        return CourseModule(self.id, self.title, self.slug, "", (0, 0), self.entry)

    def words(self, smoke: bool) -> dict[str, str]:
        return {**self.recipe, **self.smoke} if smoke else dict(self.recipe)

    def step(self, name: str) -> Step:
        return next(step for step in self.steps if step.name == name)

    @property
    def left(self) -> tuple[str, ...]:
        """Every file that the steps must leave."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.files))


def path(id: str) -> str:
    return f"course/milestones/{id}.toml"


def folder(id: str) -> str:
    return f"course/milestones/{id}"
