"""What the commands need of the outside world. `ol/wiring.py` wires each to an adapter; tests wire fakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # no verb needs all of these to run
    from ol.domain.authoring.bar_record import BarRecord
    from ol.domain.authoring.golden import Comparison, GoldenRecord
    from ol.domain.authoring.lock import Lock
    from ol.domain.course import Course, CourseModule, ModuleId
    from ol.domain.errors import CourseWrong
    from ol.domain.file import File
    from ol.domain.grading.values import Difference, Pair
    from ol.domain.journal.entry import Entry, JournalState
    from ol.domain.milestone.judged import Judgement, Work
    from ol.domain.milestone.material import Material
    from ol.domain.milestone.milestone import Milestone, Step
    from ol.domain.milestone.played import Limits, StepRun
    from ol.domain.mutation import Mutant, Wheat
    from ol.domain.run import RunRequest
    from ol.domain.suite import SuiteRun
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


class Workspace(Protocol):
    """A student's files: read without following links, written without ever losing one."""

    @property
    def root(self) -> Path: ...
    def unit_path(self, unit: str) -> Path: ...
    def tests_path(self, module: CourseModule) -> Path: ...

    def unit(self, unit: str) -> File | None:
        """A unit's file, None where there is none. WorkRefused for a link, a folder, or a shadowing name."""

    def tests(self, module: CourseModule) -> tuple[File, ...]:
        """Every file of the module's test folder, sorted by name; empty where there is none."""

    def loose_tests(self) -> tuple[str, ...]:
        """The names of test files right in the folder of all tests, where they are no module's."""

    def entry(self, names: Iterable[str]) -> tuple[File, ...]:
        """The files of a command line, and those below its folders (`cli/`), by path below the package."""

    def declared_entry(self, milestone: ModuleId) -> tuple[str, ...]:
        """The files and folders that the workspace names for a milestone's command line; none where it names none."""

    def conftest(self) -> tuple[Path, bytes]:
        """`python/conftest.py`, which keeps plain pytest on the student's own units, and what it is to hold."""

    def create(self, files: Sequence[tuple[Path, bytes]]) -> tuple[Path, ...]:
        """Write files that do not exist, all or none; return the paths that existed and were left."""

    def renew(self, path: Path, content: bytes) -> Path:
        """Move a file to `.ol/kept/<time>/`, write another in its place, and return where the old one went."""

    def append(self, path: Path, text: str) -> None:
        """Append to a file in one replacement of it; nothing where it ends like that already."""

    def last_started(self) -> ModuleId | None: ...
    def assisted(self, id: ModuleId) -> str | None:
        """What `--ref-deps` was given to `start` for this module: None, "failing", "all" or ids with commas."""

    def remember_start(self, id: ModuleId, ref_deps: str | None) -> None: ...
    def hint_steps(self, id: ModuleId) -> tuple[tuple[str, int], ...]:
        """(mutant id, step) pairs taken so far, oldest first."""

    def remember_hint(self, id: ModuleId, mutant: str, step: int) -> None: ...
    def uncommitted(self) -> tuple[str, ...] | None:
        """Files under python/ and journals/ that git does not hold yet; None without git or repository."""


class Runner(Protocol):
    """Runs tests in children; the same verdicts warm and cold."""

    @property
    def shape(self) -> str:
        """`warm` or `cold`."""

    @property
    def unconfined(self) -> tuple[str, ...]:
        """What the kernel could not keep the runs so far from, by name."""

    def run(self, request: RunRequest) -> SuiteRun: ...
    def run_all(self, requests: Iterable[RunRequest], jobs: int) -> Iterator[tuple[int, SuiteRun]]:
        """(index, run) pairs as they end, `jobs` at a time. A time-out is run again alone before it is believed."""


class Values(Protocol):
    """Compares what probes handed out, in a trusted child where the code of neither side runs."""

    def compare(self, pairs: Sequence[Pair]) -> tuple[Difference, ...]:
        """One answer for each pair, in their order."""


class Foreground(Protocol):
    """Hands the terminal to a program: `ol tests --debug`, and the programs of `ol oracle`."""

    def pytest(self, arguments: Sequence[str], paths: Sequence[Path]) -> int: ...
    def program(self, script: Path, arguments: Sequence[str]) -> tuple[int, str]:
        """Run a course program to its end: exit code and what it wrote on standard error."""

    def scratch(self) -> AbstractContextManager[Path]: ...


class Journal(Protocol):
    """The red-then-green journal of one module in one workspace."""

    def read(self, id: ModuleId) -> JournalState: ...
    def append(self, id: ModuleId, entry: Entry, objects: Sequence[File]) -> Entry:
        """Lock, chain, write whole, fsync. The entry as written, with sequence and previous hash."""

    def object(self, sha256: str) -> bytes | None: ...
    def repair(self, id: ModuleId) -> tuple[str, ...]:
        """What was set aside, a line each; empty where nothing was wrong."""


class Memo(Protocol):
    """Content-addressed answers, so that nothing is believed because it was once written under a name."""

    def get(self, key: str) -> bytes | None: ...
    def put(self, key: str, value: bytes) -> None: ...


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


class CommandLine(Protocol):
    """One command line in a folder of its own, where a step finds what the steps before it left."""

    def step(self, argv: Sequence[str], limits: Limits) -> StepRun:
        """`python -m <package>` on these words, confined; its whole process tree is ended and reaped."""

    def file(self, name: str) -> File | None:
        """What a step left. None where that is no plain file, or larger than any model."""


class Stage(Protocol):
    """Where milestones are played: command lines, the judge of what they left, and the logs of their steps."""

    def command_line(self, tree: Sequence[File], package: str) -> AbstractContextManager[CommandLine]:
        """A merged tree laid out in scratch; files are named by their path below the package."""

    def judged(self, milestone: Milestone, work: Work, calls: Sequence[str]) -> tuple[Judgement, ...]:
        """A judgement for each call, where no student code runs. WorkRefused where what was saved takes too long."""

    def log(
        self, milestone: Milestone, began: datetime, step: Step, argv: Sequence[str], run: StepRun
    ) -> Path:
        """Keep what a step said. Only so much of it, and only so many of the milestone's last runs."""


class Clock(Protocol):
    def now(self) -> datetime:
        """The present in UTC."""


class Progress(Protocol):
    """Told of work that can take over a second."""

    def begin(self, what: str, total: int, of: str = "run") -> None:
        """A stage begins, of so many runs, or of what `of` names."""

    def step(self, what: str = "") -> None: ...
    def end(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Ports:
    """Every door a command may open, wired once, by `ol/wiring.py`."""

    catalog: Catalog
    workspace: Workspace
    runner: Runner
    values: Values
    foreground: Foreground
    journal: Journal
    memo: Memo
    clock: Clock
    progress: Progress
