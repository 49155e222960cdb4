"""A student's files: read without following links, written without ever losing one."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath

from ol.adapters import safe_write
from ol.adapters.workspace import declared, git, student_files
from ol.adapters.workspace.settings import Settings
from ol.domain.code.identity import is_test_file
from ol.domain.code.shadow import library_names, refuse_shadow
from ol.domain.course import Course, CourseModule, ModuleId
from ol.domain.errors import WorkRefused
from ol.domain.file import File

_CONFTEST = Path(__file__).with_name("students_conftest.py")


class WorkspaceFiles:
    """The `Workspace` in `root`, whose units and tests lie in `python/`; settings may lie elsewhere.

    `own` False: the work may be another's, and so may the programs that its repository's settings name.
    """

    def __init__(self, root: Path, course: Course, settings: Settings, own: bool = True) -> None:
        self.root = root
        self.settings = settings
        self._own = own
        self._package = course.package
        self._libraries = library_names(course)

    @property
    def _python(self) -> Path:
        return self.root / "python"

    def unit_path(self, unit: str) -> Path:
        return self._python / self._package / unit

    def tests_path(self, module: CourseModule) -> Path:
        return self._python / "tests" / module.slug

    def unit(self, unit: str) -> File | None:
        self._refuse_shadows_beside_the_code()
        return student_files.read(self.root, self.unit_path(unit))

    def entry(self, names: Iterable[str]) -> tuple[File, ...]:
        self._refuse_shadows_beside_the_code()
        return tuple(file for name in names for file in self._entry(name))

    def declared_entry(self, milestone: ModuleId) -> tuple[str, ...]:
        return declared.entry(self.root, milestone)

    def _entry(self, name: str) -> Iterator[File]:
        """A file, or the Python files of a folder."""
        if name.endswith("/"):
            below = student_files.folder(self.root, self.unit_path(name))
            yield from (
                File(f"{name}{each.name}", each.content) for each in below if each.name.endswith(".py")
            )
        elif (file := student_files.read(self.root, self.unit_path(name))) is not None:
            yield File(name, file.content)

    def tests(self, module: CourseModule) -> tuple[File, ...]:
        files = student_files.folder(self.root, self.tests_path(module))
        for file in files:
            path = PurePosixPath(file.name)
            if path.suffix == ".py":
                shown = f"python/tests/{module.slug}/{file.name}"
                for part in {path.parts[0].removesuffix(".py"), path.stem}:
                    refuse_shadow(shown, part, self._libraries)
        return files

    def loose_tests(self) -> tuple[str, ...]:
        try:
            names = sorted(place.name for place in (self._python / "tests").iterdir() if place.is_file())
        except OSError:  # what is wrong with the folder is said where its tests are read
            return ()
        return tuple(filter(is_test_file, names))

    def conftest(self) -> tuple[Path, bytes]:
        return self._python / "conftest.py", _CONFTEST.read_bytes()

    def create(self, files: Sequence[tuple[Path, bytes]]) -> tuple[Path, ...]:
        for path, _ in files:
            student_files.is_plain(self.root, path)  # raises where it cannot be
        return safe_write.create(files)

    def renew(self, path: Path, content: bytes) -> Path:
        safe_write.create([(self.root / ".ol" / ".gitignore", b"*\n")])
        now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H-%M-%SZ")
        own = f"{now}-{secrets.token_hex(4)}"  # two at once must not meet
        kept = self.root / ".ol" / "kept" / own / path.relative_to(self.root)
        safe_write.renew(path, content, kept)
        return kept

    def append(self, path: Path, text: str) -> None:
        file = student_files.read(self.root, path)
        if file is None:
            raise WorkRefused("unreadable", f"{path} is not there any more.", "Run the command again.")
        newline = b"\r\n" if b"\r\n" in file.content else b"\n"
        end = b"" if file.content.endswith((b"\n", b"\r")) or not file.content else newline
        added = text.encode("utf-8").replace(b"\n", newline)
        if not file.content.endswith(added):  # as where another `ol start --missing` was a moment faster
            safe_write.replace(path, file.content + end + added)

    def last_started(self) -> ModuleId | None:
        return self.settings.last_started()

    def assisted(self, id: ModuleId) -> str | None:
        return self.settings.assisted(id)

    def remember_start(self, id: ModuleId, ref_deps: str | None) -> None:
        self.settings.remember_start(id, ref_deps)

    def hint_steps(self, id: ModuleId) -> tuple[tuple[str, int], ...]:
        return self.settings.hint_steps(id)

    def remember_hint(self, id: ModuleId, mutant: str, step: int) -> None:
        self.settings.remember_hint(id, mutant, step)

    def uncommitted(self) -> tuple[str, ...] | None:
        return git.uncommitted(self.root, ("python", "journals")) if self._own else ()

    def _refuse_shadows_beside_the_code(self) -> None:
        """`python/` comes first on the path of a plain pytest."""
        for place in sorted(self._python.iterdir()) if self._python.is_dir() else ():
            is_package = place.name == self._package and place.is_dir()
            if not is_package and (place.suffix == ".py" or place.is_dir()):
                refuse_shadow(f"python/{place.name}", place.stem, self._libraries)
