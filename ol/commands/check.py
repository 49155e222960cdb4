"""`ol check`: every gate, one after the other, and one sentence at the end."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ol.commands import mutate
from ol.commands.steps.gates import Ground, results
from ol.commands.steps.own_folder import never_run
from ol.commands.steps.sources import survey
from ol.commands.steps.untampered import untampered
from ol.domain.course import CourseModule
from ol.domain.report import Report
from ol.ports import Memo, Ports


@dataclass(frozen=True, slots=True)
class Options:
    """`cached`: whatever is remembered will do; `fresh`: nothing remembered will.

    `replay`: the journal's runs are made again; nothing of that is ever remembered.
    """

    ref_deps: str | None = None
    jobs: int | None = None
    seed: int | None = None
    cached: bool = False
    fresh: bool = False
    replay: bool = False


def check(ports: Ports, module: CourseModule, options: Options = Options()) -> Report:
    """Tampered before anything else; then what stops one gate leaves the others to run."""
    untampered(ports, module)
    if options.fresh:
        ports = replace(ports, memo=_Forgetful(ports.memo))
    resolved = survey(ports, module, options.ref_deps)
    mutation = mutate.Options(jobs=options.jobs, seed=options.seed)
    return Report(
        "check",
        module.id,
        tuple(results(Ground(ports, module, resolved, mutation, options.cached, options.replay))),
        ports.catalog.course.version,
        ports.catalog.lock_hash,
        resolved.origin,
        (*resolved.notes, *never_run(ports, module), *_uncommitted(ports)),
        ports.runner.unconfined,
    )


@dataclass(frozen=True, slots=True)
class _Forgetful:
    """Remembers for later and recalls nothing."""

    memo: Memo

    def get(self, key: str) -> bytes | None:
        return None

    def put(self, key: str, value: bytes) -> None:
        self.memo.put(key, value)


def _uncommitted(ports: Ports) -> tuple[str, ...]:
    """CI sees only what is committed."""
    files = ports.workspace.uncommitted()
    if files is None:
        return ("there is no git repository here; CI sees only what is committed",)
    if not files:
        return ()
    count = "1 file" if len(files) == 1 else f"{len(files)} files"
    folders = sorted({name.split("/")[0] for name in files})
    where, are = " and ".join(f"{folder}/" for folder in folders), "is" if len(files) == 1 else "are"
    return (f"{count} under {where} {are} not in git yet: `git add {' '.join(folders)} && git commit`",)
