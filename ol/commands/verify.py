"""`ol verify`: prove the course right, module by module and proof by proof."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ol.commands.proofs import READ, RUN, Evidence
from ol.commands.proofs.milestones import Proving, runs
from ol.commands.proofs.proving import rulings_of
from ol.commands.proofs.remembered import Remembered
from ol.commands.steps.jobs import jobs_of
from ol.commands.steps.seeds import seed_of
from ol.commands.steps.together import Together
from ol.domain.authoring import lock
from ol.domain.authoring.lock import Lock
from ol.domain.course import Course, CourseModule, ModuleId
from ol.domain.course_report import CourseReport, Ruling, proof
from ol.domain.errors import WrongRequest
from ol.domain.milestone.milestone import Milestone
from ol.domain.report import GateResult, Reason, Verdict
from ol.ports import Authoring, Ports, Stage

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Options:
    """`lock`: write course.lock when everything holds. `seed` None: a new one each time.

    `cached`: what was proved of the very same files need not be proved anew.
    """

    lock: bool = False
    jobs: int | None = None
    seed: int | None = None
    cached: bool = True


def verify(
    ports: Ports,
    author: Authoring,
    ids: Sequence[str] = (),
    options: Options = Options(),
    stage: Stage | None = None,
) -> CourseReport:
    """The modules and milestones named, or all. Files are read first: where one is wrong, nothing is run.

    Without a stage no milestone is played.
    """
    if options.lock and ids:
        told = "course.lock covers the whole course, so the whole course is proved before it is written."
        raise WrongRequest("lock-whole-course", told, "Run `ol verify --lock` without naming a module.")
    began = author.lock_of_today()
    files = _readable(author)
    if files.verdict is not Verdict.PASSED:
        return CourseReport.on("verify", ports.catalog.course, ports.catalog.lock_hash, (), [files])
    course = ports.catalog.course
    modules, milestones = _named(course, ids)
    written: dict[str, str] = {}
    proofs, notes = _proved(ports, author, modules, options, written if options.lock else None)
    gates = [files, *proofs]
    if milestones and stage is not None:
        gates.append(_milestones(ports, author, stage, milestones, options))
    if options.lock and all(gate.verdict is Verdict.PASSED for gate in gates):
        gates.append(proof("lock", {ModuleId("course"): _locked(author, began, written)}))
    else:
        gates.append(_unlocked(ports))
    proved = [*(each.id for each in modules), *(each.id for each in milestones)]
    return CourseReport.on("verify", course, ports.catalog.lock_hash, proved, gates, notes)


def _named(course: Course, ids: Sequence[str]) -> tuple[list[CourseModule], list[Milestone]]:
    if not ids:
        return list(course.in_order()), list(course.milestones.values())
    known = {id.lower(): each for id, each in course.milestones.items()}
    modules = [course.module(id) for id in ids if id.lower() not in known]
    return modules, [known[id.lower()] for id in ids if id.lower() in known]


def _milestones(
    ports: Ports, author: Authoring, stage: Stage, milestones: Sequence[Milestone], options: Options
) -> GateResult:
    seed, jobs, told = seed_of(ports, options.seed), jobs_of(options.jobs), Together(ports.progress)
    ports.progress.begin("milestones", sum(map(runs, milestones)), "command line")
    try:
        found = {
            each.id: Proving(ports, author, stage, each, seed, jobs, told, options.cached).ruling()
            for each in milestones
        }
    finally:
        ports.progress.end()
    return proof("milestones", found)


def _readable(author: Authoring) -> GateResult:
    """Of the whole course: a manifest elsewhere may be what makes a module wrong."""
    faults = map(Reason.of, author.faults())
    reasons = tuple(dict.fromkeys(faults))  # a manifest is read for its own sake, and for the order of all
    told = f"{len(reasons)} wrong" if reasons else ""
    return proof("files", {ModuleId("course"): Ruling(told, reasons)})


def _proved(
    ports: Ports,
    author: Authoring,
    modules: Sequence[CourseModule],
    options: Options,
    written: dict[str, str] | None,
) -> tuple[list[GateResult], tuple[str, ...]]:
    """Proved module by module, told proof by proof; and which modules were not proved anew."""
    if not modules:
        return [], ()
    seed, jobs = seed_of(ports, options.seed), jobs_of(options.jobs)

    def gather(through: Ports, module: CourseModule) -> Evidence:
        return Evidence(through, author, module, jobs, seed, written)

    found = rulings_of(ports, modules, gather, Remembered(options.seed, not options.cached), jobs)
    names = [each.name for each in (*READ, *RUN)]
    by_proof = {name: {id: of[name] for id, of in found.items() if name in of} for name in names}
    known = [id for id, of in found.items() if any(ruling.remembered for ruling in of.values())]
    return [proof(name, rulings) for name, rulings in by_proof.items() if rulings], _recalled(known)


def _recalled(known: Sequence[ModuleId]) -> tuple[str, ...]:
    if not known:
        return ()
    told = "remembered, for nothing that their proofs hang on has changed since"
    return (f"{told}: {', '.join(known)} (`ol verify --no-cache` proves them anew)",)


def _unlocked(ports: Ports) -> GateResult:
    """A difference is a note: course files are what their author changes."""
    changed = ports.catalog.tampered(ports.catalog.course.modules.values())
    notes = [f"differs from course.lock: {path}" for path in changed[:_NAMED]]
    notes += [f"and {len(changed) - _NAMED} more"] if len(changed) > _NAMED else []
    if not ports.catalog.lock_hash:
        notes.append("there is no course.lock yet: `ol verify --lock` writes it")
    return proof("lock", {ModuleId("course"): Ruling("", notes=tuple(notes))})


def _locked(author: Authoring, began: Lock, written: Mapping[str, str]) -> Ruling:
    """Only what was proved is written: what the proofs recorded, then the lock over everything."""
    if author.lock_of_today() != began:
        told = "Course files were changed while they were proved: course.lock was not written."
        return Ruling("not written", (Reason("lock-moved", told, "Run `ol verify --lock` again."),))
    for path, text in written.items():
        author.write(path, text.encode("utf-8"))
    before, now = author.locked(), author.lock_of_today()
    author.write(lock.PATH, now.text().encode("utf-8"))
    return Ruling("locked", notes=tuple(_unraised(now.new_rules_under(before))) if before else ())


def _unraised(changed: Sequence[str]) -> Iterator[str]:
    """A course that no student has yet need not raise its version."""
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        yield f"{changed[0]}{more} changed, and the version did not: raise it in course/course.toml,"
        yield "if students have the course; else a replay takes what the older rules allowed for forged"
