"""The `Catalog` of a course in files. Only what a command asks for is read and checked, and that once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ol.adapters.course import lock as course_lock
from ol.adapters.course.manifests import Manifests
from ol.adapters.course.milestones import Milestones, material
from ol.adapters.course.places import MARK
from ol.adapters.course.toml_values import decode
from ol.adapters.course.tree import CourseTree
from ol.domain.authoring import lock, manifest, matrix_record, verdict_scope
from ol.domain.authoring.lock import Lock
from ol.domain.course import Course, CourseModule, ImportRules, ModuleId, Policy, Rung
from ol.domain.errors import CourseWrong
from ol.domain.file import File
from ol.domain.grading import answers, probes
from ol.domain.milestone.material import Material
from ol.domain.milestone.milestone import Milestone
from ol.domain.mutation import Mutant, Wheat
from ol.domain.telling.likeness import Marks


@dataclass(frozen=True, slots=True)
class _RungTable:
    title: str
    means: str
    journal: bool = False
    threshold: float = 0.0


@dataclass(frozen=True, slots=True)
class _CourseTable:
    format: int
    name: str
    version: str
    package: str
    rungs: Mapping[str, _RungTable]
    policy: Policy = field(default_factory=Policy)
    imports: ImportRules = field(default_factory=ImportRules)


@dataclass(frozen=True, slots=True)
class _MutantsTable:
    mutant: tuple[Mutant, ...] = ()


class CourseFiles:
    """The course whose `course/` and `oracle/` lie in `root`.

    What `ol verify --lock` proved, and is as it was then, is not looked through again: unless `trusts_lock` is
    False, as for the author, who may have written any lock.
    """

    def __init__(self, root: Path, trusts_lock: bool = True) -> None:
        self.root = root
        self.tree = CourseTree(root)
        self._trusts_lock = trusts_lock
        self._mutants: dict[ModuleId, tuple[Mutant, ...]] = {}

    @cached_property
    def course(self) -> Course:
        table = decode(_CourseTable, self.tree.read(MARK), MARK)
        rungs = {
            id: Rung(id, each.title, each.means, each.journal, each.threshold)
            for id, each in table.rungs.items()
        }
        manifest.check_course(table.format, table.package, rungs, table.policy, MARK)
        modules = Manifests(self.tree, rungs)
        milestones = Milestones(self.tree, modules)
        return Course(
            table.name, table.version, table.package, rungs, modules, table.policy, table.imports, milestones
        )

    @cached_property
    def _lock(self) -> Lock | None:
        return course_lock.written(self.tree)

    @cached_property
    def lock_hash(self) -> str:
        return course_lock.lock_hash(self.tree)

    def tampered(self, modules: Iterable[CourseModule]) -> tuple[str, ...]:
        try:
            locked = self._lock
        except CourseWrong:
            return (lock.PATH,)
        return course_lock.tampered(self.tree, locked, self.course.package, modules) if locked else ()

    def vouched_for(self, module: CourseModule) -> str:
        if not self.lock_hash or self.tampered(self.course.closure(module.id)):
            return ""
        assert self._lock is not None
        return self._lock.hash_of(verdict_scope.scope(self.course, module))

    def lock_of_today(self) -> Lock:
        return course_lock.lock_of_today(self.tree, self.course)

    def chapter(self, id: ModuleId) -> Path | None:
        path = self.root / f"course/chapters/{id}.md"
        return path if path.is_file() else None

    def contract(self, unit: str) -> str:
        return self.tree.text(f"course/contracts/py/{self.course.package}/{unit}i")

    def reference(self, unit: str) -> str:
        return self._python(self._reference(unit))

    def course_tests(self, module: CourseModule) -> tuple[File, ...]:
        """CourseWrong where one does not parse: else the student would be told to mend it."""
        folder = f"course/tests/{module.id}"
        files = tuple(self._parsing(each, folder) for each in self.tree.folder(folder))
        if module.graded and not files:
            told = f"{folder} holds no test, and the manifest lists {len(module.tests)}."
            raise CourseWrong("tests-missing", told, "Write the tests, or take them out of the manifest.")
        return files

    def probes(self, module: CourseModule) -> File | None:
        """None where the module declares none and has no file. CourseWrong where the two differ."""
        path = probes.path(module.id)
        if not module.probes and not self.tree.has(path):
            return None
        file = File(path, self._python(path).encode("utf-8"))
        probes.check(file, module.probes)
        return file

    def answers(self, module: CourseModule) -> File | None:
        """None where the module declares no blank and has no file. CourseWrong where the two differ."""
        path = answers.path(module.id)
        if not module.blanks and not self.tree.has(path):
            return None
        file = File(path, self._python(path).encode("utf-8"))
        answers.check(file, module.blanks)
        return file

    def given(self, module: CourseModule) -> tuple[File, ...]:
        """CourseWrong where one does not parse: it will be the student's, to run as it is."""
        folder = f"course/given/{module.id}"
        found = (File(name, self.tree.read(f"{folder}/{name}")) for name in module.given)
        return tuple(self._parsing(each, folder) for each in found)

    def exemplars(self, module: CourseModule) -> tuple[File, ...]:
        return self.tree.folder(f"course/exemplars/{module.id}")

    def mutants(self, module: CourseModule) -> tuple[Mutant, ...]:
        if module.id not in self._mutants:
            self._mutants[module.id] = self._read_mutants(module)
        return self._mutants[module.id]

    def matrix(self, module: CourseModule) -> Mapping[str, Marks]:
        path = matrix_record.path(module.id)
        return decode(dict[str, dict[str, str]], self.tree.read(path), path) if self.tree.has(path) else {}

    def wheats(self, module: CourseModule) -> tuple[Wheat, ...]:
        """`w01.py` for a module of one unit, `w01/<unit>` for several."""
        wheats: dict[str, dict[str, str]] = {}
        for file in self.tree.folder(f"course/wheats/{module.id}"):
            path = f"course/wheats/{module.id}/{file.name}"
            first, inside, rest = file.name.partition("/")
            unit = rest if inside else module.units[0]
            if unit not in module.units or not (inside or len(module.units) == 1):
                told = f"{path} stands for no unit of {module.id}."
                raise CourseWrong("wheat-unit", told, f"Name it w01/<unit>, of {', '.join(module.units)}.")
            wheats.setdefault(first.removesuffix(".py"), {})[unit] = self._python(path)
        return tuple(Wheat(id, sources) for id, sources in sorted(wheats.items()))

    def material(self, milestone: Milestone) -> Material:
        return material(self.tree, self.course.package, milestone)

    def _read_mutants(self, module: CourseModule) -> tuple[Mutant, ...]:
        path = f"course/mutants/{module.id}.toml"
        if not self.tree.has(path):
            return ()
        mutants = decode(_MutantsTable, self.tree.read(path), path).mutant
        if not self._proved(path, *map(self._reference, module.units)):
            references = {unit: self.reference(unit) for unit in module.units}
            manifest.check_mutants(module, mutants, references, path)
        return mutants

    def _reference(self, unit: str) -> str:
        return f"course/reference/{self.course.package}/{unit}"

    def _parsing(self, file: File, folder: str) -> File:
        """It, if it is Python that parses, or no Python."""
        if file.name.endswith(".py"):
            self._python(f"{folder}/{file.name}")
        return file

    def _python(self, path: str) -> str:
        """A source text that parses."""
        return self.tree.text(path) if self._proved(path) else self.tree.python(path)

    def _proved(self, *paths: str) -> bool:
        """Whether these files are what the lock was written for, with a Python no newer than this one."""
        try:
            locked = self._lock if self._trusts_lock else None
        except CourseWrong:
            return False
        if locked is None or not locked.parses_in(course_lock.PYTHON):
            return False
        return all(path in locked.files and self.tree.hash(path) == locked.files[path] for path in paths)
