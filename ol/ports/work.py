"""A student's work: files, the journal, and what is remembered of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ol.domain.course import CourseModule, ModuleId
    from ol.domain.file import File
    from ol.domain.journal.entry import Entry, JournalState


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
