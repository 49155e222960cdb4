"""The course: as everyone reads it, and as its author has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ol.domain.authoring.bar_record import BarRecord
    from ol.domain.authoring.golden import Comparison, GoldenRecord
    from ol.domain.authoring.lock import Lock
    from ol.domain.course import Course, CourseModule, ModuleId
    from ol.domain.errors import CourseWrong
    from ol.domain.file import File
    from ol.domain.milestone.material import Material
    from ol.domain.milestone.milestone import Milestone
    from ol.domain.mutation import Mutant, Wheat
    from ol.domain.telling.likeness import Marks


class Catalog(Protocol):
    """The course as files. Reading anything wrong raises CourseWrong."""

    @property
    def root(self) -> Path: ...
    @property
    def course(self) -> Course: ...
    @property
    def lock_hash(self) -> str:
        """The lock file's sha256; empty where the course has none."""

    def tampered(self, modules: Iterable[CourseModule]) -> tuple[str, ...]:
        """Files of these modules (and of the whole course: course.toml, frozen kit) that differ from the lock."""

    def vouched_for(self, module: CourseModule) -> str:
        """A hash of the locked files that a verdict on its units hangs on; empty where no lock vouches for them."""

    def chapter(self, id: ModuleId) -> Path | None:
        """Where a module's chapter lies; None where it has none."""

    def contract(self, unit: str) -> str: ...
    def reference(self, unit: str) -> str: ...
    def course_tests(self, module: CourseModule) -> tuple[File, ...]: ...
    def probes(self, module: CourseModule) -> File | None:
        """The file that defines the module's probes; None where it has none."""

    def answers(self, module: CourseModule) -> File | None:
        """The file that computes the right values of the module's blanks; None where it has none."""

    def given(self, module: CourseModule) -> tuple[File, ...]: ...
    def exemplars(self, module: CourseModule) -> tuple[File, ...]: ...
    def mutants(self, module: CourseModule) -> tuple[Mutant, ...]:
        """In the file's order, worst first; each `find` stands once in its reference unit."""

    def matrix(self, module: CourseModule) -> Mapping[str, Marks]:
        """On each mutant, how the course tests fail, as `ol verify --lock` wrote it; empty where it did not."""

    def wheats(self, module: CourseModule) -> tuple[Wheat, ...]: ...
    def material(self, milestone: Milestone) -> Material: ...


class Authoring(Protocol):
    """The course as its author has it, for `verify`, `oracle` and `calibrate`; paths are posix, below its root."""

    def faults(self) -> tuple[CourseWrong, ...]:
        """Everything that is wrong with the course's files, before anything is run."""

    def locked(self) -> Lock | None:
        """The lock as it lies there; None where there is none, or none that can be read."""

    def lock_of_today(self) -> Lock: ...
    def hashes(self) -> Mapping[str, str]:
        """The sha256 of each file of the course as it is now, by path; course.lock apart."""

    def harness(self) -> str:
        """A hash of ol's own sources."""

    def file(self, path: str) -> File | None: ...
    def write(self, path: str, content: bytes) -> None:
        """Put a file's new content in its place in one step."""

    def golden_records(self) -> Mapping[str, GoldenRecord]: ...
    def bar_records(self, id: ModuleId) -> Mapping[str, BarRecord]: ...
    def has_torch(self) -> bool:
        """Whether the programs of the oracle can be run here."""

    def made(self, folder: Path, name: str) -> File | None:
        """A file that a program wrote into a scratch folder."""

    def compare(self, got: File, expected: File, rtol: float, atol: float) -> Comparison:
        """Two golden files in a trusted child: shape and dtype first, then every value."""
