"""The one place that wires ports to adapters. What a command does not need is not even imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ol.domain.errors import WrongRequest

if TYPE_CHECKING:
    from ol.adapters.deferred import DeferredRunner
    from ol.adapters.stage import ScratchStage
    from ol.adapters.unchanged import Unchanged
    from ol.ports import Authoring, Ports


@dataclass(frozen=True, slots=True)
class Settings:
    """What every command is told beside its own options."""

    course: str | None = None
    plain: bool = False
    as_json: bool = False


@contextmanager
def ports(
    settings: Settings,
    *,
    begins: bool = False,
    runs: bool = False,
    workspace: Path | None = None,
    at_once: int | None = None,
) -> Iterator[Ports]:
    """Every port, wired; the children end when the block does.

    `begins`: a workspace may begin here. `runs`: tests will be run, so their server starts first of all, while
    the verb is imported and the course read. `at_once`: as many children, whoever asks for them.
    """
    from ol.adapters.deferred import DeferredRunner

    with DeferredRunner(at_once) as runner:
        if runs:
            runner.warm_up()
        yield _wired(settings, runner, begins, workspace)


def _wired(settings: Settings, runner: DeferredRunner, begins: bool, workspace: Path | None) -> Ports:
    from ol.adapters.clock import SystemClock
    from ol.adapters.course.files import CourseFiles
    from ol.adapters.course.places import find_course
    from ol.adapters.foreground import TerminalForeground
    from ol.adapters.journal.files import JournalFiles
    from ol.adapters.memo import MemoFiles
    from ol.adapters.values import TrustedValues
    from ol.adapters.workspace.files import WorkspaceFiles
    from ol.adapters.workspace.places import find_workspace, settings_folder
    from ol.adapters.workspace.settings import Settings as Remembered
    from ol.ports import Ports
    from ol.render.progress import progress

    here = _here()
    catalog = CourseFiles(find_course(here, settings.course))
    course = catalog.course
    runner.package = course.package
    begun = here if settings.course else catalog.root
    root = workspace or find_workspace(here, course, otherwise=begun if begins else None)
    elsewhere = settings.course is not None and workspace is None
    memory = settings_folder(root, trusted=elsewhere)
    return Ports(
        catalog=catalog,
        workspace=WorkspaceFiles(root, course, Remembered(memory), own=not elsewhere),
        runner=runner,
        values=TrustedValues(),
        foreground=TerminalForeground(catalog.root, root),
        journal=JournalFiles(root / "journals", memory),
        memo=MemoFiles(memory / "cache"),
        clock=SystemClock(),
        progress=progress(plain=settings.plain or settings.as_json),
    )


def stage(ports: Ports, settings: Settings) -> ScratchStage:
    """For milestones; what is still played on it ends when the block does."""
    from ol.adapters.stage import ScratchStage
    from ol.adapters.workspace.places import settings_folder

    return ScratchStage(
        ports.catalog.root, settings_folder(ports.workspace.root, settings.course is not None)
    )


def authoring(ports: Ports) -> Authoring:
    """For the verbs of authors alone."""
    from ol.adapters.course.author_files import AuthorFiles

    return AuthorFiles(ports.catalog.root)


def unchanged(settings: Settings, versions: Mapping[str, str]) -> Unchanged:
    """For an answer that may be given again: looked at before anything is wired."""
    from ol.adapters.unchanged import Unchanged

    return Unchanged.seen_from(_here(), settings.course, versions)


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        told = "The folder that you stand in is not there any more."
        raise WrongRequest("no-workspace", told, "Go to the one that holds your work: `cd PATH`.") from error
