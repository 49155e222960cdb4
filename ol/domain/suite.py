"""What one run of a test folder gave: facts as they came, no conclusions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Outcome(Enum):
    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"  # an exception in setup or teardown
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    NOT_RUN = "not run"

    @property
    def broken(self) -> bool:
        """Whether an exception ended it, in whichever stage."""
        return self in (Outcome.FAILED, Outcome.ERROR)


class Stage(Enum):
    COLLECT = "collect"
    SETUP = "setup"
    CALL = "call"
    TEARDOWN = "teardown"


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a traceback. `file` is `tests/…`, `<package.unit>` for a unit, or a library's file name."""

    file: str
    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The raw facts of a failure, bounded in size by the child."""

    exception: str = ""  # qualified name of the type
    bases: tuple[str, ...] = ()  # its other base types, nearest first
    message: str = ""
    frames: tuple[Frame, ...] = ()  # outermost first
    output: str = ""  # what the case printed
    properties: tuple[tuple[str, str], ...] = ()  # record_property's pairs
    known_wrong: str = ""  # the sentence on values that the course test knows to be wrong


@dataclass(frozen=True, slots=True)
class CaseResult:
    """`case_id` is `test_file.py::Class::test_name[param]`, below the test folder."""

    case_id: str
    outcome: Outcome
    stage: Stage
    facts: Facts
    duration_s: float

    @property
    def function_id(self) -> str:
        """The test function that the case belongs to."""
        return function_of(self.case_id)

    @property
    def name(self) -> str:
        return self.function_id.rsplit("::", 1)[-1]

    @property
    def failed(self) -> bool:
        """In setup or call, which makes a red and kills a mutant; in teardown it does neither."""
        return self.outcome.broken and self.stage in (Stage.SETUP, Stage.CALL)

    @property
    def never_began(self) -> bool:
        """Failed before a line of a test, a fixture or a unit ran: a parameter that nothing fills in, say.

        An assertion is never such, for somebody wrote it.
        """
        return self.failed and not self.facts.frames and self.facts.exception not in ("", "AssertionError")


def function_of(case_id: str) -> str:
    """The node id up to its parameters; the name of its file may have a `[` of its own."""
    file, colons, case = case_id.partition("::")
    return f"{file}{colons}{case.partition('[')[0]}"


@dataclass(frozen=True, slots=True)
class CollectionError:
    file: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Exited:
    code: int


@dataclass(frozen=True, slots=True)
class Signalled:
    number: int


@dataclass(frozen=True, slots=True)
class TimedOut:
    after_s: float
    limit: str  # "cpu", "wall" or "case"
    stuck: tuple[Frame, ...] = ()  # where it stood, outermost first


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    limit_bytes: int


@dataclass(frozen=True, slots=True)
class TooMuchOutput:
    limit_bytes: int


Exit: TypeAlias = "Exited | Signalled | TimedOut | OutOfMemory | TooMuchOutput"


@dataclass(frozen=True, slots=True)
class Completed:
    """A closing record came: every collected case has a result, NOT_RUN ones included."""

    results: tuple[CaseResult, ...]
    collection_errors: tuple[CollectionError, ...]
    deselected: int
    duration_s: float
    cpu_s: float = 0.0
    imported: tuple[str, ...] = ()  # third-party and course modules that the run imported


@dataclass(frozen=True, slots=True)
class Crashed:
    """No closing record came, whatever the exit code; the results that came are kept."""

    exit: Exit
    results: tuple[CaseResult, ...]
    running: str | None  # the case that was running
    output_tail: str


SuiteRun: TypeAlias = "Completed | Crashed"


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may use; the bound that was hit is named."""

    cpu_s: float
    wall_s: float
    case_s: float
    memory_bytes: int = 1 << 30  # beside what the child held at its start
    output_bytes: int = 8 << 20
    file_bytes: int = 64 << 20

    @staticmethod
    def unmeasured(cpu_s: float) -> Budget:
        return Budget(cpu_s=cpu_s, wall_s=3 * cpu_s, case_s=2 * cpu_s)

    @staticmethod
    def measured(baseline_cpu_s: float) -> Budget:
        """5 s and 8 times the baseline of CPU, wall three times that: immune to load."""
        cpu_s = 5.0 + 8.0 * baseline_cpu_s
        return Budget(cpu_s=cpu_s, wall_s=3 * cpu_s, case_s=2 * cpu_s)
