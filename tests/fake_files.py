"""A course and a workspace in memory, in the place of those in files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ol.domain.course import Course, CourseModule, ModuleId
from ol.domain.file import File
from ol.domain.milestone.material import Material
from ol.domain.milestone.milestone import Milestone
from ol.domain.mutation import Mutant, Wheat

ROOT = Path("/desk")  # never read: paths in messages are below it


@dataclass
class FakeCatalog:
    course: Course
    references: dict[str, str] = field(default_factory=dict)
    contracts: dict[str, str] = field(default_factory=dict)
    tests: dict[ModuleId, tuple[File, ...]] = field(default_factory=dict)
    probe_files: dict[ModuleId, File] = field(default_factory=dict)
    answer_files: dict[ModuleId, File] = field(default_factory=dict)
    given_files: dict[ModuleId, tuple[File, ...]] = field(default_factory=dict)
    seeded: dict[ModuleId, tuple[Mutant, ...]] = field(default_factory=dict)
    correct: dict[ModuleId, tuple[Wheat, ...]] = field(default_factory=dict)
    killed: dict[ModuleId, dict[str, dict[str, str]]] = field(default_factory=dict)
    materials: dict[ModuleId, Material] = field(default_factory=dict)
    chapters: tuple[str, ...] = ()  # ids
    changed: tuple[str, ...] = ()
    lock_hash: str = "lock"
    root: Path = ROOT

    def tampered(self, modules: Iterable[CourseModule]) -> tuple[str, ...]:
        return self.changed

    def vouched_for(self, module: CourseModule) -> str:
        return "" if self.changed else self.lock_hash

    def chapter(self, id: ModuleId) -> Path | None:
        return self.root / f"course/chapters/{id}.md" if id in self.chapters else None

    def contract(self, unit: str) -> str:
        return self.contracts.get(unit, "")

    def reference(self, unit: str) -> str:
        return self.references[unit]

    def course_tests(self, module: CourseModule) -> tuple[File, ...]:
        return self.tests.get(module.id, ())

    def probes(self, module: CourseModule) -> File | None:
        return self.probe_files.get(module.id)

    def answers(self, module: CourseModule) -> File | None:
        return self.answer_files.get(module.id)

    def given(self, module: CourseModule) -> tuple[File, ...]:
        return self.given_files.get(module.id, ())

    def exemplars(self, module: CourseModule) -> tuple[File, ...]:
        return ()

    def mutants(self, module: CourseModule) -> tuple[Mutant, ...]:
        return self.seeded.get(module.id, ())

    def matrix(self, module: CourseModule) -> dict[str, dict[str, str]]:
        return self.killed.get(module.id, {})

    def wheats(self, module: CourseModule) -> tuple[Wheat, ...]:
        return self.correct.get(module.id, ())

    def material(self, milestone: Milestone) -> Material:
        return self.materials[milestone.id]


@dataclass
class FakeWorkspace:
    units: dict[str, str] = field(default_factory=dict)
    suites: dict[ModuleId, dict[str, str]] = field(default_factory=dict)
    started: dict[ModuleId, str | None] = field(default_factory=dict)
    hints: list[tuple[ModuleId, str, int]] = field(default_factory=list)
    written: dict[Path, bytes] = field(default_factory=dict)
    not_in_git: tuple[str, ...] | None = ()
    loose: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    root: Path = ROOT

    def unit_path(self, unit: str) -> Path:
        return self.root / "python" / "tiny" / unit

    def tests_path(self, module: CourseModule) -> Path:
        return self.root / "python" / "tests" / module.slug

    def unit(self, unit: str) -> File | None:
        return File(f"python/tiny/{unit}", self.units[unit].encode()) if unit in self.units else None

    def tests(self, module: CourseModule) -> tuple[File, ...]:
        return tuple(
            File(name, text.encode()) for name, text in sorted(self.suites.get(module.id, {}).items())
        )

    def loose_tests(self) -> tuple[str, ...]:
        return self.loose

    def entry(self, names: Iterable[str]) -> tuple[File, ...]:
        folders = tuple(name for name in names if name.endswith("/"))
        found = {name: text for name, text in self.units.items() if name in names or name.startswith(folders)}
        return tuple(File(name, text.encode()) for name, text in found.items())

    def declared_entry(self, milestone: ModuleId) -> tuple[str, ...]:
        return self.declared

    def conftest(self) -> tuple[Path, bytes]:
        return self.root / "python" / "conftest.py", b"# keeps pytest on your own units\n"

    def create(self, files: Sequence[tuple[Path, bytes]]) -> tuple[Path, ...]:
        left = tuple(path for path, _ in files if path in self.written)
        self.written |= {path: content for path, content in files if path not in left}
        return left

    def renew(self, path: Path, content: bytes) -> Path:
        self.written[path] = content
        return self.root / ".ol" / "kept" / path.name

    def append(self, path: Path, text: str) -> None:
        self.written[path] = self.written.get(path, b"") + text.encode()

    def last_started(self) -> ModuleId | None:
        return next(reversed(self.started), None)

    def assisted(self, id: ModuleId) -> str | None:
        return self.started.get(id)

    def remember_start(self, id: ModuleId, ref_deps: str | None) -> None:
        self.started[id] = ref_deps

    def hint_steps(self, id: ModuleId) -> tuple[tuple[str, int], ...]:
        return tuple((mutant, step) for module, mutant, step in self.hints if module == id)

    def remember_hint(self, id: ModuleId, mutant: str, step: int) -> None:
        self.hints.append((id, mutant, step))

    def uncommitted(self) -> tuple[str, ...] | None:
        return self.not_in_git
