"""In-memory stand-ins for every port.

`Desk` is a whole course and a whole workspace in memory; `desk.ports()` wires it. A fake keeps what it was
told, so that a test can look; it never touches a file or a process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from ol.domain.course import Course, CourseModule, ImportRules, ModuleId
from ol.domain.file import File
from ol.domain.grading.values import Difference, Pair
from ol.domain.run import RunRequest
from ol.domain.suite import SuiteRun
from tests.fake_files import ROOT, FakeCatalog, FakeWorkspace
from tests.made import RUNGS, completed

Answer = Callable[[RunRequest], SuiteRun]


@dataclass
class FakeRunner:
    """Answers each request by a function, and keeps the requests."""

    answer: Answer
    requests: list[RunRequest] = field(default_factory=list)
    shape: str = "warm"
    unconfined: tuple[str, ...] = ()

    def run(self, request: RunRequest) -> SuiteRun:
        self.requests.append(request)
        return self.answer(request)

    def run_all(self, requests: Iterable[RunRequest], jobs: int) -> Iterator[tuple[int, SuiteRun]]:
        """Last first: nothing may hang on the order in which runs end."""
        yield from reversed([(index, self.run(request)) for index, request in enumerate(requests)])


@dataclass
class FakeValues:
    """Answers each pair by a function, and keeps the pairs; without one, only equal bytes agree."""

    answer: Callable[[Pair], Difference] = lambda pair: Difference(
        "" if pair.got == pair.expected else "values"
    )
    pairs: list[Pair] = field(default_factory=list)

    def compare(self, pairs: Sequence[Pair]) -> tuple[Difference, ...]:
        self.pairs += pairs
        return tuple(self.answer(pair) for pair in pairs)


@dataclass
class FakeForeground:
    calls: list[tuple[tuple[str, ...], tuple[Path, ...]]] = field(default_factory=list)
    code: int = 0

    def pytest(self, arguments: Sequence[str], paths: Sequence[Path]) -> int:
        self.calls.append((tuple(arguments), tuple(paths)))
        return self.code

    def program(self, script: Path, arguments: Sequence[str]) -> tuple[int, str]:
        self.calls.append((tuple(arguments), (script,)))
        return self.code, ""

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        yield ROOT / "scratch"


@dataclass
class FakeJournal:
    """What a module's journal holds; `states` is by module id."""

    states: dict[ModuleId, Any] = field(default_factory=dict)
    appended: list[tuple[ModuleId, Any]] = field(default_factory=list)
    objects: dict[str, bytes] = field(default_factory=dict)

    def read(self, id: ModuleId) -> Any:
        return self.states[id]

    def append(self, id: ModuleId, entry: Any, objects: Sequence[File]) -> Any:
        self.appended.append((id, entry))
        self.objects |= {file.sha256: file.content for file in objects}
        return entry

    def object(self, sha256: str) -> bytes | None:
        return self.objects.get(sha256)

    def repair(self, id: ModuleId) -> tuple[str, ...]:
        return ()


@dataclass
class FakeMemo:
    kept: dict[str, bytes] = field(default_factory=dict)

    def get(self, key: str) -> bytes | None:
        return self.kept.get(key)

    def put(self, key: str, value: bytes) -> None:
        self.kept[key] = value


@dataclass
class FakeClock:
    """A second passes at each look."""

    time: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)

    def now(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


@dataclass
class FakeProgress:
    told: list[str] = field(default_factory=list)

    def begin(self, what: str, total: int, of: str = "run") -> None:
        self.told.append(f"{what}: {total}")

    def step(self, what: str = "") -> None:
        self.told.append(what)

    def end(self) -> None:
        self.told.append("end")


@dataclass
class Desk:
    """A course and a workspace in memory."""

    catalog: FakeCatalog
    runner: FakeRunner
    workspace: FakeWorkspace = field(default_factory=FakeWorkspace)
    values: FakeValues = field(default_factory=FakeValues)
    foreground: FakeForeground = field(default_factory=FakeForeground)
    journal: FakeJournal = field(default_factory=FakeJournal)
    memo: FakeMemo = field(default_factory=FakeMemo)
    clock: FakeClock = field(default_factory=FakeClock)
    progress: FakeProgress = field(default_factory=FakeProgress)

    @staticmethod
    def of(*modules: CourseModule, answer: Answer | None = None, **course: Any) -> Desk:
        """A course of these modules, package `tiny`; a run holds no case unless `answer` says otherwise."""
        made = Course(
            name="A tiny course",
            version="1",
            package="tiny",
            rungs=RUNGS,
            modules={each.id: each for each in modules},
            imports=ImportRules(standard=("math", "json")),
        )
        return Desk(FakeCatalog(replace(made, **course)), FakeRunner(answer or (lambda request: completed())))

    def module(self, id: str) -> CourseModule:
        return self.catalog.course.module(id)

    def ports(self) -> Any:
        from ol.ports import Ports

        return Ports(**{name: getattr(self, name) for name in Ports.__dataclass_fields__})
